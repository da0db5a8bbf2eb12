// The tones of models: a colour and a dash pattern, the same in every view.

import { svg } from "./svg.js";

/**
 * @typedef {object} Tone
 * @property {string} tone The colour, as style.css names it.
 * @property {number[]} dash Lengths of dashes and gaps; empty for a solid line.
 */

/** The dash pattern of lines to compare with: the market, a mean, a perfect forecast. */
export const COMPARED = [6, 5];

/** The number of colours of own models in style.css. */
const HUES = 8;

/** The dash patterns of own models; lines of standard models are solid. */
const DASHES = [
  [14, 3],
  [8, 4],
  [3, 3],
  [12, 3, 3, 3],
];

/**
 * Returns the tone of a model.
 * @param {string} name
 * @param {number} place Its place among the publisher's own models; negative for another model.
 * @returns {Tone}
 */
export function toneOf(name, place) {
  if (place < 0) {
    return { tone: name.toLowerCase(), dash: name === "IMPLIED" ? COMPARED : [] };
  }
  return { tone: `own-${place % HUES}`, dash: DASHES[Math.floor(place / HUES) % DASHES.length] };
}

/**
 * Draws a short line in a tone.
 * @param {Tone} tone
 */
export function swatch({ tone, dash }) {
  const line = { x1: 0, x2: "100%", y1: "50%", y2: "50%", stroke: `var(--tone-${tone})`, "stroke-width": 3 };
  const pattern = dash.length > 0 ? dash.join(" ") : null;
  return svg("svg", { class: "swatch", "aria-hidden": "true" }, svg("line", { ...line, "stroke-dasharray": pattern }));
}
