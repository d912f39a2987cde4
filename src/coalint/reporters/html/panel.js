// The map of an access with its controls: block shape, warp, iteration and every number that is not known.
"use strict";

const coalintPanel = (() => {
  const { h, prose, number, counted } = coalintDom;
  const MOST_THREADS = 1024;
  const AXIS_LIMITS = [1024, 1024, 64];

  let serial = 0;

  // The atoms of a kind that the model's expressions hold, by node; with `inside` those inside of operations alone.
  function atoms(model, kind, inside = false) {
    const nodes = new Map();
    const seen = new Set();
    const visit = (number, within = !inside) => {
      if (seen.has(`${number} ${within}`)) return;
      seen.add(`${number} ${within}`);
      const node = model.nodes[number];
      if (node[0] === kind && within) nodes.set(number, node);
      if (node[0] === "p") for (const [, monomial] of node[1]) for (const [inner] of monomial) visit(inner, within);
      if (node[0] === "o") node.slice(4).forEach((operand) => visit(operand, true));
      if (node[0] === "v" || node[0] === "l") visit(node[2], true);
    };
    visit(model.address);
    if (model.other !== null) visit(model.other);
    [...model.parts, ...model.reading].forEach((part) => visit(part.node));
    model.choices.forEach(([node]) => visit(node));
    return nodes;
  }

  function field(label, control) {
    control.id ||= `control-${++serial}`;
    return h("div", { class: "field" }, h("label", { for: control.id }, label), control);
  }

  // The panel as an element. `access` is one of the page's, `kernel` has its block shape.
  function panel(access, kernel, arch, nodes) {
    const model = coalintModel.ready(access.model, nodes);
    const unit = access.space === "global" ? "sector" : "wavefront";
    if (model === null) return fixed(access, unit);
    const state = fresh(access, kernel, model);
    const output = h("div", { class: "figures", role: "status" });
    const drawing = h("div", { class: "drawing", role: "group", tabindex: "0", "aria-label": "Map" });
    const said = h("div", { class: "said" });
    const place = h("div", { class: "fields" });
    const shape = h("div", { class: "fields" });
    const note = supposedText(access, model);
    const loose = new Map(); // fields of counters by their nodes: hidden where all that counts of them can be chosen
    const table = h("details", { class: "lanes", ontoggle: () => table.open && tabulate() }, h("summary", null, "Lane by lane, as a table"));

    function recompute() {
      said.replaceChildren();
      try {
        const own = state.block.every((extent, n) => extent === kernel.block[n]);
        const plan = own && (!state.changed || !model.free) ? { values: model.values, sampled: false } : planned(access, model, state);
        state.values = plan.values;
        state.lanes = coalintModel.instructionLanes(access, coalintModel.lanesOf(model, state.block, state.symbols, plan.values));
        state.mean = coalintTraffic.traffic(access, state.lanes, arch);
        if (state.changed && !model.free && atoms(model, "c").size) said.append(h("p", null, "The mean covers the iterations that were analysed."));
        if (plan.sampled) said.append(h("p", null, "The mean covers a sample of the iterations."));
      } catch (error) {
        if (!(error instanceof coalintModel.TooLarge || error instanceof coalintModel.Fixed)) throw error;
        state.lanes = null;
        output.replaceChildren(h("p", { class: "problem" }, `This cannot be computed: ${error.message || "the numbers are too large"}.`));
        drawing.replaceChildren();
        return;
      }
      placeControls();
      draw();
    }

    function draw() {
      const { lanes } = state;
      const row = rowOf(state);
      const warp = Math.min(state.warp, lanes.warps - 1);
      const now = coalintPicture.figures(access, lanes, arch, row, warp);
      drawing.replaceChildren(coalintPicture.picture(access, lanes, arch, row, warp, matchMedia("(max-width: 45rem)").matches));
      output.replaceChildren(...requestText(now, unit), meanText(state, unit));
      if (lanes.failed.length) {
        output.append(h("p", { class: "problem" }, "No lane passes ", prose(lanes.failed.map((text) => `\`${text}\``).join(", ")), " with these numbers."));
      }
      if (table.open) tabulate();
    }

    function tabulate() {
      const warp = Math.min(state.warp, state.lanes.warps - 1);
      table.replaceChildren(table.firstChild, laneTable(access, state, rowOf(state), warp, arch));
    }

    function placeControls() {
      const enumerated = new Set(state.values.map(([node]) => node));
      loose.forEach((element, node) => { element.hidden = enumerated.has(node); });
      const focused = document.activeElement && place.contains(document.activeElement) ? document.activeElement.name : "";
      state.warp = Math.min(state.warp, state.lanes.warps - 1);
      place.replaceChildren(
        chooser("warp", "warp", Array.from({ length: state.lanes.warps }, (_, n) => n), state.warp, (value) => { state.warp = value; draw(); }),
        ...state.values.map(([node, numbers], n) =>
          chooser(`counter-${n}`, counterName(model.nodes[node]), numbers, state.at.get(node) ?? numbers[0], (value) => { state.at.set(node, value); draw(); })));
      if (focused) place.querySelector(`[name="${focused}"]`)?.focus();
    }

    function shapeControls() {
      const extents = state.block.map((extent, axis) => {
        const input = h("input", {
          type: "number", name: `block-${"xyz"[axis]}`, min: 1, max: AXIS_LIMITS[axis], value: extent, required: true, disabled: !model.free,
          oninput: () => change(axis, input),
        });
        return field(`blockDim.${"xyz"[axis]}`, input);
      });
      const counters = [...atoms(model, "c")].filter(([, [, , , trips]]) => trips !== 1);
      const operands = atoms(model, "s", true); // the analysis writes operations on sizes as they are for no negative number
      const numbers = [...counters, ...atoms(model, "s")].map(([node, atom]) => {
        const counts = atom[0] === "c";
        const [low, high] = counts ? [0, atom[3] ? atom[3] - 1 : null] : [atom[3] ?? (operands.has(node) ? 0 : null), atom[4]];
        const input = h("input", {
          type: "number", step: 1, min: low, max: high, name: `number-${node}`, value: state.symbols.get(node) ?? 0, required: true,
          "aria-describedby": model.supposed.includes(node) ? note.id : null,
          oninput: () => {
            if (!input.checkValidity()) {
              input.setAttribute("aria-invalid", "true");
              said.replaceChildren(h("p", { class: "problem" }, `The map does not show this number. ${input.validationMessage}`));
              return;
            }
            input.removeAttribute("aria-invalid");
            const value = Number(input.value);
            state.symbols.set(node, Number.isSafeInteger(value) ? value : input.value);
            state.given.set(node, value);
            state.changed = true;
            recompute();
          },
        });
        const element = field(counts ? counterName(atom) : atom[2], input);
        if (counts) loose.set(node, element);
        return element;
      });
      shape.replaceChildren(...extents, ...numbers);
    }

    function change(axis, input) {
      const block = state.block.slice();
      block[axis] = Number(input.value);
      const threads = block[0] * block[1] * block[2];
      const wrong = !input.checkValidity() ? "" : threads > MOST_THREADS ? `A block has ${MOST_THREADS} threads at most.` : "";
      input.setCustomValidity("");
      if (!input.checkValidity() || wrong) {
        input.setCustomValidity(wrong);
        input.setAttribute("aria-invalid", "true");
        const limit = `blockDim.${"xyz"[axis]} is a whole number from 1 to ${AXIS_LIMITS[axis]}.`;
        said.replaceChildren(h("p", { class: "problem" }, `The map does not show this shape. ${wrong || limit}`));
        return;
      }
      shape.querySelectorAll("[aria-invalid]").forEach((other) => { other.removeAttribute("aria-invalid"); other.setCustomValidity(""); });
      state.block = block;
      recompute();
    }

    const reset = h("button", { type: "button", onclick: () => { Object.assign(state, fresh(access, kernel, model)); shapeControls(); recompute(); } },
      model.supposed.length ? "As supposed" : "As analysed");
    shapeControls();
    recompute();
    return h("div", { class: "panel" }, note,
      h("div", { class: "controls" }, shape, place, reset,
        !model.free && h("p", { class: "hint" }, "The block shape is fixed: the analysis followed this address for this shape only.")),
      output, said, drawing, basisText(access, model), table);
  }

  function fresh(access, kernel, model) {
    return { block: kernel.block.slice(), warp: 0, at: new Map(), symbols: new Map(model.symbols), given: new Map(model.symbols.filter(([node]) => model.supposed.includes(node))), changed: false, values: model.values, lanes: null, mean: null };
  }

  // What counts for the mean at the state's block shape, with the numbers that are given as far as they are exact.
  function planned(access, model, state) {
    const given = new Map([...state.given].filter(([, value]) => Number.isSafeInteger(value)));
    try {
      return coalintPlan.valuesFor(model, state.block, access.space, given);
    } catch (error) {
      if (!(error instanceof coalintModel.TooLarge)) throw error;
      return coalintPlan.valuesFor(model, state.block, access.space);
    }
  }

  // What the analysis says of an access for which numbers are supposed.
  function supposedText(access, model) {
    if (!model.supposed.length) return null;
    const numbers = new Map(model.symbols);
    const names = new Map(model.supposed.map((node) => [model.nodes[node][2], numbers.get(node)]));
    return h("div", { class: "supposed", id: `note-${++serial}` },
      access.unknown ? h("p", null, "Not known: ", prose(access.unknown), ".") : null,
      access.count !== null ? h("p", null, `For a general number the analysis counts ${number(access.count)} (ideal: ${number(access.ideal)}).`) : null,
      [...names].map(([name, value]) => h("p", null, prose(`\`${name}\``), ` has no number: ${value} is supposed`, h("span", { class: "offer" }, "; change it here"), ".")));
  }

  const counterName = ([, , name]) => (name.startsWith("blockIdx") ? name : `iteration of ${name}`);

  function rowOf(state) {
    const row = state.lanes.columns.findIndex((column) =>
      state.values.every(([node, numbers], n) => column[n] === (numbers.includes(state.at.get(node)) ? state.at.get(node) : numbers[0])));
    return Math.max(0, row);
  }

  function chooser(name, label, numbers, chosen, choose) {
    const select = h("select", { name, onchange: () => choose(numbers[select.selectedIndex]) },
      numbers.map((value) => h("option", { selected: value === chosen }, String(value))));
    return field(`${label} (${numbers.length})`, select);
  }

  function requestText(now, unit) {
    if (now.count === null) {
      return [h("p", { class: "request" }, now.active ? "The cost of this request is not known." : "No lane of this warp is active.")];
    }
    const facts = [
      h("span", { class: "big", "data-count": now.count }, counted(now.count, unit)),
      h("span", { "data-ideal": now.ideal }, ` (ideal: ${number(now.ideal)})`),
      h("span", null, ` · ${counted(now.active, "active lane")}`),
      h("span", null, ` · efficiency ${Math.round(now.efficiency * 100)} %`),
    ];
    if (now.ways !== null) facts.push(h("span", null, ` · ${number(now.ways)}-way`));
    if (now.bytesMoved) facts.push(h("span", null, ` · ${now.bytesUsed} of ${now.bytesMoved} bytes used`));
    return [h("p", { class: "request" }, "This request: ", facts)];
  }

  function meanText(state, unit) {
    const { mean } = state;
    if (mean === null) return h("p", { class: "mean" }, "There is no mean: no request is made, or its cost is not known.");
    const requests = mean.requests === 1 ? "its one request" : `${mean.requests} requests`;
    return h("p", { class: "mean", "data-mean": mean.count, "data-mean-ideal": mean.ideal },
      `Mean over ${requests} of the block: ${counted(mean.count, unit)} (ideal: ${number(mean.ideal)})`);
  }

  function basisText(access, model) {
    const taken = [...model.taken.map((text) => `\`${text}\` is taken to hold`), ...access.assumed];
    if (!taken.length) return null;
    return h("details", { class: "basis" }, h("summary", null, `What this rests on (${taken.length})`),
      h("ul", null, taken.map((text) => h("li", null, prose(text)))));
  }

  function laneTable(access, state, row, warp, arch) {
    const active = new Map(coalintTraffic.activeLanes(state.lanes, row, warp));
    const [x, y] = state.block;
    const threads = state.block[0] * state.block[1] * state.block[2];
    const rows = Array.from({ length: 32 }, (_, lane) => {
      const linear = warp * 32 + lane;
      const thread = linear < threads ? `(${linear % x}, ${Math.floor(linear / x) % y}, ${Math.floor(linear / (x * y))})` : "—";
      const offset = active.get(lane);
      const pieces = offset === undefined ? [] : coalintTraffic.piecesOf(offset, access.bytes, access.space === "global" ? arch.sector_bytes : arch.bank_bytes);
      const where = access.space === "global" ? pieces : pieces.map((word) => `${word - Math.floor(word / arch.banks) * arch.banks}: ${word}`);
      return h("tr", null, [lane, thread, offset ?? "—", where.join(", ") || "—"].map((text) => h("td", null, String(text))));
    });
    const heads = ["lane", "thread (x, y, z)", "byte", access.space === "global" ? "sectors" : "banks: words"];
    return h("table", null, h("thead", null, h("tr", null, heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", null, rows));
  }

  // What is said of an access that the page cannot compute anew.
  function fixed(access, unit) {
    const known = access.count !== null
      ? h("p", { class: "request" }, h("span", { class: "big" }, `${number(access.count)} ${unit}s`), ` per request in the mean (ideal: ${number(access.ideal)})`)
      : h("p", { class: "request" }, access.unknown ? ["Unknown: ", prose(access.unknown)] : "No lane makes this access.");
    const why = access.count === null ? null
      : h("p", { class: "problem" }, "This page cannot recompute it: ", prose(access.why || "its addresses are not known as expressions"), ".");
    return h("div", { class: "panel" }, known, why, access.assumed.length ? basisText(access, { taken: [] }) : null);
  }

  return { panel };
})();
