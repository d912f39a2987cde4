// Colours for CUDA and C++ source: comments, strings, numbers, keywords, and what CUDA adds.
"use strict";

const coalintSyntax = (() => {
  const { h } = coalintDom;
  const KEYWORDS = new Set(("alignas auto bool break case catch char class const constexpr continue decltype default delete do double else "
    + "enum explicit extern false float for friend goto if inline int long mutable namespace new noexcept nullptr operator private "
    + "protected public register restrict return short signed sizeof static static_assert struct switch template this throw true try "
    + "typedef typename union unsigned using virtual void volatile while half size_t").split(" "));
  const OF_CUDA = /^(?:__\w+__|__\w+|threadIdx|blockIdx|blockDim|gridDim|warpSize|dim3|atomic[A-Z]\w*|u?(?:char|short|int|long|float|double)[1-4])$/;
  const TOKEN = /\/\/.*|\/\*.*?(?:\*\/|$)|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)'|\b(?:0[xX][0-9a-fA-F']+|\d[\d']*\.?\d*(?:[eE][+-]?\d+)?)[uUlLfF]*|[A-Za-z_]\w*/g;

  // For each line, whether it begins within a comment of several lines.
  function openComments(lines) {
    let open = false;
    return lines.map((line) => {
      const before = open;
      for (let at = 0; ;) {
        const next = open ? line.indexOf("*/", at) : line.slice(at).search(/\/\/|\/\*|"(?:[^"\\]|\\.)*"/);
        if (next < 0) break;
        if (open) { open = false; at = next + 2; continue; }
        const token = /^(?:\/\/|\/\*|"(?:[^"\\]|\\.)*")/.exec(line.slice(at + next))[0];
        if (token === "//") break;
        open = token === "/*";
        at += next + token.length;
      }
      return before;
    });
  }

  function kindOf(word) {
    if (word.startsWith("/")) return "comment";
    if (word[0] === '"' || word[0] === "'") return "string";
    if (/^\d/.test(word)) return "number";
    return KEYWORDS.has(word) ? "keyword" : OF_CUDA.test(word) ? "cuda" : null;
  }

  // The line in coloured pieces.
  function coloured(line, inComment) {
    const pieces = [];
    let at = 0;
    if (inComment) {
      const end = line.indexOf("*/");
      at = end < 0 ? line.length : end + 2;
      pieces.push(h("span", { class: "s-comment" }, line.slice(0, at)));
    } else if (/^\s*#/.test(line)) {
      const comment = line.search(/\/[/*]/);
      at = comment < 0 ? line.length : comment;
      pieces.push(h("span", { class: "s-directive" }, line.slice(0, at)));
    }
    TOKEN.lastIndex = at;
    for (let match = TOKEN.exec(line); match; match = TOKEN.exec(line)) {
      const kind = kindOf(match[0]);
      if (!kind) continue;
      pieces.push(line.slice(at, match.index), h("span", { class: `s-${kind}` }, match[0]));
      at = match.index + match[0].length;
      TOKEN.lastIndex = at;
    }
    pieces.push(line.slice(at));
    return pieces;
  }

  return { coloured, openComments };
})();
