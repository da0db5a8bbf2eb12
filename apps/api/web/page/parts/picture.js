// A figure as a picture: what is visible of it, its text and drawings, in one drawing of its own.

import { svg } from "./svg.js";

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

const EDGE = 16;
/** The parts of a figure that are for use, not for looking at. */
const LEFT_OUT = ".under, .slider, .rows-tools, [popover], .row-detail, .explain, .unseen";

/** @typedef {{ markup: string, width: number, height: number }} Drawing */

/**
 * Returns a PNG picture of a figure, twice as fine as its pixels.
 * @param {HTMLElement} figure
 */
export function pngOf(figure) {
  return painted(drawingOf(figure), 2);
}

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

/** @param {HTMLElement} figure @returns {Drawing} */
function drawingOf(figure) {
  const box = figure.getBoundingClientRect();
  const paper = getComputedStyle(document.body);
  const [width, height] = [Math.ceil(box.width) + 2 * EDGE, Math.ceil(bottomOf(figure) - box.top) + 2 * EDGE];
  const whole = svg("svg", {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    "font-family": paper.fontFamily.replaceAll('"', "'"),
  });
  whole.append(svg("rect", { width, height, fill: paper.backgroundColor }));
  const [left, top] = [box.left - EDGE, box.top - EDGE];
  for (const drawing of figure.querySelectorAll("svg")) {
    if (!drawing.parentElement?.closest("svg") && isShown(drawing, figure)) {
      const { x, y, width: across, height: down } = drawing.getBoundingClientRect();
      whole.append(copyOf(drawing, { x: x - left, y: y - top, width: across, height: down }));
    }
  }
  whole.append(...wordsOf(figure, left, top));
  return { markup: new XMLSerializer().serializeToString(whole), width, height };
}

/** Returns the lower end of what is visible. @param {HTMLElement} figure */
function bottomOf(figure) {
  const parts = [...figure.children].filter((part) => isShown(part, figure));
  return Math.max(...parts.map((part) => part.getBoundingClientRect().bottom)) + 24;
}

/**
 * Returns whether a part of a figure is in its picture. The figure itself may be in the details of a row.
 * @param {Element} part
 * @param {HTMLElement} figure
 */
function isShown(part, figure) {
  const leftOut = part.closest(LEFT_OUT);
  return !(leftOut && figure.contains(leftOut)) && part.checkVisibility();
}

/**
 * Copies a drawing of the page, as the style sheet shows it, to a place in another one.
 * @param {SVGSVGElement} drawing
 * @param {{ x: number, y: number, width: number, height: number }} place
 */
export function copyOf(drawing, place) {
  const copy = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
  const [from, to] = [drawing, copy].map((tree) => [tree, ...tree.querySelectorAll("*")]);
  from.forEach((part, index) => {
    const style = getComputedStyle(part);
    STYLED.forEach((name) => to[index].setAttribute(name, style.getPropertyValue(name)));
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
  const walk = document.createTreeWalker(figure, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { currentNode: text } = walk;
    const { parentElement: parent } = text;
    if (!parent || parent.closest("svg") || !isShown(parent, figure)) {
      continue;
    }
    const style = getComputedStyle(parent);
    const range = document.createRange();
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
