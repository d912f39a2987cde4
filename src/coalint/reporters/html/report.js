// The page of a report: overview, findings and sources, with filters that hold for all three.
"use strict";

(() => {
  const { h, prose, number, counted } = coalintDom;
  const data = JSON.parse(document.getElementById("data").textContent);
  const CHUNK = 60;
  const SEVERITIES = ["error", "warning", "info"];
  const byId = (id) => document.getElementById(id);

  const grouped = (items, key) => {
    const groups = new Map();
    for (const item of items) {
      const name = key(item);
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(item);
    }
    return groups;
  };
  const accesses = data.kernels.flatMap((kernel) => kernel.accesses.map((access) => ({ access, kernel })));
  const findingsOf = grouped(data.findings, (finding) => finding.file);
  const accessesOf = grouped(accesses, ({ access }) => access.file);
  const accessAt = grouped(accesses, ({ access }) => `${access.file}:${access.line}:${access.column}`);
  for (const finding of data.findings) {
    finding.text = [finding.file, finding.kernel, finding.code, finding.name, finding.message, finding.help].join("\n").toLowerCase();
  }

  // --- filters

  const filter = { severities: new Set(SEVERITIES), rule: "", words: [] };
  const passes = (finding) => filter.severities.has(finding.severity) && (!filter.rule || finding.code === filter.rule)
    && filter.words.every((word) => finding.text.includes(word));
  const isFiltered = () => filter.severities.size < SEVERITIES.length || filter.rule || filter.words.length;

  function filters() {
    const rules = [...grouped(data.findings, (finding) => finding.code)].sort(([a], [b]) => (a < b ? -1 : 1));
    let waiting = 0;
    const later = () => { clearTimeout(waiting); waiting = setTimeout(update, 120); };
    byId("filters").replaceChildren(
      h("label", null, "Text ", h("input", { type: "search", id: "text", placeholder: "file, kernel or words", oninput: (event) => {
        filter.words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
        later();
      } })),
      h("label", null, "Rule ", h("select", { id: "rule", onchange: (event) => { filter.rule = event.target.value; update(); } },
        h("option", { value: "" }, "all"),
        rules.map(([code, members]) => h("option", { value: code }, `${code} ${members[0].name} (${members.length})`)))),
      h("fieldset", null, h("legend", null, "Severity"), SEVERITIES.map((severity) =>
        h("label", { class: severity }, h("input", { type: "checkbox", name: severity, checked: true, onchange: (event) => {
          filter.severities[event.target.checked ? "add" : "delete"](severity);
          update();
        } }), ` ${severity} (${data.findings.filter((finding) => finding.severity === severity).length})`))),
      h("label", null, "Order ", h("select", { id: "order", onchange: update },
        ["worst first", "by place", "by rule"].map((name) => h("option", null, name)))));
    byId("clear").addEventListener("click", () => {
      Object.assign(filter, { severities: new Set(SEVERITIES), rule: "", words: [] });
      byId("text").value = byId("rule").value = "";
      SEVERITIES.forEach((severity) => { document.querySelector(`[name=${severity}]`).checked = true; });
      update();
      byId("text").focus();
    });
  }

  // --- the list of findings, written piece by piece

  const rank = (finding) => SEVERITIES.indexOf(finding.severity);
  const byPlace = (a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column);
  const orders = {
    "worst first": (a, b) => rank(a) - rank(b) || b.excess - a.excess || byPlace(a, b),
    "by place": byPlace,
    "by rule": (a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : byPlace(a, b)),
  };

  function entry(finding) {
    const items = accessAt.get(`${finding.file}:${finding.line}:${finding.column}`);
    return h("li", { class: `entry ${finding.severity}` },
      h("p", { class: "message" }, h("strong", null, finding.severity), " ", prose(finding.message)),
      h("p", { class: "meta" },
        h("a", { href: `#${coalintSources.place(finding.file, finding.line)}` }, `${finding.file}:${finding.line}`),
        ` · ${finding.code} ${finding.name}`, finding.kernel ? ` · kernel ${finding.kernel}` : null, ` · confidence ${finding.confidence} `,
        items ? h("button", { type: "button", class: "small", "aria-haspopup": "dialog", onclick: () => open(items) }, "Map") : null),
      coalintSources.details(finding, data.rules, finding === list.items[0]));
  }

  class Chunks {
    constructor(list, make) {
      Object.assign(this, { list, make, items: [], shown: 0 });
      this.more = h("button", { type: "button", class: "more", onclick: () => this.grow() }, "");
      list.after(this.more);
      new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && this.grow(), { rootMargin: "600px" }).observe(this.more);
    }

    set(items) {
      this.items = items;
      this.shown = 0;
      this.list.replaceChildren();
      this.grow();
    }

    grow(count = CHUNK) {
      this.list.append(...this.items.slice(this.shown, this.shown + count).map(this.make));
      this.shown = Math.min(this.items.length, this.shown + count);
      this.more.hidden = this.shown >= this.items.length;
      this.more.textContent = counted(this.items.length - this.shown, "more entry", "more entries");
    }
  }

  // --- overview

  const columns = [
    ["file", "File", (row) => row.file], ["kernel", "Kernel", (row) => row.name], ["block", "Block", (row) => row.block],
    ["accesses", "Accesses", (row) => row.accesses], ["unknown", "Unknown", (row) => row.unknown],
    ["worst", "Worst access", (row) => row.worst], ["excess", "Excess", (row) => row.excess],
    ["executed", "Executed", (row) => row.executed], ["moved", "Launch excess", (row) => row.moved], ...SEVERITIES.map((severity) => [severity, severity[0].toUpperCase() + severity.slice(1), (row) => row[severity]]),
  ];
  const order = { key: "excess", down: true };
  const EXCESS = "Sectors and wavefronts beyond the ideal: the sum over the kernel's accesses, one request each";
  const TITLES = {
    excess: EXCESS,
    executed: "Memory instructions that the warps of one launch execute; of several launches, the one that executes most",
    moved: "Sectors and wavefronts of that launch beyond the ideal",
  };
  let mostExecuted = 1;
  let mostMoved = 1;
  let allKernels = false;
  let largestExcess = 1;

  function overviewRows() {
    const byKernel = grouped(data.findings.filter(passes), (finding) => `${finding.file}\n${finding.kernel}`);
    const rows = [...grouped(data.kernels, (kernel) => `${kernel.file}\n${kernel.name}`)].map(([key, kernels]) => {
      const of = kernels.flatMap((kernel) => kernel.accesses);
      const own = byKernel.get(key) ?? [];
      const launch = coalintSources.launch(kernels.flatMap((kernel) => kernel.accesses.map((access) => ({ access, kernel }))));
      byKernel.delete(key);
      return {
        file: kernels[0].file, line: kernels[0].line, name: kernels[0].name, own,
        block: [...new Set(kernels.map((kernel) => coalintDom.shape(kernel.block)))].join(", "),
        accesses: of.length, unknown: of.filter((access) => access.unknown !== null).length,
        worst: Math.max(0, ...of.map((access) => (access.count === null ? 0 : Math.max(1, access.count / access.ideal)))),
        excess: coalintSources.excess(of.map((access) => ({ access }))),
        executed: launch?.executed ?? 0, moved: launch?.excess ?? 0, open: launch?.open ?? 0,
      };
    });
    for (const own of byKernel.values()) {
      rows.push({ file: own[0].file, line: own[0].line, name: own[0].kernel ?? "(no kernel)", own, block: "", accesses: 0, unknown: 0, worst: 0, excess: 0, executed: 0, moved: 0, open: 0 });
    }
    for (const row of rows) for (const severity of SEVERITIES) row[severity] = row.own.filter((finding) => finding.severity === severity).length;
    const value = columns.find(([key]) => key === order.key)[2];
    const sign = order.down ? -1 : 1;
    const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    largestExcess = Math.max(1, ...rows.map((row) => row.excess));
    mostExecuted = Math.max(1, ...rows.map((row) => row.executed));
    mostMoved = Math.max(1, ...rows.map((row) => row.moved));
    const dull = rows.filter((row) => !row.own.length && !row.excess).length;
    byId("all-kernels").hidden = isFiltered() || !dull || dull === rows.length;
    byId("all-kernels").textContent = allKernels ? "Hide kernels without findings or excess" : counted(dull, "more kernel") + " without findings or excess";
    const folded = !allKernels && dull < rows.length;
    return rows.filter((row) => (isFiltered() ? row.own.length : !folded || row.own.length || row.excess))
      .sort((a, b) => sign * compare(value(a), value(b)) || compare(a.file, b.file) || a.line - b.line);
  }

  function overviewHead() {
    byId("overview-head").replaceChildren(...columns.map(([key, name]) =>
      h("th", { scope: "col", title: TITLES[key] ?? null, "aria-sort": order.key === key ? (order.down ? "descending" : "ascending") : "none" },
        h("button", { type: "button", "data-column": key, onclick: () => {
          order.down = order.key === key ? !order.down : !["file", "kernel", "block"].includes(key);
          order.key = key;
          overviewHead();
          update();
          byId("overview-head").querySelector(`[data-column="${key}"]`).focus();
        } }, name))));
  }

  // A sum over a launch; where a part of it is open, it is what is known at least.
  const launched = (row, value) => (row.open ? (value ? `≥ ${coalintSources.whole(value)}` : "open") : coalintSources.whole(value));

  const overviewRow = (row) => h("tr", null,
    h("td", null, row.file), h("td", null, h("a", { href: `#${coalintSources.place(row.file, row.line)}` }, row.name)), h("td", { class: "shape" }, row.block),
    h("td", { class: "n" }, String(row.accesses)), h("td", { class: "n" }, String(row.unknown)),
    h("td", { class: "n" }, row.worst > 1.001 ? `${number(row.worst)} × ideal` : row.worst ? "ideal" : "—"),
    h("td", { class: "n bars" }, number(row.excess), coalintSources.bar(row.excess, largestExcess)),
    h("td", { class: "n bars" }, launched(row, row.executed), coalintSources.bar(row.executed, mostExecuted, "executed")),
    h("td", { class: "n bars" }, launched(row, row.moved), coalintSources.bar(row.moved, mostMoved)),
    SEVERITIES.map((severity) => h("td", { class: `n ${row[severity] ? severity : ""}` }, String(row[severity]))));

  // --- the map

  const dialog = byId("map");

  function open(items) {
    const body = h("div", { class: "map-body" });
    const show = ({ access, kernel }) => body.replaceChildren(
      h("p", { class: "meta" }, `${access.file}:${access.line} · kernel ${kernel.name}${kernel.template_arguments.length ? `<${kernel.template_arguments.join(", ")}>` : ""} · ${kernel.basis} · ${kernel.arch}`),
      h("p", { class: "meta" }, `${access.op} of ${counted(access.written_bytes, "byte")} per lane, ${access.space} memory${access.written_bytes < access.bytes ? `, merged by nvcc into ${counted(access.bytes, "byte")}` : ""} · stride ${access.stride}`, access.good_if.map((text) => [" · ", ...prose(text)])),
      coalintPanel.panel(access, kernel, data.architectures[kernel.arch], data.nodes));
    const choice = items.length > 1
      ? h("label", null, "At ", h("select", { name: "instance", onchange: (event) => show(items[event.target.selectedIndex]) },
          items.map(({ access, kernel }, n) => h("option", null, `${n + 1}: ${kernel.name} ${coalintDom.shape(kernel.block)} ${access.count === null ? "unknown" : `${number(access.count)}/${number(access.ideal)}`}`))))
      : null;
    dialog.replaceChildren(
      h("form", { method: "dialog", class: "map-head" }, h("h2", { id: "map-title" }, items[0].access.expression), choice, h("button", { value: "close" }, "Close")),
      body);
    show(items[0]);
    dialog.showModal();
  }

  // --- the sources

  const files = new Map();
  const whenNear = new IntersectionObserver((seen) => {
    for (const one of seen) if (one.isIntersecting && one.target.open) files.get(one.target.dataset.file).write();
  }, { rootMargin: `${coalintSources.NEAR}px` });

  function sources() {
    const byLine = (items, line) => grouped(items, line);
    const excessOf = (name) => Math.max(0, ...[...byLine(accessesOf.get(name) ?? [], ({ access }) => access.line).values()].map(coalintSources.excess));
    const largest = Math.max(1, ...Object.keys(data.sources).map(excessOf));
    const most = Math.max(1, ...[...grouped(accesses, ({ access }) => `${access.file}:${access.line}`).values()]
      .map((items) => coalintSources.launch(items)?.executed ?? 0));
    const hasFindings = (name) => Number(findingsOf.has(name));
    const named = Object.entries(data.sources).sort(([a], [b]) => hasFindings(b) - hasFindings(a) || (a < b ? -1 : 1));
    for (const [name, lines] of named) {
      const file = new coalintSources.File(name, lines,
        byLine(accessesOf.get(name) ?? [], ({ access }) => access.line), byLine(findingsOf.get(name) ?? [], (finding) => finding.line),
        data.kernels.filter((kernel) => kernel.file === name), open, passes, data.rules);
      file.largest = largest;
      file.most = most;
      file.element.dataset.file = name;
      files.set(name, file);
      byId("sources").append(file.element);
      whenNear.observe(file.element);
    }
  }

  function goTo(hash) {
    const match = /^#(.*):(\d+)$/.exec(hash);
    const name = match && decodeURIComponent(match[1]);
    if (!files.has(name)) return;
    files.get(name).element.hidden = false;
    files.get(name).element.open = true;
    files.get(name).write();
    const line = byId(`${match[1]}:${match[2]}`);
    if (line === null) return;
    document.querySelectorAll(".line.here").forEach((other) => other.classList.remove("here"));
    line.classList.add("here");
    line.scrollIntoView({ block: "center" });
    line.tabIndex = -1;
    line.focus({ preventScroll: true });
  }

  // --- all of it

  let overview;
  let list;

  function update() {
    overview.set(overviewRows());
    const shown = data.findings.filter(passes).sort(orders[byId("order").value]);
    list.set(shown);
    byId("count").textContent = isFiltered() ? `${shown.length} of ${data.findings.length}` : String(shown.length);
    byId("nothing").hidden = shown.length > 0 || !isFiltered();
    files.forEach((file) => file.rewrite(Boolean(isFiltered())));
  }

  function summary() {
    const counts = SEVERITIES.map((severity) => [severity, data.findings.filter((finding) => finding.severity === severity).length]);
    const c = data.coverage;
    byId("summary").replaceChildren(
      ...counts.filter(([, count]) => count).map(([severity, count]) => h("span", { class: `count ${severity}` }, counted(count, severity))),
      data.findings.length ? "" : h("span", { class: "count" }, "no findings"),
      h("span", null, `${counted(data.files, "file")}, ${c.analysed} of ${counted(c.kernels, "kernel")} analysed, ${counted(c.accesses, "access", "accesses")}: ${c.exact} exact, ${c.symbolic} symbolic, ${c.unknown} unknown`),
      data.hidden ? h("span", null, `${counted(data.hidden, "finding")} hidden by comments, the baseline or the choice of changes`) : "");
    byId("failures").replaceChildren(...data.failures.map((text) => h("li", null, text)));
  }

  summary();
  filters();
  byId("overview").append(h("button", { type: "button", id: "all-kernels", class: "small", hidden: true, onclick: () => { allKernels = !allKernels; update(); } }, ""));
  overviewHead();
  overview = new Chunks(byId("overview-body"), overviewRow, byId("overview"));
  list = new Chunks(byId("list"), entry);
  sources();
  update();
  byId("overview-body").closest("table").after(overview.more);
  addEventListener("hashchange", () => goTo(location.hash));
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='#']");
    if (link && link.hash === location.hash) goTo(link.hash);
  });
  addEventListener("beforeprint", () => {
    if (!dialog.open) { // else the map is printed by itself
      overview.grow(overview.items.length);
      list.grow(list.items.length);
      files.forEach((file) => { if (file.findings.size) file.element.open = true; });
      files.forEach((file) => { if (file.element.open) file.write(); });
    }
    for (const details of document.querySelectorAll(".entry > details:not([open]), .basis:not([open])")) {
      details.open = true;
      details.classList.add("for-print");
    }
  });
  addEventListener("afterprint", () => {
    for (const details of document.querySelectorAll(".for-print")) {
      details.open = false;
      details.classList.remove("for-print");
    }
  });
  document.body.classList.remove("empty");
  if (location.hash) goTo(location.hash);
})();
