// A plot of what held from one instant to the next: a step for each change, and lines at instants.

import { svg } from "../dom.js";
import { columns, levels } from "./axes.js";
import { timeTicks } from "./dates.js";
import { placeOn, roundRange, roundValues } from "./svg.js";

/**
 * @typedef {object} Step
 * @property {number} at The instant of the change, in milliseconds.
 * @property {number | null} value What holds from then on; null for nothing.
 * @property {"first" | "latest" | "close" | "first_and_latest" | "first_and_close" | null} mark
 */
/**
 * @typedef {object} Scale The places of values on the axis, which need not be their differences.
 * @property {(value: number) => number} placed
 * @property {(place: number) => string} write The text at a place.
 */
/** @typedef {{ at: number, kind: "start" | "earlier-start" }} Instant */
/**
 * @typedef {object} Content
 * @property {string} title
 * @property {string} game
 * @property {Step[]} steps At least one, oldest first.
 * @property {number} until The end of the last step.
 * @property {Instant[]} instants
 * @property {Scale} scale
 */

/** The most ticks of an axis. */
const TICKS = 4;

/** @param {Content} content */
export function stepPlot({ title, game, steps, until, instants, scale }) {
  const times = [steps[0].at, until, ...instants.map(({ at }) => at)];
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const across = placeOn([first, last]);
  const range = roundRange(
    steps.flatMap(({ value }) => (value === null ? [] : [scale.placed(value)])),
    TICKS,
  );
  const up = placeOn(range);
  const down = (/** @type {number} */ value) => Math.round((100 - up(scale.placed(value))) * 1000) / 1000;
  const ticks = roundValues(range, TICKS).map((at) => ({ at, text: scale.write(at) }));
  const uprights = instants.map(({ at, kind }) =>
    svg("line", { class: kind, x1: `${across(at)}%`, x2: `${across(at)}%`, y1: 0, y2: "100%" }),
  );
  return svg(
    "svg",
    { class: "plot short", role: "img", "aria-label": title, overflow: "visible" },
    levels(ticks, (place) => Math.round((100 - up(place)) * 1000) / 1000),
    columns(timeTicks(first, last, TICKS), across),
    uprights,
    stairs(steps, until, game, across, down),
    steps.flatMap((step) => marksOf(step, game, across, down)),
  );
}

/**
 * Draws each value from its change to the next one, and the changes between them.
 * @param {Step[]} steps
 * @param {number} until
 * @param {string} game
 * @param {(at: number) => number} across
 * @param {(value: number) => number} down
 */
function stairs(steps, until, game, across, down) {
  return steps.flatMap(({ at, value }, index) => {
    if (value === null) {
      return [];
    }
    const next = steps[index + 1];
    const [x, y, end] = [`${across(at)}%`, `${down(value)}%`, `${across(next?.at ?? until)}%`];
    const tread = { class: "mark step", x1: x, x2: end, y1: y, y2: y, "data-game": game, "data-value": value };
    const riser = next &&
      next.value !== null && { class: "riser", x1: end, x2: end, y1: y, y2: `${down(next.value)}%` };
    return [svg("line", tread), ...(riser ? [svg("line", riser)] : [])];
  });
}

/**
 * @param {Step} step
 * @param {string} game
 * @param {(at: number) => number} across
 * @param {(value: number) => number} down
 */
function marksOf({ at, value, mark }, game, across, down) {
  const kinds = (mark?.split("_and_") ?? []).map((kind) => (kind === "first" ? "open" : "close")).reverse();
  if (value === null) {
    return [];
  }
  return kinds.map((kind) => {
    const outline = { class: `mark line-${kind}`, "data-game": game, "data-value": value };
    return svg("svg", { x: `${across(at)}%`, y: `${down(value)}%`, overflow: "visible" }, shapeOf(kind, outline));
  });
}

/**
 * Draws the shape of a mark: a disc for the first line, a diamond for the close or the latest.
 * @param {string} kind
 * @param {Record<string, unknown>} attributes
 */
function shapeOf(kind, attributes) {
  return kind === "open"
    ? svg("circle", { ...attributes, r: 4.5 })
    : svg("path", { ...attributes, d: "M0-8L8 0L0 8L-8 0Z" });
}

/**
 * Draws a mark or an instant for a legend.
 * @param {"open" | "close" | "start" | "earlier-start" | "final"} kind
 */
export function stepSample(kind) {
  const isMark = kind === "open" || kind === "close";
  const drawn = isMark
    ? svg("svg", { x: "50%", y: "50%", overflow: "visible" }, shapeOf(kind, { class: `mark line-${kind}` }))
    : svg("line", { class: kind, x1: "50%", x2: "50%", y1: 0, y2: "100%" });
  return svg("svg", { class: "sample", width: 18, height: 18, "aria-hidden": "true" }, drawn);
}
