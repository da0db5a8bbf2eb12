// Tables: numbers aligned, rows named, sorted on demand, and rows that open. A narrow window shows three columns, and the
// rest of a row below it after a tap.

import { element } from "../dom.js";
import { count, share } from "../format.js";
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
 * @property {boolean} [brief] True if a narrow window shows it without a tap, beside the first one: of two columns at most. If
 *   no column says so, the second and the third are shown.
 */
/**
 * @typedef {object} Row
 * @property {string} id Names the row among all of the page.
 * @property {(Child | Child[])[]} cells The first one names the row.
 * @property {Value[]} [values] The figures of the cells as the API serves them; a table whose rows have them is sorted on
 *   demand.
 * @property {boolean} [marked] True if it is the chosen row.
 * @property {Record<string, string>} [data] Attributes of the row, such as `data-game`.
 * @property {() => Node} [detail] The content of the opened row.
 */
/**
 * @typedef {object} Content
 * @property {string} caption
 * @property {Column[]} columns
 * @property {Row[]} rows
 * @property {string} [empty] The text in place of a table without rows.
 * @property {number} [most] The rows before “Show all”.
 */

/** The rows of a list before “Show all”, unless the list says otherwise. */
export const LONG = 20;

/** The columns of a table in a narrow window. */
const NARROW_COLUMNS = 3;

/** The width of a narrow window, as the style sheets have it. */
const NARROW = "(max-width: 40rem)";

/** The open rows, which stay open when their table is rebuilt. */
const open = new Set();

/** The rows whose rest a person has asked for in a narrow window. */
const unfolded = new Set();

/** The lists that a person has asked for whole, which stay so when they are rebuilt. */
const whole = new Set();

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

/**
 * Ends a long list after its first rows, and builds the button that shows all of them: `Show all 120`.
 * @param {string} name Names the list among all of the page.
 * @param {number} total The number of its rows.
 * @param {{ most?: number, isWhole?: boolean }} [options] Rows before the button; true for a list that is not to be cut.
 */
export function longList(name, total, { most = LONG, isWhole = false } = {}) {
  let isCut = total > most && !isWhole && !whole.has(name);
  /** @type {HTMLElement[]} */
  let rows = [];
  /** Hides the rows beyond the first ones. @param {HTMLElement[]} ordered */
  const cut = (ordered) => {
    rows = ordered;
    rows.forEach((row, place) => (row.hidden = isCut && place >= most));
  };
  const showAll = () => {
    isCut = false;
    whole.add(name);
    cut(rows);
    button?.remove();
    // The focus goes on with the first row that was hidden.
    rows[most].tabIndex = -1;
    rows[most].focus({ preventScroll: true });
  };
  const button = isCut
    ? element("button", { type: "button", class: "show-all", on: { click: showAll } }, `Show all ${count(total)}`)
    : null;
  return { cut, button };
}

/** @param {Content} content */
export function table({ caption, columns, rows, empty = "There is nothing to show.", most = LONG }) {
  if (rows.length === 0) {
    return element("p", { class: "empty" }, empty);
  }
  const body = element("tbody", { role: "rowgroup" });
  const isRest = restOf(columns);
  const groups = rows.map((row) => ({ values: valuesOf(row), elements: rowElements(row, columns, isRest) }));
  const list = longList(caption, rows.length, { most, isWhole: rows.slice(most).some(({ id }) => open.has(id)) });
  const onOrder = (/** @type {{ elements: HTMLElement[] }[]} */ ordered) =>
    list.cut(ordered.map(({ elements: [row] }) => row));
  const isSorted = rows.length > 1 && rows.every(({ values }) => values);
  const tools = isSorted ? sorter(caption, columns, groups, body, onOrder) : null;
  if (!tools) {
    arrange(body, groups);
    onOrder(groups);
  }
  const heads = columns.map(({ head, number, hint }, index) =>
    element(
      "th",
      { scope: "col", role: "columnheader", class: classes(number && "number", isRest[index] && "rest") },
      tools ? tools.buttons[index] : head,
      hint ? explanation(head, hint) : null,
    ),
  );
  tools?.mark(heads);
  const made = element(
    "table",
    { role: "table", "data-columns": isRest.filter((rest) => !rest).length },
    element("caption", {}, element("span", {}, caption)),
    element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, heads)),
    body,
  );
  made.addEventListener("click", (event) => unfoldTapped(made, event));
  const scroll = element("div", { class: "scroll", role: "region", "aria-label": caption, tabindex: "0" }, made);
  new ResizeObserver(() => scroll.classList.toggle("wide", made.scrollWidth > scroll.clientWidth + 1)).observe(scroll);
  const hints = hintsOf(columns);
  return element(
    "div",
    { class: "tabular" },
    tools?.select,
    scroll,
    list.button,
    hints.length > 0 && meanings("What the columns mean", hints),
  );
}

/**
 * Returns for each column whether a narrow window shows it after a tap alone.
 * @param {Column[]} columns
 */
function restOf(columns) {
  if (columns.length <= NARROW_COLUMNS) {
    return columns.map(() => false);
  }
  const isChosen = columns.some(({ brief }) => brief);
  return columns.map(({ brief }, index) => index > 0 && (isChosen ? !brief : index >= NARROW_COLUMNS));
}

/**
 * Opens or closes a row that was tapped anywhere in a narrow window.
 * @param {HTMLTableElement} table
 * @param {Event} event
 */
function unfoldTapped(table, { target }) {
  if (!(target instanceof Element) || target.closest("a, button, input, label, [popover], .more")) {
    return;
  }
  const row = target.closest("tbody > tr");
  if (row?.closest("table") === table && matchMedia(NARROW).matches) {
    /** @type {HTMLElement | null} */ (row.querySelector(":scope > th :is(.opener, .unfold)"))?.click();
  }
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
 * @param {boolean[]} isRest
 */
function rowElements(row, columns, isRest) {
  const [name, ...rest] = row.cells;
  const cells = rest.map((cell, index) => {
    const column = columns[index + 1];
    return element("td", { role: "cell", class: classOf(column, isRest[index + 1]), "data-head": column.head }, cell);
  });
  const { detail } = row;
  const attributes = { id: row.id, role: "row", class: row.marked && "marked", ...row.data };
  const head = (/** @type {(Child | Child[])[]} */ ...content) =>
    element("tr", attributes, element("th", { scope: "row", role: "rowheader" }, ...content), ...cells);
  if (!detail) {
    return [isRest.includes(true) ? head(name, unfolder(row.id)) : head(name)];
  }
  const content = element("td", { role: "cell", colspan: columns.length });
  const opened = element("tr", { id: `${row.id}-more`, role: "row", class: "more", hidden: true }, content);
  return [head(opener(row.id, opened, name, () => content.replaceChildren(detail()))), opened];
}

/**
 * Builds the button that a narrow window has for the rest of a row.
 * @param {string} id
 */
function unfolder(id) {
  const button = element("button", {
    type: "button",
    class: "unfold",
    "aria-label": "All figures of this row",
    "aria-expanded": String(unfolded.has(id)),
  });
  button.addEventListener("click", () => {
    const isOpen = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(isOpen));
    unfolded[isOpen ? "add" : "delete"](id);
  });
  return button;
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

/**
 * @param {Column} column
 * @param {boolean} isRest
 */
function classOf({ number, line }, isRest) {
  return classes(number ? "number" : line && "line", isRest && "rest");
}

/** @param {...(string | false | undefined)} names */
function classes(...names) {
  return names.filter(Boolean).join(" ") || null;
}
