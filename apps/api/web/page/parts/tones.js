// The tones of models: a colour and a dash pattern, the same in every view.

import { element } from "../dom.js";

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
 * Builds a short line in a tone.
 * @param {Tone} tone
 */
export function swatch({ tone, dash }) {
  const made = element("span", { class: "swatch", "aria-hidden": "true" });
  const colour = `var(--tone-${tone})`;
  const stops = [];
  let from = 0;
  for (const [index, length] of (dash.length > 0 ? dash : [1]).entries()) {
    stops.push(`${index % 2 === 0 ? colour : "transparent"} ${from}px ${from + length}px`);
    from += length;
  }
  made.style.backgroundImage = `repeating-linear-gradient(90deg, ${stops.join(", ")})`;
  return made;
}
