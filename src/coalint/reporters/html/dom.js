// Elements from words and numbers: nothing of a source is ever read as markup.
"use strict";

const coalintDom = (() => {
  const SVG = "http://www.w3.org/2000/svg";

  function filled(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value === true) element.setAttribute(name, "");
      else element.setAttribute(name, value);
    }
    for (const child of children.flat(Infinity)) {
      if (child !== null && child !== undefined && child !== false) element.append(child);
    }
    return element;
  }

  const h = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);
  const s = (tag, attributes, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);

  // Text in which `code` is set as code.
  function prose(text) {
    return text.split("`").map((piece, n) => (n % 2 ? h("code", null, piece) : piece));
  }

  const number = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : 1).replace(/\.?0+$/, ""));
  const counted = (count, word, many = `${word}s`) => `${number(count)} ${count === 1 ? word : many}`;

  const shape = ([x, y, z]) => (z > 1 ? [x, y, z] : y > 1 ? [x, y] : [x]).join("×");

  return { h, s, prose, number, counted, shape };
})();
