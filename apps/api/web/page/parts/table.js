// Tables: numbers aligned, rows named, sorted on demand, and rows that open. A narrow window shows them as cards.

import { element } from "../dom.js";
import { share } from "../format.js";
import { eventHead, modelInFull } from "../words.js";
import { explanation } from "./popover.js";
import { arrange, sorter } from "./sorting.js";

/** @import { Child } from "../dom.js" */
/** @import { Models } from "../models.js" */
/** @import { Maybe } from "../format.js" */
/** @import { Market } from "../words.js" */
/** @typedef {string | number | null | undefined} Value */
/**
 * @typedef {object} Column
 * @property {string} head
 * @property {boolean} [number] Its cells are aligned.
 * @property {boolean} [line] Its cells are on one line each.
 * @property {string} [hint] Its meaning, if its head needs an explanation.
 */
/**
 * @typedef {object} Row
 * @property {string} id Names the row among all of the page.
 * @property {(Child | Child[])[]} cells The first one names the row.
 * @property {Value[]} [values] The figures of the cells as the API serves them; a table whose rows have them is sorted on
 *   demand.
 * @property {boolean} [marked] True if it is the chosen row.
 * @property {() => Node} [detail] The content of the opened row.
 */
/** @typedef {{ caption: string, columns: Column[], rows: Row[], empty?: string }} Content */

/** The open rows, which stay open when their table is rebuilt. */
const open = new Set();

/** The rows that a link has opened, once each: a row that a person closed afterwards stays closed. */
const followed = new Set();

/**
 * Opens a row when it is built, because the address names what is in it.
 * @param {string} id
 */
export function openOnce(id) {
  if (!followed.has(id)) {
    followed.add(id);
    open.add(id);
  }
}

/** @param {Content} content */
export function table({ caption, columns, rows, empty = "There is nothing to show." }) {
  if (rows.length === 0) {
    return element("p", { class: "empty" }, empty);
  }
  const body = element("tbody", { role: "rowgroup" });
  const groups = rows.map((row) => ({ values: valuesOf(row), elements: rowElements(row, columns) }));
  const tools = rows.length > 1 && rows.every(({ values }) => values) ? sorter(caption, columns, groups, body) : null;
  if (!tools) {
    arrange(body, groups);
  }
  const heads = columns.map(({ head, number, hint }, index) =>
    element(
      "th",
      { scope: "col", role: "columnheader", class: number && "number" },
      tools ? tools.buttons[index] : head,
      hint ? explanation(head, hint) : null,
    ),
  );
  tools?.mark(heads);
  const made = element(
    "table",
    { role: "table" },
    element("caption", {}, element("span", {}, caption)),
    element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, heads)),
    body,
  );
  const scroll = element("div", { class: "scroll", role: "region", "aria-label": caption, tabindex: "0" }, made);
  new ResizeObserver(() => scroll.classList.toggle("wide", made.scrollWidth > scroll.clientWidth + 1)).observe(scroll);
  const hints = hintsOf(columns);
  return element(
    "div",
    { class: "tabular" },
    tools?.select,
    scroll,
    hints.length > 0 && meanings("What the columns mean", hints),
  );
}

/**
 * Returns the figures of a row: as the API serves them, or else as its cells show them.
 * @param {Row} row
 */
export function valuesOf({ values, cells }) {
  return values ?? cells.map((cell) => element("span", {}, cell).textContent);
}

/**
 * Builds the legend of columns; columns of the same meaning are named together.
 * @param {Column[]} columns
 */
function hintsOf(columns) {
  const hints = new Set(columns.flatMap(({ hint }) => hint ?? []));
  return [...hints].map((hint) => {
    const meant = columns.filter((column) => column.hint === hint);
    return [meant.map(({ head }) => head).join(", "), hint];
  });
}

/**
 * Builds the list of every model's probability of a game.
 * @param {string} game
 * @param {Record<string, Maybe>} models
 * @param {Models} league
 * @param {Market} market
 */
export function modelTable(game, models, league, market) {
  const rows = Object.entries(models).map(([model, probability]) => ({
    id: `model-${`${game}-`.replace(/[^A-Za-z0-9]+/g, "-")}${model}`,
    cells: [league.label(model, modelInFull(model)), share(probability)],
    values: [model, probability],
  }));
  const columns = [{ head: "Model" }, { head: eventHead(market), number: true }];
  return table({ caption: `${game}: every model`, columns, rows, empty: "No model gave a probability." });
}

/**
 * Builds a folded list of terms and their meanings.
 * @param {string} title
 * @param {(Child | Child[])[][]} words
 */
export function meanings(title, words) {
  const entries = words.flatMap(([word, meaning]) => [element("dt", {}, word), element("dd", {}, meaning)]);
  return element("details", { class: "meanings" }, element("summary", {}, title), element("dl", {}, entries));
}

/**
 * @param {Row} row
 * @param {Column[]} columns
 */
function rowElements(row, columns) {
  const [name, ...rest] = row.cells;
  const cells = rest.map((cell, index) => {
    const column = columns[index + 1];
    return element("td", { role: "cell", class: classOf(column), "data-head": column.head }, cell);
  });
  const { detail } = row;
  const attributes = { id: row.id, role: "row", class: row.marked && "marked" };
  if (!detail) {
    return [element("tr", attributes, element("th", { scope: "row", role: "rowheader" }, name), ...cells)];
  }
  const content = element("td", { role: "cell", colspan: columns.length });
  const opened = element("tr", { id: `${row.id}-more`, role: "row", class: "more", hidden: true }, content);
  const button = opener(row.id, opened, name, () => content.replaceChildren(detail()));
  return [element("tr", attributes, element("th", { scope: "row", role: "rowheader" }, button), ...cells), opened];
}

/**
 * Builds the button that opens a part of the page; an open part stays open when it is rebuilt.
 * @param {string} id
 * @param {HTMLElement} opened
 * @param {Child | Child[]} name
 * @param {() => void} fill
 */
export function opener(id, opened, name, fill) {
  const button = element(
    "button",
    { type: "button", id: `${id}-open`, class: "opener", "aria-controls": opened.id },
    name,
  );
  const show = (/** @type {boolean} */ isOpen) => {
    button.setAttribute("aria-expanded", String(isOpen));
    opened.hidden = !isOpen;
    if (isOpen) {
      open.add(id);
      fill();
    } else {
      open.delete(id);
    }
  };
  button.addEventListener("click", () => show(opened.hidden));
  show(open.has(id));
  return button;
}

/** @param {Column} column */
function classOf({ number, line }) {
  return number ? "number" : line && "line";
}
