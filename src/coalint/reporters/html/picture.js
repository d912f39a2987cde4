// The picture of one request: 32 lanes against sectors and lines (global), or banks and words by phase (shared).
"use strict";

const coalintPicture = (() => {
  const { s, number, counted } = coalintDom;
  const LANES = 32;
  const WIDE = { cell: 22, left: 118 };
  const COMPACT = { cell: 8, left: 72 };  // for a phone: cells without text
  const ROW = 16;        // low enough for 32 rows to fit a dialog
  const TOP = 62;
  const MOST_ROWS = 64;

  let compact = false;  // of the picture that is being made
  let CELL = WIDE.cell;
  let LEFT = WIDE.left;

  const mod = (a, b) => a - Math.floor(a / b) * b;

  // Lanes as few words: 0–3, 7
  function ranges(lanes) {
    const runs = [];
    for (const lane of [...lanes].sort((a, b) => a - b)) {
      const last = runs[runs.length - 1];
      if (last && last[1] === lane - 1) last[1] = lane;
      else runs.push([lane, lane]);
    }
    return runs.map(([a, b]) => (a === b ? String(a) : `${a}–${b}`)).join(", ");
  }

  const short = (lanes) => {
    if (lanes.length === LANES) return "all";
    const text = ranges(lanes);
    return text.length <= 3 ? text : `×${lanes.length}`;
  };

  function laneRow(active) {
    const here = new Set(active.map(([lane]) => lane));
    const cells = Array.from({ length: LANES }, (_, lane) =>
      s("g", { class: here.has(lane) ? "lane" : "lane idle", style: `--lane:${lane}` },
        s("rect", { x: LEFT + lane * CELL, y: 22, width: compact ? CELL - 1 : CELL - 2, height: 20, rx: compact ? 1 : 3 }),
        s("text", { x: LEFT + lane * CELL + CELL / 2 - 1, y: 36, "text-anchor": "middle" }, compact && lane % 4 ? "" : String(lane))));
    return [s("text", { x: LEFT - 8, y: 36, "text-anchor": "end" }, "lanes"), ...cells];
  }

  // One word or part of one, with the lanes that use it.
  function wordCell(column, y, lanes, begin, end, tip) {
    const x = LEFT + column * CELL;
    return s("g", { class: "lane", style: `--lane:${lanes[0]}` },
      s("title", null, tip),
      s("rect", { x: x + (begin / 4) * CELL + 0.5, y: y + 0.5, width: Math.max(2, ((end - begin) / 4) * CELL - 1), height: ROW - 4 }),
      compact ? null : s("text", { x: x + CELL / 2, y: y + 10.5, "text-anchor": "middle" }, short(lanes)));
  }

  // --- global memory

  function linesOf(active, bytes, arch) {
    const lines = new Map();
    for (const [lane, offset] of active) {
      for (const word of coalintTraffic.piecesOf(offset, bytes, 4)) {
        const line = Math.floor((word * 4) / arch.line_bytes);
        if (!lines.has(line)) lines.set(line, new Map());
        const words = lines.get(line);
        if (!words.has(word)) words.set(word, { lanes: [], begin: 4, end: 0 });
        const use = words.get(word);
        use.lanes.push(lane);
        use.begin = Math.min(use.begin, Math.max(0, offset - word * 4));
        use.end = Math.max(use.end, Math.min(4, offset + bytes - word * 4));
      }
    }
    return [...lines].sort(([a], [b]) => a - b);
  }

  function globalRows(access, active, arch) {
    const lines = linesOf(active, access.bytes, arch);
    const perLine = arch.line_bytes / 4;
    const sectorWords = arch.sector_bytes / 4;
    const base = lines.length ? lines[0][0] : 0;
    return lines.map(([line, words], n) => {
      const y = TOP + n * ROW;
      const touched = new Set([...words.keys()].map((word) => Math.floor(mod(word, perLine) / sectorWords)));
      const granule = access.op === "load" ? arch.load_granularity_bytes : arch.store_granularity_bytes;
      const whole = granule > arch.sector_bytes;
      const sectors = Array.from({ length: perLine / sectorWords }, (_, k) =>
        s("rect", {
          class: touched.has(k) || whole ? "sector moved" : "sector",
          x: LEFT + k * sectorWords * CELL, y, width: sectorWords * CELL, height: ROW - 3,
        }));
      const cells = [...words].map(([word, use]) =>
        wordCell(mod(word, perLine), y, use.lanes, use.begin, use.end,
          `bytes ${word * 4 + use.begin} to ${word * 4 + use.end - 1}: lane ${ranges(use.lanes)}`));
      const label = n === 0 ? "line 0" : `+${(line - base) * arch.line_bytes} B`;
      return s("g", null, s("text", { x: LEFT - 8, y: y + 10.5, "text-anchor": "end" }, label), sectors, cells);
    });
  }

  // --- shared memory

  // Wavefronts as rows of banks: [{ label, banks: Map(bank -> { word, lanes }) }]
  function wavefronts(access, active, other, arch, service) {
    if (service === "bypass") return copied(access, active, other, arch);
    const rows = [];
    const takesTurns = arch.turn_wavefronts[service] !== undefined || service === "copy";
    const phases = takesTurns
      ? coalintTraffic.stretches(active, coalintTraffic.phaseLanes(access.bytes, arch)).map((part, n, all) =>
          ({ lanes: part, first: (n * LANES) / all.length, last: ((n + 1) * LANES) / all.length - 1 }))
      : coalintTraffic.phases(active, access.bytes, coalintTraffic.isLoad(access, service), arch);
    phases.forEach((phase, n) => {
      const queues = new Map();
      if (takesTurns) {
        const at = new Map(phase.lanes);
        for (const [bank, lanes] of coalintTraffic.lanesByBank(phase.lanes, arch)) {
          queues.set(bank, lanes.map((lane) => ({ word: Math.floor(at.get(lane) / arch.bank_bytes), lanes: [lane] })));
        }
      } else {
        for (const [bank, words] of phase.banks) queues.set(bank, [...words].map(([word, lanes]) => ({ word, lanes })));
      }
      const depth = Math.max(0, ...[...queues.values()].map((queue) => queue.length));
      for (let turn = 0; turn < depth; turn++) {
        const banks = new Map();
        for (const [bank, queue] of queues) if (turn < queue.length) banks.set(bank, queue[turn]);
        const words = [phases.length > 1 ? `phase ${n + 1}` : "", depth > 1 || phases.length === 1 ? `wavefront ${turn + 1}` : ""];
        const label = words.filter(Boolean).join(", ");
        rows.push({ label, banks, late: turn > 0, tip: `lanes ${phase.first} to ${phase.last}` });
      }
    });
    return rows;
  }

  // Those of a copy past L1, which goes by lines.
  function copied(access, active, other, arch) {
    return coalintTraffic.servedTogether(other, active).map((served, n) => {
      const banks = new Map();
      for (const [lane, offset] of served) {
        for (let word = Math.floor(offset / arch.bank_bytes); word * arch.bank_bytes < offset + access.bytes; word++) {
          banks.set(mod(word, arch.banks), { word, lanes: [lane] });
        }
      }
      const tip = `lanes ${ranges(served.map(([lane]) => lane).sort((a, b) => a - b))}`;
      return { label: `wavefront ${n + 1}`, banks, late: false, tip };
    });
  }

  function sharedRows(access, active, other, arch, service) {
    return wavefronts(access, active, other, arch, service).map(({ label, banks, late, tip }, n) => {
      const y = TOP + n * ROW;
      const row = s("rect", { class: late ? "banks late" : "banks", x: LEFT, y, width: arch.banks * CELL, height: ROW - 3 });
      const cells = [...banks].map(([bank, { word, lanes }]) =>
        wordCell(bank, y, lanes, 0, 4, `bank ${bank}, word ${word}: lane ${ranges(lanes)}`));
      return s("g", null, s("title", null, tip), s("text", { x: LEFT - 8, y: y + 10.5, "text-anchor": "end" }, label), row, cells);
    });
  }

  // The request of one warp at one row of the lanes, as an svg element; a narrow one has no text in its cells.
  function picture(access, lanes, arch, row, warp, narrow = false) {
    compact = narrow;
    ({ cell: CELL, left: LEFT } = narrow ? COMPACT : WIDE);
    const service = coalintTraffic.serviceOf(access, lanes);
    const active = coalintTraffic.activeLanes(lanes, row, warp);
    const isGlobal = access.space === "global";
    const other = lanes.other === null ? null : coalintTraffic.activeLanes(lanes.other, row, warp);
    const rows = isGlobal ? globalRows(access, active, arch) : sharedRows(access, active, other, arch, service);
    const shown = rows.slice(0, MOST_ROWS);
    const height = TOP + Math.max(1, shown.length) * ROW + (rows.length > shown.length ? ROW : 6);
    const width = LEFT + LANES * CELL + 8;
    const heads = isGlobal
      ? Array.from({ length: arch.line_bytes / arch.sector_bytes }, (_, k) =>
          s("text", { class: "head", x: LEFT + (k + 0.5) * (arch.sector_bytes / 4) * CELL, y: TOP - 6, "text-anchor": "middle" }, `sector ${k}`))
      : Array.from({ length: arch.banks }, (_, k) =>
          s("text", { class: "head", x: LEFT + (k + 0.5) * CELL, y: TOP - 6, "text-anchor": "middle" }, compact && k % 4 ? "" : String(k)));
    const what = isGlobal ? counted(rows.length, "line") : `${counted(rows.length, "row")} of banks`;
    const label = `${counted(active.length, "active lane")} against ${what}`;
    return s("svg", { class: narrow ? "picture compact" : "picture", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
      s("text", { class: "head", x: LEFT - 8, y: TOP - 6, "text-anchor": "end" }, isGlobal ? (narrow ? "128 B each" : "128 bytes each") : "banks"),
      laneRow(active), heads, shown,
      rows.length > shown.length
        ? s("text", { x: LEFT, y: height - 6 }, `and ${counted(rows.length - shown.length, "row")} more`)
        : null);
  }

  // What the request comes to, in words and numbers.
  function figures(access, lanes, arch, row, warp) {
    const service = coalintTraffic.serviceOf(access, lanes);
    const active = coalintTraffic.activeLanes(lanes, row, warp);
    const cost = coalintTraffic.request(access, lanes, arch, row, warp, service);
    const used = new Set();
    for (const [, offset] of active) for (let byte = 0; byte < access.bytes; byte++) used.add(offset + byte);
    const isGlobal = access.space === "global";
    const moved = cost && isGlobal ? cost.count * arch.sector_bytes : 0;
    return {
      active: active.length,
      count: cost && cost.count,
      ideal: cost && cost.ideal,
      bytesUsed: used.size,
      bytesMoved: moved,
      efficiency: cost === null ? null : isGlobal ? used.size / moved : Math.min(1, cost.ideal / cost.count),
      ways: isGlobal || cost === null ? null : coalintTraffic.ways(access, active, arch, service),
    };
  }

  return { picture, figures, ranges };
})();
