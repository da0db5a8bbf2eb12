// Pictures: what is visible of a part of the page, its text and drawings, in one drawing of its own.

import { created, svg } from "../dom.js";

/** The properties of drawings that the style sheet sets. */
const STYLED = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-opacity",
  "opacity",
  "font-size",
  "font-weight",
  "text-anchor",
  "dominant-baseline",
  "vector-effect",
];

/** The parts of a figure that are for use, or that its picture words in its own way. */
const LEFT_OUT = "figcaption, .split, .under, .slider, .rows-tools, .hint, [popover], .row-detail, .explain, .unseen";

/** @typedef {{ markup: string, width: number, height: number }} Drawing */

/**
 * Returns a drawing as a PNG picture.
 * @param {Drawing} drawing
 * @param {number} scale The pixels of the picture for each unit of the drawing.
 * @returns {Promise<Blob>}
 */
export async function painted({ markup, width, height }, scale) {
  const address = URL.createObjectURL(new Blob([markup], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width * scale, height * scale];
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser makes no picture"))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * Returns the visible text and drawings of a figure, as the style sheet shows them, around its upper left corner.
 * @param {HTMLElement} figure
 * @param {number} scale The scale at which they will be drawn, for strokes that do not follow it.
 * @returns {Element[]}
 */
export function partsOf(figure, scale) {
  const { left, top } = figure.getBoundingClientRect();
  const drawings = [...figure.querySelectorAll("svg")].filter(
    (drawing) => !drawing.parentElement?.closest("svg") && isShown(drawing, figure),
  );
  const copies = drawings.map((drawing) => {
    const { x, y, width, height } = drawing.getBoundingClientRect();
    return copyOf(drawing, { x: x - left, y: y - top, width, height }, scale);
  });
  return [...copies, ...created(svg("svg", {}, wordsOf(figure, left, top))).children];
}

/**
 * Returns whether a part of a figure is in its picture. The figure itself may be in the details of a row.
 * @param {Element} part
 * @param {HTMLElement} figure
 */
export function isShown(part, figure) {
  const leftOut = part.closest(LEFT_OUT);
  return !(leftOut && figure.contains(leftOut)) && part.checkVisibility();
}

/**
 * Copies a drawing of the page, as the style sheet shows it, to a place in another one.
 * @param {SVGSVGElement} drawing
 * @param {{ x: number, y: number, width: number, height: number }} place
 * @param {number} [scale] The scale at which it will be drawn.
 */
export function copyOf(drawing, place, scale = 1) {
  const copy = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
  const [from, to] = [drawing, copy].map((tree) => [tree, ...tree.querySelectorAll("*")]);
  from.forEach((part, index) => {
    const style = getComputedStyle(part);
    STYLED.forEach((name) => to[index].setAttribute(name, style.getPropertyValue(name)));
    if (style.vectorEffect === "non-scaling-stroke") {
      to[index].setAttribute("stroke-width", String(parseFloat(style.strokeWidth) * scale));
    }
  });
  Object.entries({ ...place, overflow: "visible" }).forEach(([name, value]) => copy.setAttribute(name, String(value)));
  return copy;
}

/**
 * Returns every visible word of the text around the drawings, each at its place.
 * @param {HTMLElement} figure
 * @param {number} left
 * @param {number} top
 */
function wordsOf(figure, left, top) {
  const words = [];
  const { ownerDocument: page } = figure;
  const walk = page.createTreeWalker(figure, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { currentNode: text } = walk;
    const { parentElement: parent } = text;
    if (!parent || parent.closest("svg") || !isShown(parent, figure)) {
      continue;
    }
    const style = getComputedStyle(parent);
    const range = page.createRange();
    for (const { 0: word, index } of (text.textContent ?? "").matchAll(/[^\s\u00a0]+/g)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const box = range.getBoundingClientRect();
      const attributes = {
        x: box.left - left,
        y: box.top - top + box.height * 0.78,
        fill: style.color,
        "font-size": style.fontSize,
        "font-weight": style.fontWeight,
      };
      words.push(svg("text", attributes, word));
    }
  }
  return words;
}

/**
 * Returns a text as lines of a width.
 * @param {string} text
 * @param {string} font
 * @param {number} width
 */
export function wrapped(text, font, width) {
  const pen = document.createElement("canvas").getContext("2d");
  if (!pen) {
    throw new Error("the browser makes no picture");
  }
  pen.font = font;
  /** @type {string[]} */
  const lines = [""];
  // An address has no blanks.
  for (const word of text.split(/(?<=[ &?/]|%2C)/)) {
    const line = lines[lines.length - 1] + word;
    if (pen.measureText(line.trimEnd()).width <= width) {
      lines[lines.length - 1] = line;
    } else {
      lines.push(word);
    }
  }
  return lines;
}
