// The lane model in the page: which byte each lane of each warp touches, from an access's expressions.
// A port of analysis/replay.py (values), analysis/enumeration.py and periods.py (which iterations count).
"use strict";

const coalintModel = (() => {
  const LANES = 32;
  const SAFE = Number.MAX_SAFE_INTEGER;

  class TooLarge extends Error {}   // a number leaves what a double holds exactly: computed again with BigInt
  class Fixed extends Error {}      // the model holds for the analysed block shape alone

  const safe = (x) => {
    if (x > SAFE || x < -SAFE) throw new TooLarge();
    return x;
  };
  const isSmall = (x) => x === (x | 0);
  const viaBig = (f) => (a, b) => safe(Number(f(BigInt(a), BigInt(b))));
  const bits = (small, big) => (a, b) => (isSmall(a) && isSmall(b) ? small(a, b) : viaBig(big)(a, b));
  const u32 = (x) => Number(BigInt.asUintN(32, BigInt(x)));

  function reversed(x) {
    let out = 0;
    for (let bit = 0; bit < 32; bit++) if ((x >>> bit) & 1) out += 2 ** (31 - bit);
    return out;
  }

  function ones(x) {
    let count = 0;
    for (let rest = x; rest; rest = (rest & (rest - 1)) >>> 0) count++;
    return count;
  }

  // C's integer operators by coalint's names (analysis/domain/algebra/arithmetic.py), on doubles that hold exact integers.
  const NUMBERS = {
    array: (length) => new Float64Array(length),
    from: (x) => (typeof x === "string" ? safe(Number(x)) : safe(x)),
    add: (a, b) => safe(a + b),
    times: (a, b) => safe(a * b),
    holds: (x) => x !== 0,
    index: (x) => x,
    wrap(x, size, signed) {
      if (size >= 64) {
        if (x < 0 && !signed) throw new TooLarge();
        return x;
      }
      const modulus = 2 ** size;
      const low = x - Math.floor(x / modulus) * modulus;
      return signed && low >= modulus / 2 ? low - modulus : low;
    },
    operators: {
      "/": (a, b) => (b === 0 ? 0 : (a - (a % b)) / b),
      "&": bits((a, b) => a & b, (a, b) => a & b),
      "|": bits((a, b) => a | b, (a, b) => a | b),
      "^": bits((a, b) => a ^ b, (a, b) => a ^ b),
      "<<": (a, b) => (b < 0 || b > 62 ? 0 : safe(a * 2 ** b)),
      ">>": (a, b) => Math.floor(a / 2 ** Math.min(Math.max(b, 0), 63)),
      "<": (d) => (d < 0 ? 1 : 0),
      "<=": (d) => (d <= 0 ? 1 : 0),
      "==": (d) => (d === 0 ? 1 : 0),
      "&&": (a, b) => (a !== 0 && b !== 0 ? 1 : 0),
      "||": (a, b) => (a !== 0 || b !== 0 ? 1 : 0),
      "?:": (c, a, b) => (c !== 0 ? a : b),
      min: (a, b) => Math.min(a, b),
      max: (a, b) => Math.max(a, b),
      abs: (a) => Math.abs(a),
      multiply_high: viaBig((a, b) => (a * b) >> 32n),
      reverse_bits: (a) => reversed(u32(a)),
      population_count: (a) => ones(u32(a)),
      leading_zeros: (a) => Math.clz32(u32(a)),
      first_set: (a) => (u32(a) === 0 ? 0 : 32 - Math.clz32(u32(a) & -u32(a))),
    },
  };

  const shiftBy = (b) => (b < 0n ? 0n : b > 63n ? 63n : b);
  const bigFlag = (test) => (a, b) => (test(a, b) ? 1n : 0n);
  const byWord = (f) => (a) => BigInt(f(Number(BigInt.asUintN(32, a))));
  const BIG = {
    array: (length) => new Array(length),
    from: BigInt,
    add: (a, b) => a + b,
    times: (a, b) => a * b,
    holds: (x) => x !== 0n,
    index: (x) => Number(x),
    wrap: (x, size, signed) => (signed ? BigInt.asIntN(size, x) : BigInt.asUintN(size, x)),
    operators: {
      "/": (a, b) => (b === 0n ? 0n : a / b),
      "&": (a, b) => a & b,
      "|": (a, b) => a | b,
      "^": (a, b) => a ^ b,
      "<<": (a, b) => (b < 0n || b > 62n ? 0n : a << b),
      ">>": (a, b) => a >> shiftBy(b),
      "<": bigFlag((d) => d < 0n),
      "<=": bigFlag((d) => d <= 0n),
      "==": bigFlag((d) => d === 0n),
      "&&": bigFlag((a, b) => a !== 0n && b !== 0n),
      "||": bigFlag((a, b) => a !== 0n || b !== 0n),
      "?:": (c, a, b) => (c !== 0n ? a : b),
      min: (a, b) => (a < b ? a : b),
      max: (a, b) => (a > b ? a : b),
      abs: (a) => (a < 0n ? -a : a),
      multiply_high: (a, b) => (a * b) >> 32n,
      reverse_bits: byWord(reversed),
      population_count: byWord(ones),
      leading_zeros: byWord(Math.clz32),
      first_set: byWord((x) => (x === 0 ? 0 : 32 - Math.clz32(x & -x))),
    },
  };

  // --- values: one number, or one for each row, for each thread, or for each thread of each row

  const ROWS = 1;
  const THREADS = 2;

  function product(values) {
    let rows = [[]];
    for (const numbers of values) {
      const longer = [];
      for (const row of rows) for (const number of numbers) longer.push([...row, number]);
      rows = longer;
    }
    return rows;
  }

  // How many iterations each row stands for: the numbers of some counters stand for several each.
  function weightsOf(model, values) {
    const weights = values === model.values ? new Map(model.weights) : new Map();
    return product(values.map(([node, numbers]) => weights.get(node) ?? numbers.map(() => 1)))
      .map((row) => row.reduce((all, weight) => all * weight, 1));
  }

  class Evaluation {
    constructor(model, block, symbols, values, ring) {
      this.model = model;
      this.block = block;
      this.ring = ring;
      this.symbols = symbols;
      this.values = values;
      this.columns = product(values.map(([, numbers]) => numbers));
      this.weights = weightsOf(model, values);
      this.rows = this.columns.length;
      this.threads = block[0] * block[1] * block[2];
      this.warps = Math.ceil(this.threads / LANES);
      this.cells = this.warps * LANES;
      this.choices = new Map(model.choices);
      this.known = new Map();
    }

    lift(f, operands) {
      const over = operands.reduce((all, value) => all | value.over, 0);
      const rows = over & ROWS ? this.rows : 1;
      const cells = over & THREADS ? this.cells : 1;
      const out = this.ring.array(rows * cells);
      const [a, b, c] = operands.map((value) => value.of);
      const [aRow, bRow, cRow] = operands.map(({ over: own }) => (own & ROWS ? (own & THREADS ? this.cells : 1) : 0));
      const [aCell, bCell, cCell] = operands.map(({ over: own }) => (own & THREADS ? 1 : 0));
      for (let row = 0, i = 0; row < rows; row++) {
        if (operands.length === 1) {
          for (let cell = 0; cell < cells; cell++, i++) out[i] = f(a[row * aRow + cell * aCell]);
        } else if (operands.length === 2) {
          for (let cell = 0; cell < cells; cell++, i++) out[i] = f(a[row * aRow + cell * aCell], b[row * bRow + cell * bCell]);
        } else {
          for (let cell = 0; cell < cells; cell++, i++) {
            out[i] = f(a[row * aRow + cell * aCell], b[row * bRow + cell * bCell], c[row * cRow + cell * cCell]);
          }
        }
      }
      return { over, of: out };
    }

    one(number) {
      return { over: 0, of: [this.ring.from(number)] };
    }

    node(number) {
      let value = this.known.get(number);
      if (value === undefined) {
        value = this.value(number, this.model.nodes[number]);
        this.known.set(number, value);
      }
      return value;
    }

    value(number, node) {
      switch (node[0]) {
        case "p": return this.polynomial(node[1]);
        case "t": return this.thread(node[1]);
        case "b": return this.one(this.block[node[1]]);
        case "c": return this.counter(number);
        case "s": return this.one(this.symbols.get(number) ?? 0);
        case "v": {
          const table = node[3].map(this.ring.from);
          return this.lift((row) => table[Math.min(Math.max(this.ring.index(row), 0), table.length - 1)], [this.node(node[2])]);
        }
        case "l": return this.laneTable(node);
      }
      const [, operator, size, signed, ...operands] = node;
      if (operator === "?:" && this.choices.has(operands[0])) {
        return this.node(this.choices.get(operands[0]) ? operands[1] : operands[2]);
      }
      const values = operands.map((operand) => this.node(operand));
      if (operator === "wrap") return this.lift((x) => this.ring.wrap(x, size, signed), values);
      const apply = this.ring.operators[operator];
      if (apply === undefined) throw new Fixed(`the operation ${operator} is not known to this page`);
      return this.lift(apply, values);
    }

    // Lanes that the last warp lacks stand where its last one does.
    thread(axis) {
      const [x, y] = this.block;
      const of = this.ring.array(this.cells);
      for (let lane = 0; lane < this.cells; lane++) {
        const linear = Math.min(lane, this.threads - 1);
        const place = axis === 0 ? linear % x : axis === 1 ? Math.floor(linear / x) % y : Math.floor(linear / (x * y));
        of[lane] = this.ring.from(place);
      }
      return { over: THREADS, of };
    }

    counter(number) {
      const column = this.values.findIndex(([node]) => node === number);
      if (column < 0) return this.one(this.symbols.get(number) ?? 0);
      return { over: ROWS, of: this.columns.map((row) => this.ring.from(row[column])) };
    }

    laneTable([, , place, warps, numbers]) {
      if (warps !== this.warps) throw new Fixed("a table of another block shape");
      const height = numbers.length / this.cells;
      const row = this.node(place);
      const lanes = { over: THREADS, of: Array.from({ length: this.cells }, (_, n) => n) };
      const clip = (n) => Math.min(Math.max(this.ring.index(n), 0), height - 1);
      return this.lift((n, lane) => this.ring.from(numbers[clip(n) * this.cells + lane]), [row, lanes]);
    }

    polynomial(terms) {
      let total = null;
      for (const [coefficient, monomial] of terms) {
        let term = coefficient === 1 && monomial.length ? null : this.one(coefficient);
        for (const [number, exponent] of monomial) {
          const factor = this.node(number);
          for (let n = 0; n < exponent; n++) term = term === null ? factor : this.lift(this.ring.times, [term, factor]);
        }
        total = total === null ? term : this.lift(this.ring.add, [total, term]);
      }
      return total ?? this.one(0);
    }

    at(value, row, cell) {
      const { over, of } = value;
      return of[(over & ROWS ? row : 0) * (over & THREADS ? this.cells : 1) + (over & THREADS ? cell : 0)];
    }

    holds(number) {
      const value = this.node(number);
      const out = new Uint8Array(this.rows * this.cells);
      for (let row = 0, i = 0; row < this.rows; row++) {
        for (let cell = 0; cell < this.cells; cell++, i++) out[i] = this.ring.holds(this.at(value, row, cell)) ? 1 : 0;
      }
      return out;
    }

    // Whether a condition held in the iterations that count (enumeration.Plan.follow); null where these are not all here.
    follow(holds, over) {
      const counts = this.values.map(([, numbers]) => numbers.length);
      for (const [counter, when] of over) {
        const axis = this.values.findIndex(([node]) => node === counter);
        if (axis < 0) {
          if (when === "before" && holds.includes(0)) return null;
          continue;
        }
        const inner = counts.slice(axis + 1).reduce((a, b) => a * b, this.cells);
        const length = counts[axis];
        const next = new Uint8Array(holds.length);
        for (let outer = 0; outer < holds.length; outer += inner * length) {
          for (let rest = 0; rest < inner; rest++) {
            let all = 1;
            for (let k = 0; k < length; k++) {
              const here = outer + k * inner + rest;
              if (when === "before") next[here] = all;
              all &= holds[here];
              if (when === "until") next[here] = all;
            }
            if (when === "ever") for (let k = 0; k < length; k++) next[outer + k * inner + rest] = all;
          }
        }
        holds = next;
      }
      return holds;
    }

    lanes() {
      const { rows, warps, cells } = this;
      const active = new Uint8Array(rows * cells);
      for (let i = 0; i < active.length; i++) {
        active[i] = i % cells < this.threads && i % LANES < this.model.lanes ? 1 : 0;
      }
      const failed = this.restrict(active, this.model.parts);
      if (this.model.combined) onlyFirst(active);
      const offsets = this.offsets(this.model.address);
      let other = null;
      if (this.model.other !== null) {
        other = { rows, warps, offsets: this.offsets(this.model.other), active: active.slice() };
        this.restrict(other.active, this.model.reading);
      }
      return { rows, warps, offsets, active, other, failed, columns: this.columns, weights: this.weights };
    }

    // Leaves the lanes that pass conditions; returns the texts of those that none passes.
    restrict(active, parts) {
      const failed = [];
      for (const part of parts) {
        const followed = this.follow(this.holds(part.node), part.over);
        if (followed === null) continue;
        let passed = 0;
        for (let i = 0; i < active.length; i++) passed += active[i] &= followed[i];
        if (passed === 0) failed.push(part.text);
      }
      return failed;
    }

    // Bytes as doubles. Large ones count from a multiple of 128 bytes, which changes neither sectors nor banks.
    offsets(number) {
      const value = this.node(number);
      const { rows, cells } = this;
      const out = new Float64Array(rows * cells);
      let base = null;
      for (let row = 0, i = 0; row < rows; row++) {
        for (let cell = 0; cell < cells; cell++, i++) {
          const offset = this.at(value, row, cell);
          if (typeof offset === "bigint") {
            const place = BigInt.asIntN(64, offset);
            base ??= place - (((place % 128n) + 128n) % 128n);
            out[i] = Number(place - base);
          } else out[i] = offset;
        }
      }
      return out;
    }
  }

  // The first active lane of each warp acts for all.
  function onlyFirst(active) {
    for (let warp = 0; warp < active.length; warp += LANES) {
      let seen = 0;
      for (let i = warp; i < warp + LANES; i++) {
        if (seen) active[i] = 0;
        seen |= active[i];
      }
    }
  }

  // The lanes of all warps at all rows: { rows, warps, offsets, active, other, failed, columns, weights }.
  function lanesOf(model, block, symbols = new Map(model.symbols), values = model.values) {
    try {
      return new Evaluation(model, block, symbols, values, NUMBERS).lanes();
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      return new Evaluation(model, block, symbols, values, BIG).lanes();
    }
  }

  // The lanes of the instruction that an access becomes: it begins `shift` bytes before the access as it is written, in
  // the iterations in which every lane is at a multiple of its width.
  function instructionLanes(access, lanes) {
    if (access.written_bytes === access.bytes) return lanes;
    const offsets = lanes.offsets.map((offset) => offset - access.shift);
    const active = lanes.active.slice();
    const cells = lanes.warps * LANES;
    for (let row = 0; row < active.length; row += cells) {
      let begins = true;
      for (let i = row; i < row + cells; i++) if (active[i] && offsets[i] % access.bytes) begins = false;
      if (!begins) active.fill(0, row, row + cells);
    }
    return { ...lanes, offsets, active };
  }

  // A model as the page's data spell it, ready to be evaluated.
  function ready(data, nodes) {
    if (data === null || data.nodes) return data;
    const values = data.values.map(([node, numbers]) =>
      [node, typeof numbers === "number" ? Array.from({ length: numbers }, (_, n) => n) : numbers]);
    return { ...data, nodes, values };
  }

  return { LANES, TooLarge, Fixed, NUMBERS, lanesOf, instructionLanes, ready };
})();

if (typeof module !== "undefined") module.exports = coalintModel;
