// Tables: numbers aligned, rows named, and rows that open.

import { element } from "../dom.js";
import { share } from "../format.js";
import { eventHead, modelInFull } from "../words.js";

/** @import { Child } from "../dom.js" */
/** @import { Models } from "../models.js" */
/** @import { Maybe } from "../format.js" */
/** @import { Market } from "../words.js" */
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
 * @property {boolean} [marked] True if it is the chosen row.
 * @property {() => Node} [detail] The content of the opened row.
 */

/** The open rows, which stay open when their table is rebuilt. */
const open = new Set();

/**
 * @param {{ caption: string, columns: Column[], rows: Row[], empty?: string }} content
 */
export function table({ caption, columns, rows, empty = "There is nothing to show." }) {
  if (rows.length === 0) {
    return element("p", { class: "empty" }, empty);
  }
  const heads = columns.map(({ head, number }) => element("th", { scope: "col", class: number && "number" }, head));
  const body = element("tbody", {}, ...rows.flatMap((row) => rowElements(row, columns)));
  const made = element(
    "table",
    {},
    element("caption", {}, element("span", {}, caption)),
    element("thead", {}, element("tr", {}, heads)),
    body,
  );
  const scroll = element("div", { class: "scroll", role: "region", "aria-label": caption, tabindex: "0" }, made);
  const hints = hintsOf(columns);
  return hints.length > 0 ? element("div", {}, scroll, meanings("What the columns mean", hints)) : scroll;
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
  }));
  const columns = [{ head: "Model" }, { head: eventHead(market), number: true }];
  return table({ caption: `${game}: every model`, columns, rows, empty: "No model gave a probability." });
}

/**
 * Builds a folded list of terms and their meanings.
 * @param {string} title
 * @param {string[][]} words
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
  const cells = rest.map((cell, index) => element("td", { class: classOf(columns[index + 1]) }, cell));
  const { detail } = row;
  if (!detail) {
    const head = element("th", { scope: "row" }, name);
    return [element("tr", { id: row.id, class: row.marked && "marked" }, head, ...cells)];
  }
  const content = element("td", { colspan: columns.length });
  const opened = element("tr", { id: `${row.id}-more`, class: "more", hidden: true }, content);
  const button = element(
    "button",
    { type: "button", id: `${row.id}-open`, class: "opener", "aria-controls": opened.id },
    name,
  );
  const show = (/** @type {boolean} */ isOpen) => {
    button.setAttribute("aria-expanded", String(isOpen));
    opened.hidden = !isOpen;
    if (isOpen) {
      open.add(row.id);
      content.replaceChildren(detail());
    } else {
      open.delete(row.id);
    }
  };
  button.addEventListener("click", () => show(opened.hidden));
  show(open.has(row.id));
  const head = element("th", { scope: "row" }, button);
  return [element("tr", { id: row.id, class: row.marked && "marked" }, head, ...cells), opened];
}

/** @param {Column} column */
function classOf({ number, line }) {
  return number ? "number" : line && "line";
}
