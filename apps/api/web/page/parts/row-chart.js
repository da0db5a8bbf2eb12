// A chart of rows over one axis: a name, marks on the axis, and figures.

import { element } from "../dom.js";
import { upright } from "./marks.js";
import { placeOn, svg } from "./svg.js";
import { opener } from "./table.js";

/** @import { Child } from "../dom.js" */
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
 * @property {SVGElement[]} marks
 * @property {string} label The marks in words.
 * @property {Child[]} figures
 * @property {boolean} [marked]
 * @property {string} [group] The heading that the row is under.
 * @property {() => Node} [detail] The content of the opened row.
 */

/**
 * @param {string} name
 * @param {Axis} axis
 * @param {ChartRow[]} rows
 */
export function rowChart(name, axis, rows) {
  const items = rows.flatMap((row, index) => {
    const begins = row.group !== undefined && row.group !== rows[index - 1]?.group;
    return [begins && element("li", { class: "group" }, row.group), rowOf(row, axis)];
  });
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
function rowOf({ id, name, marks, label, figures, marked, detail }, { range, ticks, base }) {
  const place = placeOn(range);
  const grid = ticks.map(({ at }) => upright(place(at), at === base ? "base" : "grid"));
  const track = svg("svg", { class: "track", role: "img", "aria-label": label }, grid, marks);
  const opened = element("div", { id: `${id}-more`, class: "row-detail", hidden: true });
  const head = detail ? opener(id, opened, name, () => opened.replaceChildren(detail())) : name;
  return element(
    "li",
    { class: marked ? "row marked" : "row", id },
    element("div", { class: "row-name" }, head),
    track,
    element("div", { class: "row-figures" }, figures),
    detail ? opened : null,
  );
}
