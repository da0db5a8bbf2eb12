// A chart of rows over one axis: a name, marks on the axis, and figures.

import { element, svg } from "../dom.js";
import { upright } from "./marks.js";
import { placeOn } from "./svg.js";

/** @import { Child, Children } from "../dom.js" */
/** @import { Tick } from "./svg.js" */
/**
 * @typedef {object} Axis
 * @property {[number, number]} range
 * @property {Tick[]} ticks
 * @property {number} [base] A neutral value, which has a stronger line.
 */
/**
 * @typedef {object} ChartRow
 * @property {string} id
 * @property {Child[]} name
 * @property {Children} marks
 * @property {string} label The marks in words.
 * @property {Child[]} figures
 * @property {boolean} [isHidden]
 */

/**
 * @param {string} name
 * @param {Axis} axis
 * @param {ChartRow[]} rows
 */
export function rowChart(name, axis, rows) {
  const items = rows.map((row) => rowOf(row, axis));
  return element("ol", { class: "rows", "aria-label": name }, axisRow(axis), items);
}

/** @param {Axis} axis */
function axisRow({ range, ticks }) {
  const place = placeOn(range);
  const texts = ticks.map(({ at, text }) => {
    const x = place(at);
    const anchor = x < 4 ? "start" : x > 96 ? "end" : "middle";
    return svg("text", { x: `${x}%`, y: 14, "text-anchor": anchor }, text);
  });
  return element("li", { class: "row axis", "aria-hidden": "true" }, svg("svg", { class: "track" }, texts));
}

/**
 * @param {ChartRow} row
 * @param {Axis} axis
 */
function rowOf({ id, name, marks, label, figures, isHidden }, { range, ticks, base }) {
  const place = placeOn(range);
  const grid = ticks.map(({ at }) => upright(place(at), at === base ? "base" : "grid"));
  const track = svg("svg", { class: "track", role: "img", "aria-label": label }, grid, marks);
  return element(
    "li",
    { class: "row", id, hidden: isHidden },
    element("div", { class: "row-name" }, name),
    track,
    element("div", { class: "row-figures" }, figures),
  );
}
