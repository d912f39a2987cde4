// The sources with their accesses in the margin and the findings at their lines, written as they come into view.
"use strict";

const coalintSources = (() => {
  const { h, prose, number, counted } = coalintDom;
  const AROUND = 3;      // lines shown above and below what is said
  const FEWEST = 8;      // lines that are folded together at least
  const NEAR = 800;      // pixels from what is in view within which a file is written

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
    return `${access.op} ${access.expression}: ${number(access.count)} ${unit}s per request (ideal: ${number(access.ideal)})`;
  }

  function badge(items, open) {
    const { access } = items[0];
    const ratio = access.count === null ? "?" : `${number(access.count)}/${number(access.ideal)}`;
    const text = `${shortOp[access.op]} ${ratio}${access.space === "global" ? "" : " wf"}`;
    // The name begins with the text on the badge, so that it can be spoken to (WCAG 2.5.3).
    return h("button", {
      type: "button", class: `badge heat-${heat(access)}`, "aria-haspopup": "dialog", "aria-label": `${text}: ${words(access)}. Open its map.`,
      title: words(access), onclick: () => open(items),
    }, text);
  }

  function findingBlock(finding, rules) {
    return h("div", { class: `finding ${finding.severity}` },
      h("p", { class: "message" }, h("strong", null, finding.severity), " ", prose(finding.message), " ", h("span", { class: "rule" }, finding.code)),
      details(finding, rules));
  }

  // A rule's text: paragraphs and code, as its page has them.
  function ruleText(text) {
    return text.split("\n```").flatMap((piece, n) => {
      if (n % 2) return h("pre", null, h("code", null, piece.slice(piece.indexOf("\n") + 1)));
      return piece.split(/\n\s*\n/).map((one) => one.trim()).filter(Boolean)
        .map((one) => (one.startsWith("## ") ? h("h4", null, one.slice(3)) : h("p", null, prose(one))));
    });
  }

  function ruleDetails(finding, rules) {
    const rule = rules[finding.code];
    if (!rule) return null;
    const body = h("div", { class: "rule-text" });
    const write = () => { if (!body.childNodes.length) body.append(...ruleText(rule.text)); };
    return h("details", { class: "about-rule", ontoggle: write }, h("summary", null, `About ${finding.name} (${finding.code})`), body,
      rule.url ? h("p", { class: "meta" }, h("a", { href: rule.url, rel: "noopener noreferrer" }, "The page of this rule")) : null);
  }

  function details(finding, rules, open = false) {
    const notes = finding.notes.map((note) => h("li", null, note.file ? h("a", { href: `#${place(note.file, note.line)}` }, `${note.file}:${note.line}`) : null, note.file ? " " : null, prose(note.message)));
    return h("details", { open }, h("summary", null, "Why, and what to do"),
      h("ul", null, notes),
      finding.help ? h("p", { class: "help" }, h("strong", null, "help "), prose(finding.help)) : null,
      finding.fix ? h("p", { class: "help" }, h("strong", null, finding.fix.safe ? "fix " : "fix (look at it) "), prose(finding.fix.description)) : null,
      ruleDetails(finding, rules));
  }

  const excessOf = ({ access }) => (access.count === null ? 0 : Math.max(0, access.count - access.ideal));

  // The excess of a line or kernel: each access once, at the costliest of its launches.
  const excess = (accesses) => groupsOf(accesses).reduce((sum, items) => sum + excessOf(items[0]), 0);

  const bar = (value, largest, kind = "") => (value > 0
    ? h("span", { class: "track" }, h("span", { class: `bar ${kind}`, style: `width: ${Math.max(3, 100 * value / largest).toFixed(1)}%` }))
    : null);

  // What one launch does at a line or in a kernel: of several launches, that which executes most.
  function launch(accesses) {
    const sums = new Map();
    for (const { access, kernel } of accesses) {
      const one = access.launch;
      if (!one) continue;
      const sum = sums.get(kernel) ?? { executed: 0, excess: 0, share: 0, open: 0, formulas: new Set() };
      sums.set(kernel, sum);
      sum.executed += one.executed ?? 0;
      sum.excess += one.excess ?? 0;
      sum.share = Math.max(sum.share, 0) + (one.share ?? 0);
      sum.open += one.executed === null;
      if (one.formula) sum.formulas.add(one.formula);
    }
    return [...sums.values()].sort((a, b) => b.executed - a.executed || a.open - b.open)[0] ?? null;
  }

  const percent = (share) => (share > 0 && share < 0.01 ? "<1 %" : `${Math.round(100 * share)} %`);

  // The count of a line beside its source, as a profiler has it: warp instructions executed, and the part in the excess.
  function launchCell(accesses, most) {
    const sum = launch(accesses);
    if (!sum) return h("span", { class: "launch" });
    if (sum.open) {
      const text = sum.formulas.size ? [...sum.formulas].join(" + ") : "open";
      return h("span", { class: "launch open", title: `executed: ${text}` }, text);
    }
    const text = `${whole(sum.executed)}${sum.excess ? ` · ${percent(sum.share)}` : ""}`;
    const title = `${whole(sum.executed)} warp instructions of the launch${sum.excess ? `, ${percent(sum.share)} of the kernel's excess` : ""}`;
    return h("span", { class: "launch", title, "data-executed": sum.executed }, text, bar(sum.executed, most, "executed"), bar(sum.share, 1));
  }

  const whole = (value) => Math.round(value).toLocaleString("en-US");

  const place = (file, line) => `${encodeURIComponent(file)}:${line}`;

  class File {
    constructor(name, lines, accesses, findings, kernels, open, passes, rules) {
      Object.assign(this, { name, lines, accesses, findings, kernels, open, passes, rules });
      this.body = h("div", { class: "lines" });
      this.counts = h("span", { class: "meta" });
      this.element = h("details", { class: "file", ontoggle: () => this.isNear() && this.write() },
        h("summary", null, h("h3", null, name), " ", this.counts), this.body);
      this.body.style.minHeight = `${Math.min(lines.length, 400) * 1.4}em`;
      this.written = false;
      this.largest = 1;
      this.most = 1;
      this.inComment = name.endsWith(".py") ? null : coalintSyntax.openComments(lines);
      this.choose(false);
    }

    isNear() {
      const { top, bottom } = this.element.getBoundingClientRect();
      return this.element.open && top < innerHeight + NEAR && bottom > -NEAR;
    }

    // Shows the file where it has findings that pass the filters; without filters also, folded, where it has none.
    choose(filtered) {
      const count = [...this.findings.values()].flat().filter(this.passes).length;
      this.counts.textContent = count ? counted(count, "finding") : "nothing found";
      this.element.hidden = filtered && !count;
      this.element.open = count > 0;
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
      const text = this.lines[n - 1] || " ";
      const groups = groupsOf(this.accesses.get(n) ?? []);
      const worst = groups.map((items) => heat(items[0].access)).filter((step) => step !== "unknown").reduce((a, b) => Math.max(a, b), 0);
      const findings = [...(this.findings.get(n) ?? [])].filter(this.passes);
      return [
        h("div", { class: "line", id: place(this.name, n) },
          h("span", { class: "no" }, String(n)),
          h("span", { class: `margin heat-${worst}` }, groups.map((items) => badge(items, this.open)), bar(excess(this.accesses.get(n) ?? []), this.largest)),
          launchCell(this.accesses.get(n) ?? [], this.most),
          h("code", null, this.inComment ? coalintSyntax.coloured(text, this.inComment[n - 1]) : text)),
        ...findings.map((finding) => findingBlock(finding, this.rules)),
      ];
    }

    rewrite(filtered) {
      this.choose(filtered);
      if (!this.written) return;
      this.written = false;
      this.write();
    }
  }

  return { File, NEAR, bar, details, excess, heat, launch, place, unitOf, whole, words };
})();
