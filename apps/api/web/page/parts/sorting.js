// The order of a table's rows, by the figures of a column.

import { element, fieldOf } from "../dom.js";

/** @import { Signal } from "@preact/signals" */
/** @import { Part } from "../dom.js" */
/** @import { Column, Value } from "./table.js" */
/** @typedef {{ column: number, isDescending: boolean }} Order */
/**
 * @template R
 * @typedef {object} Sorted
 * @property {R[]} rows In the chosen order.
 * @property {Part} select The control of a narrow window.
 * @property {(index: number) => Part} button The head of a column, which sorts by it.
 * @property {(index: number) => "ascending" | "descending" | "none"} direction
 */

/**
 * Compares two figures; a missing one is last in either order.
 * @param {Value} one
 * @param {Value} other
 * @param {boolean} isDescending
 */
export function compare(one, other, isDescending) {
  const [isMissing, isOtherMissing] = [one, other].map((value) => value === null || value === undefined);
  if (isMissing || isOtherMissing) {
    return Number(isMissing) - Number(isOtherMissing);
  }
  const order =
    typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other), "en");
  return isDescending ? -order : order;
}

/**
 * Brings the rows of a table into the order that a person has chosen, and builds the controls of that order.
 * @template {{ values?: Value[] }} R
 * @param {string} caption
 * @param {Column[]} columns
 * @param {R[]} rows
 * @param {Signal<Order | null>} chosen
 * @returns {Sorted<R>}
 */
export function sorted(caption, columns, rows, chosen) {
  const order = chosen.value;
  const valueOf = (/** @type {R} */ row, /** @type {number} */ column) => row.values?.[column];
  const sortBy = (/** @type {number} */ column) => {
    const isNumber = rows.some((row) => typeof valueOf(row, column) === "number");
    chosen.value = { column, isDescending: order?.column === column ? !order.isDescending : isNumber };
  };
  const change = (/** @type {Event} */ event) => {
    const { value } = fieldOf(event);
    if (value === "") {
      chosen.value = null;
    } else {
      sortBy(Number(value));
    }
  };
  const options = [
    { value: "", head: "Sort by" },
    ...columns.map(({ head }, index) => ({ value: String(index), head })),
  ];
  const current = order ? String(order.column) : "";
  const select = element(
    "select",
    { "aria-label": `Order of: ${caption}`, on: { change } },
    options.map(({ value, head }) => element("option", { value, selected: value === current }, head)),
  );
  return {
    rows: order
      ? rows.toSorted((a, b) => compare(valueOf(a, order.column), valueOf(b, order.column), order.isDescending))
      : rows,
    select: element("div", { class: "sort-by" }, select),
    button: (index) =>
      element("button", { type: "button", class: "sort", on: { click: () => sortBy(index) } }, columns[index].head),
    direction: (index) => (order?.column !== index ? "none" : order.isDescending ? "descending" : "ascending"),
  };
}
