// The study page: four accesses with sliders, their pictures, and measured curves beside what the counts let expect.
"use strict";

(() => {
  const { h, s, number, counted } = coalintDom;
  const data = JSON.parse(document.getElementById("data").textContent);
  const arch = data.architecture;
  const byId = (id) => document.getElementById(id);

  // An access of accesses.cu, by its kernel and how it begins.
  function accessOf(kernel, expression, op = "load") {
    const found = data.accesses.find((one) => one.kernel === kernel && one.access.op === op && one.access.expression.startsWith(expression));
    return { ...found.access, block: found.block };
  }

  const ready = (access) => coalintModel.ready(access.model, data.nodes);

  // The node of a number that is not known, by its name.
  function symbol(model, name) {
    return model.symbols.map(([node]) => node).find((node) => model.nodes[node][2] === name);
  }

  function lanesOf(access, block, numbers) {
    const model = ready(access);
    const symbols = new Map(model.symbols);
    for (const [name, value] of Object.entries(numbers)) symbols.set(symbol(model, name), value);
    return coalintModel.lanesOf(model, block, symbols, []);
  }

  const costOf = (access, block, numbers) => coalintTraffic.traffic(access, lanesOf(access, block, numbers), arch);

  // --- a chart: points joined by lines, y by the power of two

  const WIDTH = 640;
  const HEIGHT = 260;
  const FRAME = { left: 56, top: 16, right: 12, bottom: 44 };

  const same = (values) => values.map((value) => [value, value]);

  function chart(name, xs, ticks, series, unit, marker) {
    const values = series.flatMap(({ points }) => points.map(([, y]) => y));
    const low = Math.floor(Math.log2(Math.min(...values)) + 1e-9);
    const high = Math.max(low + 1, Math.ceil(Math.log2(Math.max(...values)) - 1e-9));
    const x = (value) => FRAME.left + ((value - xs[0]) / (xs[1] - xs[0])) * (WIDTH - FRAME.left - FRAME.right);
    const y = (value) => FRAME.top + ((high - Math.log2(value)) / (high - low)) * (HEIGHT - FRAME.top - FRAME.bottom);
    const levels = Array.from({ length: high - low + 1 }, (_, n) => 2 ** (low + n));
    const bottom = HEIGHT - FRAME.bottom;
    const drawn = s("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${name}, as the table below has it` },
      levels.map((level) => [
        s("line", { class: "grid", x1: FRAME.left, x2: WIDTH - FRAME.right, y1: y(level), y2: y(level) }),
        s("text", { x: FRAME.left - 6, y: y(level) + 4, "text-anchor": "end" }, `${level >= 1 ? number(level) : `1/${number(1 / level)}`}${unit}`),
      ]),
      ticks.map(([at, text]) => s("text", { x: x(at), y: bottom + 18, "text-anchor": "middle" }, String(text))),
      s("text", { class: "head", x: (FRAME.left + WIDTH) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, name),
      marker === null ? null : s("line", { class: "marker", x1: x(marker), x2: x(marker), y1: FRAME.top, y2: bottom }),
      series.map(({ kind, points }) => [
        s("polyline", { class: `line-${kind}`, points: points.map(([a, b]) => `${x(a)},${y(b)}`).join(" ") }),
        kind === "model" ? null : points.map(([a, b]) => s("circle", { class: `dot-${kind}`, cx: x(a), cy: y(b), r: 3 })),
      ]));
    const legend = h("p", { class: "legend" }, series.map(({ kind, label }) => [h("span", { class: `key key-${kind}`, "aria-hidden": "true" }), ` ${label}  `]));
    const rows = [...new Set(series.flatMap(({ points }) => points.map(([a]) => a)))].sort((a, b) => a - b);
    const cell = (points, at) => { const found = points.find(([a]) => a === at); return found ? number(found[1]) : "—"; };
    const table = h("details", null, h("summary", null, "The numbers"), h("div", { class: "scroll" }, h("table", null,
      h("thead", null, h("tr", null, h("th", { scope: "col" }, name), series.map(({ label }) => h("th", { scope: "col" }, label)))),
      h("tbody", null, rows.map((at) => h("tr", null, h("td", null, String(ticks.find(([tick]) => tick === at)?.[1] ?? at)), series.map(({ points }) => h("td", null, cell(points, at)))))))));
    return [drawn, legend, table];
  }

  // --- a section: controls, numbers, pictures, a chart

  function slider(label, min, max, value, changed) {
    const shown = h("output", null, String(value));
    const input = h("input", { type: "range", min, max, value, id: `slider-${label.replace(/\W+/g, "-")}`, oninput: () => { shown.textContent = input.value; changed(Number(input.value)); } });
    return h("div", { class: "field" }, h("label", { for: input.id }, label, " ", shown), input);
  }

  function choice(label, options, value, changed) {
    const input = h("select", { id: `choice-${label.replace(/\W+/g, "-")}`, onchange: () => changed(input.value) },
      options.map(([key, words]) => h("option", { value: key, selected: key === value }, words)));
    return h("div", { class: "field" }, h("label", { for: input.id }, label), input);
  }

  function show(place, items) {
    byId(place).replaceChildren(...items.flatMap(({ title, access, lanes, warp }) => {
      const now = coalintPicture.figures(access, lanes, arch, 0, warp);
      const unit = access.space === "global" ? "sector" : "wavefront";
      return [
        h("p", { class: "request" }, `${title}: `, h("span", { class: "big", "data-count": now.count }, counted(now.count, unit)),
          ` (ideal: ${number(now.ideal)}) · efficiency ${Math.round(now.efficiency * 100)} %`, now.ways === null ? "" : ` · ${now.ways}-way`),
        h("div", { class: "drawing" }, coalintPicture.picture(access, lanes, arch, 0, warp, matchMedia("(max-width: 45rem)").matches)),
      ];
    }));
  }

  // --- stride

  function stride() {
    const access = accessOf("strided", "in[");
    const measured = (from) => {
      const points = data.curves.stride.filter((point) => point.from === from);
      const first = points.find((point) => point.stride === 1).ms;
      return points.map((point) => [point.stride, first / point.ms]);
    };
    const strides = Array.from({ length: 32 }, (_, n) => n + 1);
    const predicted = strides.map((n) => { const cost = costOf(access, [32, 1, 1], { stride: n }); return [n, cost.ideal / cost.count]; });
    const update = (n) => {
      show("stride-picture", [{ title: `in[${n} * i]`, access, lanes: lanesOf(access, [32, 1, 1], { stride: n }), warp: 0 }]);
      byId("stride-chart").replaceChildren(...chart("stride in floats", [1, 32], same([1, 4, 8, 12, 16, 20, 24, 28, 32]), [
        { kind: "model", label: "by sectors (predicted)", points: predicted },
        { kind: "a", label: "out of DRAM (measured)", points: measured("dram") },
        { kind: "b", label: "out of L2 (measured)", points: measured("l2") },
      ], "", n));
    };
    byId("stride-controls").append(slider("Stride in floats", 1, 32, 2, update));
    update(2);
  }

  // --- records

  function records() {
    const aos = accessOf("records", "in[");
    const soa = accessOf("fields", "in[");
    const time = (layout, bytes, used) => data.curves.records.find((p) => p.layout === layout && p.record_bytes === bytes && p.used === used).ms;
    const sizes = [...new Set(data.curves.records.map((point) => point.record_bytes))].sort((a, b) => a - b);
    const ratio = (used) => sizes.map((bytes) => [bytes / 4, time("aos", bytes, used) / time("soa", bytes, used)]);
    const predicted = Array.from({ length: 8 }, (_, n) => [n + 1, costOf(aos, [32, 1, 1], { fields: n + 1 }).count / costOf(soa, [32, 1, 1], {}).count]);
    const update = (fields) => {
      show("records-picture", [
        { title: `One field of an array of structs of ${counted(fields, "float")}`, access: aos, lanes: lanesOf(aos, [32, 1, 1], { fields }), warp: 0 },
        { title: "The same field of a struct of arrays", access: soa, lanes: lanesOf(soa, [32, 1, 1], {}), warp: 0 },
      ]);
      byId("records-chart").replaceChildren(...chart("floats in a record", [1, 8], same([1, 2, 3, 4, 5, 6, 7, 8]), [
        { kind: "model", label: "sectors, array of structs over struct of arrays (predicted)", points: predicted },
        { kind: "a", label: "time, where one field is needed (measured)", points: ratio("one") },
        { kind: "b", label: "time, where all fields are needed (measured)", points: ratio("all") },
      ], "×", fields));
    };
    byId("records-controls").append(slider("Floats in a record", 1, 8, 4, update));
    update(4);
  }

  // --- tiles

  function tiles() {
    const state = { layout: "32", walk: "column" };
    const names = data.pitches.map((pitch) => [String(pitch), pitch === 32 ? "float tile[32][32]" : `padded: tile[32][${pitch}]`]);
    const layouts = [...names, ["xor", "swizzled: tile[y][x ^ y]"]];
    const at = (layout, walk) => layout === "xor"
      ? accessOf("swizzled", "s[", walk === "column" ? "load" : "store")
      : accessOf(`tile<${layout}>`, "s[", walk === "column" ? "load" : "store");
    const ns = data.curves.conflicts.map((point) => [point.ways, (point.ms / point.loads) * 1e6]);
    const slope = (ns[ns.length - 1][1] - ns[0][1]) / (ns[ns.length - 1][0] - ns[0][0]);
    const predicted = ns.map(([ways]) => [ways, ns[0][1] + slope * (ways - 1)]);
    const update = () => {
      const access = at(state.layout, state.walk);
      const lanes = lanesOf(access, access.block, {});
      show("tiles-picture", [{ title: access.expression, access, lanes, warp: 0 }]);
      const now = coalintPicture.figures(access, lanes, arch, 0, 0);
      byId("tiles-chart").replaceChildren(...chart("wavefronts of a load", [1, 32], same([1, 4, 8, 12, 16, 20, 24, 28, 32]), [
        { kind: "model", label: `${number(slope)} ns for each further wavefront`, points: predicted },
        { kind: "a", label: "time of a load with so many ways (measured)", points: ns },
      ], " ns", now.count));
    };
    byId("tiles-controls").append(
      choice("Layout", layouts, state.layout, (value) => { state.layout = value; update(); }),
      choice("A warp walks", [["column", "a column (load)"], ["row", "a row (store)"]], state.walk, (value) => { state.walk = value; update(); }));
    update();
  }

  // --- block shapes

  function shapes() {
    const access = accessOf("rows", "image[");
    const state = { x: 32, pitch: 100 };
    const update = () => {
      const block = [state.x, 256 / state.x, 1];
      show("shapes-picture", [{ title: `${block[0]}×${block[1]} threads, image[y * ${state.pitch} + x], warp 1`, access, lanes: lanesOf(access, block, { pitch: state.pitch }), warp: 1 }]);
      const widths = [4, 8, 16, 32, 64, 128, 256];
      const points = widths.map((x) => { const cost = costOf(access, [x, 256 / x, 1], { pitch: state.pitch }); return [Math.log2(x), cost.count]; });
      byId("shapes-chart").replaceChildren(...chart("width of the block, at 256 threads", [2, 8], widths.map((x) => [Math.log2(x), x]), [
        { kind: "model", label: `mean sectors per request at a pitch of ${state.pitch} floats (predicted)`, points },
      ], "", Math.log2(state.x)));
    };
    byId("shapes-controls").append(
      choice("Block of 256 threads", [4, 8, 16, 32, 64, 128, 256].map((x) => [String(x), `${x}×${256 / x}`]), "32", (value) => { state.x = Number(value); update(); }),
      slider("Pitch in floats", 32, 132, 100, (value) => { state.pitch = value; update(); }));
    update();
  }

  stride();
  records();
  tiles();
  shapes();
})();
