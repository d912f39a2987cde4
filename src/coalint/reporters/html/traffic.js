// What lanes cost in the page: sectors of global memory, wavefronts of shared memory, each beside its ideal.
// A port of coalint.machine (sectors, banks, copies, traffic); sizes and rules of the architecture come as data.
"use strict";

const coalintTraffic = (() => {
  const LANES = 32;
  const CHUNK = 16;

  const floorDiv = (a, b) => Math.floor(a / b);
  const mod = (a, b) => a - Math.floor(a / b) * b;

  // The active lanes of one warp: [lane, offset] pairs.
  function activeLanes(lanes, row, warp) {
    const begin = (row * lanes.warps + warp) * LANES;
    const pairs = [];
    for (let lane = 0; lane < LANES; lane++) if (lanes.active[begin + lane]) pairs.push([lane, lanes.offsets[begin + lane]]);
    return pairs;
  }

  const phaseLanes = (bytes, arch) => arch.phase_lanes[bytes] ?? LANES;

  function piecesOf(offset, bytes, size) {
    const pieces = [];
    const last = floorDiv(offset + bytes - 1, size);
    for (let piece = floorDiv(offset, size); piece <= last; piece++) pieces.push(piece);
    return pieces;
  }

  function sectorCount(active, bytes, granule) {
    const seen = new Set();
    for (const [, offset] of active) for (const piece of piecesOf(offset, bytes, granule)) seen.add(piece);
    return seen.size;
  }

  // The words that each bank is asked for by some lanes: a map from bank to a map from word to lanes.
  function wordsByBank(active, bytes, arch) {
    const banks = new Map();
    for (const [lane, offset] of active) {
      for (const word of piecesOf(offset, bytes, arch.bank_bytes)) {
        const bank = mod(word, arch.banks);
        if (!banks.has(bank)) banks.set(bank, new Map());
        const words = banks.get(bank);
        if (!words.has(word)) words.set(word, []);
        words.get(word).push(lane);
      }
    }
    return banks;
  }

  const deepest = (banks) => Math.max(0, ...[...banks.values()].map((words) => words.size));

  function stretches(active, width) {
    const parts = [];
    for (let first = 0; first < LANES; first += width) {
      parts.push(active.filter(([lane]) => lane >= first && lane < first + width));
    }
    return parts;
  }

  // Whether two phases are served as one: paired lanes agree on their address and nothing conflicts.
  function merges(part, bytes, arch) {
    const at = new Map(part);
    const agree = [1, 2].some((distance) =>
      part.every(([lane, offset]) => !at.has(lane ^ distance) || at.get(lane ^ distance) === offset));
    return agree && deepest(wordsByBank(part, bytes, arch)) <= 1;
  }

  // The phases of a load or store: each a list of active lanes, with the banks that they ask.
  function phases(active, bytes, load, arch) {
    const width = phaseLanes(bytes, arch);
    const single = (part) => ({ lanes: part, banks: wordsByBank(part, bytes, arch) });
    if (!(load && bytes > 4 && arch.merges_paired_loads)) {
      return stretches(active, width).map((part, n) => ({ first: n * width, last: (n + 1) * width - 1, ...single(part) }));
    }
    const served = [];
    stretches(active, 2 * width).forEach((pair, n) => {
      const first = 2 * width * n;
      if (merges(pair, bytes, arch)) {
        served.push({ first, last: first + 2 * width - 1, merged: true, ...single(pair) });
        return;
      }
      for (const [begin, end] of [[first, first + width], [first + width, first + 2 * width]]) {
        const part = pair.filter(([lane]) => lane >= begin && lane < end);
        served.push({ first: begin, last: end - 1, ...single(part) });
      }
    });
    return served;
  }

  const wavefrontCount = (active, bytes, load, arch) =>
    phases(active, bytes, load, arch).reduce((sum, phase) => sum + deepest(phase.banks), 0);

  // Lanes that meet in a bank one after the other, of the same word or not.
  function lanesByBank(part, arch) {
    const banks = new Map();
    for (const [lane, offset] of part) {
      const bank = mod(floorDiv(offset, arch.bank_bytes), arch.banks);
      if (!banks.has(bank)) banks.set(bank, []);
      banks.get(bank).push(lane);
    }
    return banks;
  }

  const longest = (banks) => Math.max(0, ...[...banks.values()].map((lanes) => lanes.length));
  const turns = (active, bytes, arch) =>
    stretches(active, phaseLanes(bytes, arch)).map((part) => longest(lanesByBank(part, arch)));
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

  const idealSectors = (active, bytes, granule) => Math.ceil((active.length * bytes) / granule);
  const idealWavefronts = (active, bytes, arch) =>
    Math.ceil((active.length * Math.max(bytes, arch.bank_bytes)) / (arch.banks * arch.bank_bytes));

  // --- asynchronous copies (machine/copies.py)

  const sharesTargets = (target) => new Set(target.map(([, offset]) => offset)).size < target.length;

  function copyWavefronts(source, target, bytes, arch) {
    if (sharesTargets(target)) return null;
    const read = turns(source, bytes, arch);
    const written = turns(target, bytes, arch);
    if (read.some((n, i) => Math.min(n, written[i]) > 1)) return null;
    return sum(read.map((n, i) => Math.max(n, written[i])));
  }

  function chunks(source, target) {
    const written = new Map(target);
    return source.map(([lane, offset]) => [floorDiv(offset, CHUNK), floorDiv(written.get(lane), CHUNK)]);
  }

  // From sector to sector, with its halves in place or exchanged.
  const piece = ([a, b]) => `${floorDiv(a, 2)},${floorDiv(b, 2)},${mod(a, 2) ^ mod(b, 2)}`;

  function pieces(pairs) {
    const halves = new Map();
    for (const pair of pairs) halves.set(piece(pair), (halves.get(piece(pair)) ?? 0) | (1 << mod(pair[0], 2)));
    return halves;
  }

  function bypassSectors(source, target) {
    return sharesTargets(target) ? null : pieces(chunks(source, target)).size;
  }

  // The lanes of the target by the wavefronts that serve them: those that change place alike and are the same halves.
  function servedTogether(source, target) {
    const pairs = chunks(source, target);
    const halves = pieces(pairs);
    const written = new Map(target);
    const byKind = new Map();
    pairs.forEach(([a, b], n) => {
      const kind = [floorDiv(a, 8), floorDiv(b, 8), mod(a, 4) ^ mod(b, 4), halves.get(piece([a, b]))].join();
      if (!byKind.has(kind)) byKind.set(kind, []);
      byKind.get(kind).push([source[n][0], written.get(source[n][0])]);
    });
    return [...byKind.values()];
  }

  function bypassWavefronts(source, target) {
    const once = new Set(chunks(source, target).map(([a, b]) => `${a},${floorDiv(b, 8)}`));
    return sharesTargets(target) || once.size < source.length ? null : servedTogether(source, target).length;
  }

  // --- one request

  // How the lanes are served; nvcc lets one stand for all where the active ones of the whole block meet at one address.
  function serviceOf(access, lanes) {
    if (!access.model) return access.service;
    if (!access.model.folds) return access.model.service;
    let first = null;
    for (let i = 0; i < lanes.active.length; i++) {
      if (!lanes.active[i]) continue;
      first ??= lanes.offsets[i];
      if (lanes.offsets[i] !== first) return access.model.service;
    }
    return "plain";
  }

  // What one warp's request costs: { count, ideal }; null where no lane is active, or where no law is known.
  function request(access, lanes, arch, row, warp, service = serviceOf(access, lanes)) {
    const active = activeLanes(lanes, row, warp);
    const { bytes } = access;
    if (!active.length) return null;
    const other = lanes.other === null ? null : activeLanes(lanes.other, row, warp);
    const costed = (count, ideal) => (count === null ? null : { count, ideal });
    if (access.space === "global") {
      if (service === "bypass") return costed(bypassSectors(active, other), idealSectors(active, bytes, arch.sector_bytes));
      const granule = access.op === "load" ? arch.load_granularity_bytes : arch.store_granularity_bytes;
      const each = granule / arch.sector_bytes;
      return { count: each * sectorCount(active, bytes, granule), ideal: each * idealSectors(active, bytes, granule) };
    }
    const ideal = idealWavefronts(active, bytes, arch);
    if (service === "bypass") return costed(bypassWavefronts(other, active), ideal);
    if (service === "copy") return costed(copyWavefronts(other, active, bytes, arch), ideal);
    const each = arch.turn_wavefronts[service];
    if (each !== undefined) return { count: each * sum(turns(active, bytes, arch)), ideal: each * ideal };
    const count = wavefrontCount(active, bytes, isLoad(access, service), arch);
    return { count, ideal: Math.min(ideal, count) };
  }

  // Rows of a matrix are loads of 16 bytes, but two phases are never served as one.
  const isLoad = (access, service) => access.op === "load" && service !== "rows";

  function patternOf(active, other, arch) {
    let text = "";
    for (const end of [active, other]) {
      if (!end?.length) continue;
      const base = floorDiv(end[0][1], arch.line_bytes) * arch.line_bytes;
      for (const [lane, offset] of end) text += `${lane}:${offset - base} `;
    }
    return text;
  }

  // The mean over the requests of all rows and warps that have an active lane; null where there are none, or no law.
  function traffic(access, lanes, arch) {
    const service = serviceOf(access, lanes);
    const known = new Map(); // most iterations walk the same pattern, whole lines further on
    let requests = 0;
    let count = 0;
    let ideal = 0;
    for (let row = 0; row < lanes.rows; row++) {
      for (let warp = 0; warp < lanes.warps; warp++) {
        const active = activeLanes(lanes, row, warp);
        if (!active.length) continue;
        const pattern = patternOf(active, lanes.other && activeLanes(lanes.other, row, warp), arch);
        let cost = known.get(pattern);
        if (cost === undefined) {
          cost = request(access, lanes, arch, row, warp, service);
          known.set(pattern, cost);
        }
        if (cost === null) return null;
        const times = lanes.weights[row];
        requests += times;
        count += times * cost.count;
        ideal += times * cost.ideal;
      }
    }
    return requests ? { count: count / requests, ideal: ideal / requests, requests } : null;
  }

  // The most that one phase asks of one bank: words, or lanes where these take turns.
  function ways(access, active, arch, service) {
    if (arch.turn_wavefronts[service] !== undefined) return Math.max(0, ...turns(active, access.bytes, arch));
    return Math.max(0, ...stretches(active, phaseLanes(access.bytes, arch)).map((part) => deepest(wordsByBank(part, access.bytes, arch))));
  }

  return {
    activeLanes, piecesOf, phases, phaseLanes, stretches, wordsByBank, lanesByBank, deepest, turns, isLoad, serviceOf, request, traffic, ways,
    servedTogether,
  };
})();

if (typeof module !== "undefined") module.exports = coalintTraffic;
