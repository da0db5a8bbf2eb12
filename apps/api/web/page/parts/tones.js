// The tones of models: a colour and a dash pattern, the same in every view.

import { svg } from "../dom.js";
import { STANDARD_MODELS } from "../words.js";

/**
 * @typedef {object} Tone
 * @property {string} tone The colour, as tokens.css names it.
 * @property {number[]} dash Lengths of dashes and gaps; empty for a solid line.
 */

/** The dash pattern of lines to compare with: the market, a mean, a perfect forecast. */
export const COMPARED = [6, 5];

/** The number of colours of own models in tokens.css. */
const HUES = 8;

/** The dash patterns of own models; lines of standard models are solid. */
const DASHES = [
  [14, 3],
  [8, 4],
  [3, 3],
  [12, 3, 3, 3],
];

/** The names that have a colour of their own in tokens.css. */
const NAMED = [...STANDARD_MODELS, "ENSEMBLE"];

/**
 * Returns the tone of a model. An own model without a known place has the first one.
 * @param {string} name
 * @param {number} place Its place among the publisher's own models; negative for another model.
 * @returns {Tone}
 */
export function toneOf(name, place) {
  if (place < 0 && NAMED.includes(name)) {
    return { tone: name.toLowerCase(), dash: name === "IMPLIED" ? COMPARED : [] };
  }
  const own = Math.max(place, 0);
  return { tone: `own-${own % HUES}`, dash: DASHES[Math.floor(own / HUES) % DASHES.length] };
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
