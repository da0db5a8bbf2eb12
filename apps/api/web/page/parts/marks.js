// The marks of drawings. Each kind has a shape of its own, so it is known without its colour, and carries its figure.

import { svg } from "../dom.js";

/** @import { Tone } from "./tones.js" */
/** @typedef {"model" | "book" | "exchange"} Kind */
/**
 * The figure of a mark, as the API serves it.
 * @typedef {object} Figure
 * @property {number | null | undefined} value
 * @property {string} [game]
 * @property {string} [model]
 * @property {number} [games] The games that it stands for: of more, the mark of a model is larger.
 */

/** The outlines around the place of a mark. */
const OUTLINES = {
  book: "M-2-9H2V9H-2Z",
  exchange: "M0-6L6 0L0 6L-6 0Z",
};

/**
 * Returns the attributes that name a mark's figure.
 * @param {Figure} figure
 */
export function named({ value, game, model, games }) {
  return {
    "data-value": value,
    "data-game": game,
    "data-model": model,
    ...(games !== undefined && { "data-games": games }),
  };
}

/** The radius of a model's mark by its games: from 4 for 30 of them to 9 for 3,000. @param {number} games */
function radius(games) {
  const size = 4 + 2.5 * Math.log10(Math.max(1, games / 30));
  return Math.round(Math.min(9, size) * 10) / 10;
}

/**
 * Draws a mark at a percentage of the axis, in the middle of its row.
 * @param {Kind} kind
 * @param {number} place
 * @param {Figure} figure
 * @param {Tone} [tone]
 */
export function mark(kind, place, figure, tone) {
  const common = { class: `mark ${kind}`, ...named(figure) };
  if (kind === "model") {
    const r = figure.games === undefined ? 6 : radius(figure.games);
    return svg("circle", { ...common, cx: `${place}%`, cy: "50%", r, fill: tone && `var(--tone-${tone.tone})` });
  }
  const outline = svg("path", { ...common, d: OUTLINES[kind] });
  return svg("svg", { x: `${place}%`, y: "50%", overflow: "visible", class: "at" }, outline);
}

/**
 * Draws what reads a plot at one of its points: an upright line, and a dot on each line that has a value there.
 * @param {number} place A percentage of the width.
 * @param {(value: number) => number} down Returns the percentage of the height.
 * @param {{ tone: Tone, figure: Figure, data?: Record<string, unknown> }[]} dots
 */
export function readAt(place, down, dots) {
  const x = `${place}%`;
  return [
    svg("line", { class: "cursor", x1: x, x2: x, y1: 0, y2: "100%" }),
    dots.map(({ tone, figure, data }) => {
      const isThere = typeof figure.value === "number";
      return svg("circle", {
        ...{ class: "mark", r: 4, fill: `var(--tone-${tone.tone})`, visibility: isThere ? "visible" : "hidden" },
        ...{ cx: x, cy: isThere ? `${down(Number(figure.value))}%` : "0" },
        ...{ ...named(figure), "data-value": String(figure.value ?? ""), ...data },
      });
    }),
  ];
}

/**
 * Draws a line between two percentages of the axis.
 * @param {number} from
 * @param {number} to
 * @param {string} kind
 * @param {Record<string, unknown>} [attributes]
 */
export function span(from, to, kind, attributes) {
  return svg("line", { class: kind, x1: `${from}%`, x2: `${to}%`, y1: "50%", y2: "50%", ...attributes });
}

/**
 * Draws a vertical line across a row.
 * @param {number} place
 * @param {string} kind
 * @param {Record<string, unknown>} [attributes]
 */
export function upright(place, kind, attributes) {
  return svg("line", { class: kind, x1: `${place}%`, x2: `${place}%`, y1: "0", y2: "100%", ...attributes });
}

/**
 * Draws a mark for a legend.
 * @param {Kind} kind
 * @param {Tone} [tone]
 */
export function sample(kind, tone) {
  return svg(
    "svg",
    { class: "sample", width: 16, height: 16, "aria-hidden": "true" },
    mark(kind, 50, { value: null }, tone),
  );
}
