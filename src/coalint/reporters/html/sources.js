// The sources with their accesses in the margin and the findings at their lines, written as they come into view.
"use strict";

const coalintSources = (() => {
  const { h, prose, number } = coalintDom;
  const AROUND = 3;      // lines shown above and below what is said
  const FEWEST = 8;      // lines that are folded together at least

  // How far the count is above its ideal, in six steps.
  function heat(access) {
    if (access.count === null) return "unknown";
    const ratio = access.ideal ? access.count / access.ideal : 1;
    return [1.001, 1.5, 2, 4, 8].findIndex((most) => ratio <= most) + 1 || 6;
  }

  const unitOf = (access) => (access.space === "global" ? "sector" : "wavefront");
  const shortOp = { load: "ld", store: "st", atomic: "at" };

  // Accesses of one place that are the same instruction of the source, at whatever block shape and template arguments.
  function groupsOf(accesses) {
    const groups = new Map();
    for (const item of accesses) {
      const { column, op, space, bytes } = item.access;
      const key = [column, op, space, bytes].join();
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(item);
    }
    const excess = ({ access }) => (access.count === null ? -1 : access.count - access.ideal);
    return [...groups.values()].map((items) => items.sort((a, b) => excess(b) - excess(a)));
  }

  function words(access) {
    const unit = unitOf(access);
    if (access.count === null) return `${access.op} ${access.expression}: ${access.unknown ?? "not made"}`;
    return `${access.op} ${access.expression}: ${number(access.count)} ${unit}s per request, ${number(access.ideal)} would do`;
  }

  function badge(items, open) {
    const { access } = items[0];
    const text = access.count === null ? "?" : `${number(access.count)}/${number(access.ideal)}`;
    return h("button", {
      type: "button", class: `badge heat-${heat(access)}`, "aria-haspopup": "dialog", "aria-label": `${words(access)}. Open its map.`,
      title: words(access), onclick: () => open(items),
    }, `${shortOp[access.op]} ${text}${access.space === "global" ? "" : " wf"}`);
  }

  function findingBlock(finding) {
    return h("div", { class: `finding ${finding.severity}` },
      h("p", { class: "message" }, h("strong", null, finding.severity), " ", prose(finding.message), " ", h("span", { class: "rule" }, finding.code)),
      details(finding));
  }

  function details(finding) {
    const notes = finding.notes.map((note) => h("li", null, note.file ? h("a", { href: `#${place(note.file, note.line)}` }, `${note.file}:${note.line}`) : null, note.file ? " " : null, prose(note.message)));
    return h("details", null, h("summary", null, "Why, and what to do"),
      h("ul", null, notes),
      finding.help ? h("p", { class: "help" }, h("strong", null, "help "), prose(finding.help)) : null,
      finding.fix ? h("p", { class: "help" }, h("strong", null, finding.fix.safe ? "fix " : "fix (look at it) "), prose(finding.fix.description)) : null);
  }

  const place = (file, line) => `${encodeURIComponent(file)}:${line}`;

  class File {
    constructor(name, lines, accesses, findings, kernels, open, passes) {
      Object.assign(this, { name, lines, accesses, findings, kernels, open, passes });
      this.body = h("div", { class: "lines" });
      this.element = h("section", { class: "file", "aria-label": name }, h("h3", null, name), this.body);
      this.body.style.minHeight = `${Math.min(lines.length, 400) * 1.4}em`;
      this.written = false;
    }

    shown() {
      const lines = new Set();
      const add = (from, to) => { for (let n = Math.max(1, from); n <= Math.min(this.lines.length, to); n++) lines.add(n); };
      for (const kernel of this.kernels) if (kernel.file === this.name) add(kernel.line - AROUND, kernel.end_line + 1);
      for (const line of this.accesses.keys()) add(line - AROUND, line + AROUND);
      for (const line of this.findings.keys()) add(line - AROUND, line + AROUND);
      for (let n = 1, from = 1; n <= this.lines.length + 1; n++) {
        if (n <= this.lines.length && !lines.has(n)) continue;
        if (n - from < FEWEST) add(from, n - 1);
        from = n + 1;
      }
      return lines;
    }

    write() {
      if (this.written) return;
      this.written = true;
      this.body.style.minHeight = "";
      const shown = this.shown();
      const parts = [];
      for (let n = 1; n <= this.lines.length; n++) {
        if (shown.has(n)) {
          parts.push(this.line(n));
          continue;
        }
        const from = n;
        while (n < this.lines.length && !shown.has(n + 1)) n++;
        parts.push(this.fold(from, n));
      }
      this.body.replaceChildren(...parts.flat());
    }

    fold(from, to) {
      const button = h("button", { type: "button", class: "fold", onclick: () => {
        const lines = [];
        for (let n = from; n <= to; n++) lines.push(...this.line(n));
        button.replaceWith(...lines);
        lines[0].tabIndex = -1;
        lines[0].focus();
      } }, `⋯ lines ${from} to ${to}`);
      return [button];
    }

    line(n) {
      const groups = groupsOf(this.accesses.get(n) ?? []);
      const worst = groups.map((items) => heat(items[0].access)).filter((step) => step !== "unknown").reduce((a, b) => Math.max(a, b), 0);
      const found = [...(this.findings.get(n) ?? [])].filter(this.passes);
      return [
        h("div", { class: "line", id: place(this.name, n) },
          h("span", { class: "no" }, String(n)),
          h("span", { class: `margin heat-${worst}` }, groups.map((items) => badge(items, this.open))),
          h("code", null, this.lines[n - 1] || " ")),
        ...found.map(findingBlock),
      ];
    }

    rewrite() {
      if (!this.written) return;
      this.written = false;
      this.write();
    }
  }

  return { File, heat, words, unitOf, details, place };
})();
