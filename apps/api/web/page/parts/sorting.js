// The order of a table's rows, by the figures of a column.

import { element } from "../dom.js";

/** @import { Column, Value } from "./table.js" */
/** @typedef {{ values: Value[], elements: HTMLElement[] }} Group The elements of a row: it, and what it opens. */
/** @typedef {{ column: number, isDescending: boolean }} Order */

/**
 * The chosen order of each table, which stays when it is rebuilt.
 * @type {Map<string, Order>}
 */
const chosen = new Map();

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
 * @param {HTMLElement} body
 * @param {Group[]} groups
 */
export function arrange(body, groups) {
  body.append(...groups.flatMap(({ elements }) => elements));
}

/**
 * Builds the controls of a table's order, and brings its rows into the chosen one.
 * @param {string} caption
 * @param {Column[]} columns
 * @param {Group[]} groups
 * @param {HTMLElement} body
 * @param {(groups: Group[]) => void} onOrder Hears of every order of the rows.
 */
export function sorter(caption, columns, groups, body, onOrder) {
  /** @type {HTMLElement[]} */
  let heads = [];
  const select = element(
    "select",
    { "aria-label": `Order of: ${caption}` },
    element("option", { value: "" }, "Sort by"),
    columns.map(({ head }, index) => element("option", { value: index }, head)),
  );
  const isNumber = (/** @type {number} */ column) => groups.some(({ values }) => typeof values[column] === "number");
  const show = () => {
    const order = chosen.get(caption);
    const sorted = order
      ? groups.toSorted((a, b) => compare(a.values[order.column], b.values[order.column], order.isDescending))
      : groups;
    arrange(body, sorted);
    onOrder(sorted);
    select.value = order ? String(order.column) : "";
    heads.forEach((head, index) => {
      const direction = order?.isDescending ? "descending" : "ascending";
      head.setAttribute("aria-sort", order?.column === index ? direction : "none");
    });
  };
  const sortBy = (/** @type {number} */ column) => {
    const order = chosen.get(caption);
    const isSame = order?.column === column;
    chosen.set(caption, { column, isDescending: isSame ? !order.isDescending : isNumber(column) });
    show();
  };
  select.addEventListener("change", () => {
    if (select.value === "") {
      chosen.delete(caption);
      show();
    } else {
      sortBy(Number(select.value));
    }
  });
  const buttons = columns.map(({ head }, index) =>
    element("button", { type: "button", class: "sort", on: { click: () => sortBy(index) } }, head),
  );
  const mark = (/** @type {HTMLElement[]} */ made) => {
    heads = made;
    show();
  };
  return { select: element("div", { class: "sort-by" }, select), buttons, mark };
}
