// Which iterations and blocks count for the mean at another block shape: a port of analysis/enumeration.py and
// periods.py, on expressions in which blockDim is a number, and so is what a number is given for.
"use strict";

const coalintPlan = ((model) => {
  const SECTOR = 32;
  const BANK = 4;
  const LINE = 128;
  const MAX_COMBINATIONS = 1024;
  const MAX_CELLS = 2 ** 20;
  const MAX_PERIOD = 256;
  const MAX_MULTIPLE = 2 ** 20;
  const MAX_TRIPS = 1024;

  const gcd = (a, b) => (b ? gcd(b, a % b) : Math.abs(a));
  const lcm = (a, b) => (a / gcd(a, b)) * b;

  // The expressions of a model with numbers for blockDim and for given nodes: every node a polynomial, as a map from a key of its monomial
  // (nodes with exponents) to a coefficient; what is no polynomial is a node of its own.
  class Bound {
    constructor(source, block, given) {
      this.source = source;
      this.block = block;
      this.given = given;
      this.polynomials = new Map();
      this.reach = new Map();
      this.constants = new Map();
    }

    // [[coefficient, [[node, exponent], ...]], ...] of a node
    terms(number) {
      let terms = this.polynomials.get(number);
      if (terms !== undefined) return terms;
      const node = this.source.nodes[number];
      if (node[0] !== "p") {
        const value = this.constant(number);
        terms = value === null ? [[1, [[number, 1]]]] : value === 0 ? [] : [[value, []]];
      } else {
        const sums = new Map();
        for (const [coefficient, monomial] of node[1]) {
          let factor = model.NUMBERS.from(coefficient);
          const rest = [];
          for (const [inner, exponent] of monomial) {
            const value = this.constant(inner);
            if (value === null) rest.push([inner, exponent]);
            else factor = model.NUMBERS.times(factor, value ** exponent);
          }
          const key = JSON.stringify(rest);
          sums.set(key, [model.NUMBERS.add(sums.get(key)?.[0] ?? 0, factor), rest]);
        }
        terms = [...sums.values()].filter(([coefficient]) => coefficient !== 0);
      }
      this.polynomials.set(number, terms);
      return terms;
    }

    number(node) {
      const terms = this.terms(node);
      return terms.length === 0 ? 0 : terms.length === 1 && terms[0][1].length === 0 ? terms[0][0] : null;
    }

    // The number that an indeterminate has: blockDim, a thread index of which there is one, an operation on numbers.
    constant(number) {
      if (this.constants.has(number)) return this.constants.get(number);
      const node = this.source.nodes[number];
      let value = null;
      if (node[0] === "b") value = this.block[node[1]];
      else if (node[0] === "s") value = this.given.get(number) ?? null;
      else if (node[0] === "t" && this.block[node[1]] === 1) value = 0;
      else if (node[0] === "c" && node[3] === 1) value = 0;
      else if (node[0] === "o") {
        const operands = node.slice(4).map((operand) => this.number(operand));
        if (operands.every((operand) => operand !== null)) {
          value = node[1] === "wrap"
            ? model.NUMBERS.wrap(operands[0], node[2], node[3])
            : model.NUMBERS.operators[node[1]](...operands);
        }
      }
      this.constants.set(number, value);
      return value;
    }

    operands(number) {
      const node = this.source.nodes[number];
      return node[0] === "o" ? node.slice(4) : node[0] === "v" || node[0] === "l" ? [node[2]] : [];
    }

    // The indeterminates that a node depends on, through operands too.
    closure(number) {
      let reached = this.reach.get(number);
      if (reached === undefined) {
        reached = new Set();
        for (const [, monomial] of this.terms(number)) {
          for (const [inner] of monomial) {
            reached.add(inner);
            for (const operand of this.operands(inner)) for (const deep of this.closure(operand)) reached.add(deep);
          }
        }
        this.reach.set(number, reached);
      }
      return reached;
    }

    kind(number) {
      return this.source.nodes[number][0];
    }

    counters(number) {
      return [...this.closure(number)].filter((inner) => this.kind(inner) === "c");
    }

    isThreads(number) {
      return ["t", "l"].includes(this.kind(number))
        || this.operands(number).some((operand) => [...this.closure(operand)].some((inner) => ["t", "l"].includes(this.kind(inner))));
    }
  }

  // --- periods

  // After how many values of a counter the pattern comes back, where their number is not known; null if it does not.
  function period(bound, address, counter, granularity) {
    let multiple = granularity;
    for (const atom of bound.closure(address)) {
      const node = bound.source.nodes[atom];
      if (node[0] === "o" && ["/", ">>", "&", "|", "^"].includes(node[1]) && inside(bound, atom, counter)) {
        const scale = scaleOf(bound, atom);
        multiple = scale ? lcm(multiple, scale) : MAX_MULTIPLE + 1;
        if (multiple > MAX_MULTIPLE) return null;
      }
    }
    for (let candidate = 1; candidate <= Math.min(multiple, MAX_PERIOD); candidate++) {
      if (multiple % candidate === 0 && comesBack(bound, address, counter, candidate, granularity)) return candidate;
    }
    return null;
  }

  const inside = (bound, atom, counter) => bound.operands(atom).some((operand) => bound.closure(operand).has(counter));

  function comesBack(bound, address, counter, by, granularity) {
    let total = 0;
    for (const [coefficient, monomial] of bound.terms(address)) {
      if (!monomial.some(([atom]) => atom === counter || inside(bound, atom, counter))) continue;
      if (monomial.length === 1 && monomial[0][1] === 1) {
        const change = changeOf(bound, monomial[0][0], counter, by);
        if (change === null) return false;
        total += coefficient * change;
      } else if (monomial.every(([atom]) => bound.kind(atom) === "c")) {
        if ((coefficient * by) % granularity) return false;
      } else if (monomial.some(([atom]) => bound.isThreads(atom))) return false;
    }
    return total % granularity === 0;
  }

  function change(bound, value, counter, by) {
    let total = 0;
    for (const [coefficient, monomial] of bound.terms(value)) {
      if (!monomial.some(([atom]) => atom === counter || inside(bound, atom, counter))) continue;
      const moved = monomial.length === 1 && monomial[0][1] === 1 ? changeOf(bound, monomial[0][0], counter, by) : null;
      if (moved === null) return null;
      total += coefficient * moved;
    }
    return total;
  }

  function changeOf(bound, atom, counter, by) {
    if (atom === counter) return by;
    const node = bound.source.nodes[atom];
    if (node[0] !== "o") return null;
    const [, operator, bits] = node;
    const operands = bound.operands(atom);
    if (["==", "<", "<="].includes(operator)) return change(bound, operands[0], counter, by) === 0 ? 0 : null;
    if (operator === "wrap") return bits >= 32 ? change(bound, operands[0], counter, by) : null;
    const scale = scaleOf(bound, atom);
    if (!scale) return null;
    const moves = operands.map((operand) => change(bound, operand, counter, by));
    const moved = moves.find((one) => one !== 0);
    if (moved === undefined) return 0;
    if (moved === null || moved % scale) return null;
    return operator === "/" || operator === ">>" ? moved / scale : operator === "&" ? 0 : moved;
  }

  function scaleOf(bound, atom) {
    const operands = bound.operands(atom);
    if (operands.length !== 2) return 0;
    const [left, right] = operands.map((operand) => bound.number(operand));
    const operator = bound.source.nodes[atom][1];
    if (operator === "/" || operator === ">>") {
      if (right === null || right <= 0 || (operator === ">>" && right > 20)) return 0;
      return operator === "/" ? right : 2 ** right;
    }
    const mask = left ?? right;
    return ["&", "|", "^"].includes(operator) && mask !== null && mask >= 0 ? 2 ** mask.toString(2).length : 0;
  }

  // --- which counters count

  // How often a loop runs at most, where a condition on threads and counters alone ends it; null where none does.
  // The number of blocks is the launch's, whatever a guard makes of those beyond a bound.
  function tripsBy(bound, source, counter) {
    if (source.nodes[counter][2].startsWith("blockIdx.")) return null;
    for (const part of source.parts) {
      const inside = bound.closure(part.node);
      if (!inside.has(counter)) continue;
      const others = [...inside].filter((atom) => atom !== counter && bound.kind(atom) === "c");
      const open = [...inside].some((atom) => !["t", "o", "c"].includes(bound.kind(atom)));
      if (open || others.some((other) => source.nodes[other][3] === null)) continue;
      const ends = others.map((other) => [other, [...new Set([0, source.nodes[other][3] - 1])]]);
      const alone = { ...source, parts: [], address: part.node, other: null };
      for (const most of [32, MAX_TRIPS]) {
        const last = lastIteration(alone, bound, [counter, Array.from({ length: most + 1 }, (_, n) => n)], ends);
        if (last < most) return Math.max(1, last + 1); // of a loop that is not entered, the condition says so
      }
    }
    return null;
  }

  // The last of the counter's numbers at which any thread passes a condition; -1 for none.
  function lastIteration(alone, { block, given }, [counter, numbers], ends) {
    const { rows, warps, offsets, active } = model.lanesOf(alone, block, given, [[counter, numbers], ...ends]);
    const cells = warps * model.LANES;
    let last = -1;
    for (let row = 0; row < rows; row++) {
      for (let cell = 0; cell < cells; cell++) {
        if (active[cell] && offsets[row * cells + cell] !== 0) {
          last = Math.floor(row / (rows / numbers.length));
          break;
        }
      }
    }
    return last;
  }

  // The numbers of each counter over which the mean is taken at a block shape: [[node, numbers], ...]. `given` are numbers
  // for nodes that the source gives none; a counter among them has that number in place of all.
  function valuesFor(source, block, space, given = new Map()) {
    const bound = new Bound(source, block, given);
    const granularity = source.other !== null ? LINE : space === "global" ? SECTOR : BANK;
    const addresses = [source.address, ...(source.other === null ? [] : [source.other])];
    const linear = new Map();
    const entangled = new Set();
    for (const address of addresses) {
      for (const [coefficient, monomial] of bound.terms(address)) {
        const alone = monomial.length === 1 && monomial[0][1] === 1;
        for (const [atom] of monomial) {
          if (bound.kind(atom) === "c") {
            const others = monomial.map(([other]) => other);
            if (alone) linear.set(atom, gcd(gcd(linear.get(atom) ?? 0, coefficient), granularity));
            else if (others.some((other) => bound.isThreads(other)) || others.every((other) => bound.kind(other) === "c")) {
              entangled.add(atom);
            }
          } else if (bound.operands(atom).length) {
            const uniform = !bound.isThreads(atom) && bound.kind(atom) === "o";
            if (!uniform || alone) for (const operand of bound.operands(atom)) bound.counters(operand).forEach((c) => entangled.add(c));
          }
        }
      }
    }
    for (const part of source.parts) {
      const before = part.over.filter(([, when]) => when === "before").map(([node]) => node);
      const atoms = [...bound.closure(part.node), ...before];
      if (atoms.some((atom) => bound.kind(atom) === "t") || atoms.every((atom) => ["c", "o", "v", "l"].includes(bound.kind(atom)))) {
        atoms.filter((atom) => bound.kind(atom) === "c").forEach((atom) => entangled.add(atom));
      }
    }
    const chosen = [...new Set([...entangled, ...linear.keys()])].sort((a, b) => source.nodes[a][1] - source.nodes[b][1]);
    const ranges = new Map();
    const residues = new Set();
    for (const counter of chosen) {
      const trips = source.nodes[counter][3] ?? tripsBy(bound, source, counter);
      if (trips === null && given.has(counter)) continue;
      if (trips === null) {
        const repeats = addresses.map((address) => period(bound, address, counter, granularity));
        if (repeats.every((repeat) => repeat !== null)) {
          const common = repeats.reduce(lcm);
          if (common > 1) {
            ranges.set(counter, common);
            residues.add(counter);
          }
        }
        continue;
      }
      const repeat = granularity / gcd(linear.get(counter) ?? 0, granularity);
      if (entangled.has(counter)) ranges.set(counter, trips);
      else if (repeat > 1) ranges.set(counter, trips <= 4 * SECTOR || trips % repeat ? trips : repeat);
    }
    const cells = Math.ceil((block[0] * block[1] * block[2]) / model.LANES) * model.LANES;
    const limit = Math.max(1, Math.min(MAX_COMBINATIONS, Math.floor(MAX_CELLS / cells)));
    const counts = new Map(ranges);
    let sampled = false;
    while ([...counts.values()].reduce((a, b) => a * b, 1) > limit) {
      let largest = null;
      for (const [counter, count] of counts) if (largest === null || count > counts.get(largest)) largest = counter;
      counts.set(largest, Math.max(1, Math.floor(counts.get(largest) / 2)));
      sampled = true;
    }
    const wraps = addresses.some((address) =>
      [...bound.closure(address)].some((atom) => bound.kind(atom) === "o" && source.nodes[atom][1] === "wrap"));
    const values = [...counts].map(([counter, count]) => {
      const range = ranges.get(counter);
      const numbers = count < range ? spread(range - 1, count) : Array.from({ length: range }, (_, n) => n);
      return [counter, wraps && residues.has(counter) ? numbers.map((n) => n + 64 * range) : numbers];
    });
    return { values, sampled };
  }

  function spread(last, count) {
    const step = last / (count - 1);
    const numbers = Array.from({ length: count }, (_, n) => (n === 0 ? 0 : n === count - 1 ? last : Math.floor(n * step)));
    return [...new Set(numbers)];
  }

  return { valuesFor };
})(typeof module !== "undefined" ? require("./model.js") : coalintModel);

if (typeof module !== "undefined") module.exports = coalintPlan;
