// Tables: numbers aligned, rows named, sorted on demand, and rows that open. A narrow window shows three columns, and the
// rest of a row below it after a tap.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { element, part, textOf } from "../dom.js";
import { count, share } from "../format.js";
import { eventHead, modelInFull } from "../words.js";
import { explanation } from "./popover.js";
import { sorted } from "./sorting.js";

/** @import { Signal } from "@preact/signals" */
/** @import { Child, Children } from "../dom.js" */
/** @import { Models } from "../models.js" */
/** @import { Maybe } from "../format.js" */
/** @import { Order } from "./sorting.js" */
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
 * @property {Children[]} cells The first one names the row.
 * @property {Value[]} [values] The figures of the cells as the API serves them; a table whose rows have them is sorted on
 *   demand.
 * @property {boolean} [marked] True if it is the chosen row.
 * @property {Record<string, string>} [data] Attributes of the row, such as `data-game`.
 * @property {() => Children} [detail] The content of the opened row.
 * @property {boolean} [isOpened] True if it is open at first, as the address leads into it.
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
export const NARROW = "(max-width: 40rem)";

/**
 * @typedef {object} LongList
 * @property {(place: number) => boolean} isHidden
 * @property {Child} button
 */

/**
 * Ends a long list after its first rows, with a button that shows all of them: `Show all 120`.
 * @param {number} total The number of its rows.
 * @param {{ most?: number, isWhole?: boolean }} [options] Rows before the button; true for a list that is not to be cut.
 * @returns {LongList}
 */
export function useLongList(total, { most = LONG, isWhole = false } = {}) {
  const isAsked = useSignal(false);
  const isCut = total > most && !isWhole && !isAsked.value;
  const click = (/** @type {Event} */ { currentTarget }) => {
    const list = /** @type {Element} */ (currentTarget).parentElement;
    const next = /** @type {HTMLElement | null | undefined} */ (
      list?.querySelector("[role='row'][hidden]:not([id$='-more'])")
    );
    isAsked.value = true;
    // The focus goes on with the first row that was hidden.
    requestAnimationFrame(() => {
      next?.setAttribute("tabindex", "-1");
      next?.focus({ preventScroll: true });
    });
  };
  const button = element("button", { type: "button", class: "show-all", on: { click } }, `Show all ${count(total)}`);
  return { isHidden: (place) => isCut && place >= most, button: isCut && button };
}

/** @param {Content} content */
export function table(content) {
  const { caption, rows, empty = "There is nothing to show." } = content;
  return rows.length === 0
    ? element("p", { class: "empty" }, empty)
    : part(Table, { ...content, key: `table-${caption}` });
}

/** @param {Content} content */
function Table({ caption, columns, rows, most = LONG }) {
  const order = useSignal(/** @type {Order | null} */ (null));
  const isWide = useSignal(false);
  const scroll = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const place = scroll.current;
    const tell = () => (isWide.value = place !== null && place.scrollWidth > place.clientWidth + 1);
    const observer = new ResizeObserver(tell);
    if (place) {
      observer.observe(place);
    }
    return () => observer.disconnect();
  }, [isWide]);
  const isRest = restOf(columns);
  const list = useLongList(rows.length, { most, isWhole: rows.slice(most).some(({ isOpened }) => isOpened) });
  const isSortable = rows.length > 1 && rows.every(({ values }) => values);
  const ordered = isSortable ? sorted(caption, columns, rows, order) : null;
  const heads = columns.map(({ head, number, hint }, index) =>
    element(
      "th",
      {
        scope: "col",
        role: "columnheader",
        class: classes(number && "number", isRest[index] && "rest"),
        "aria-sort": ordered?.direction(index),
      },
      ordered ? ordered.button(index) : head,
      hint ? explanation(head, hint) : null,
    ),
  );
  const body = (ordered?.rows ?? rows).map((row, place) =>
    part(TableRow, { key: row.id, row, columns, isRest, isHidden: list.isHidden(place) }),
  );
  const made = element(
    "table",
    { role: "table", "data-columns": isRest.filter((rest) => !rest).length, on: { click: unfoldTapped } },
    element("caption", {}, element("span", {}, caption)),
    element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, heads)),
    element("tbody", { role: "rowgroup" }, body),
  );
  const hints = hintsOf(columns);
  return element(
    "div",
    { class: "tabular" },
    ordered?.select,
    element(
      "div",
      {
        class: isWide.value ? "scroll wide" : "scroll",
        role: "region",
        "aria-label": caption,
        tabindex: "0",
        ref: scroll,
      },
      made,
    ),
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
 * @param {MouseEvent} event
 */
function unfoldTapped({ target, currentTarget }) {
  if (!(target instanceof Element) || target.closest("a, button, input, label, [popover], .more")) {
    return;
  }
  const row = target.closest("tbody > tr");
  if (row?.closest("table") === currentTarget && matchMedia(NARROW).matches) {
    /** @type {HTMLElement | null} */ (row.querySelector(":scope > th :is(.opener, .unfold)"))?.click();
  }
}

/**
 * Returns the figures of a row: as the API serves them, or else as its cells show them.
 * @param {Row} row
 */
export function valuesOf({ values, cells }) {
  return values ?? cells.map((cell) => textOf(cell));
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
 * @param {Children[][]} words
 */
export function meanings(title, words) {
  const entries = words.flatMap(([word, meaning]) => [element("dt", {}, word), element("dd", {}, meaning)]);
  return element("details", { class: "meanings" }, element("summary", {}, title), element("dl", {}, entries));
}

/** @param {{ row: Row, columns: Column[], isRest: boolean[], isHidden: boolean }} props */
function TableRow({ row, columns, isRest, isHidden }) {
  const isOpen = useSignal(Boolean(row.isOpened));
  const isUnfolded = useSignal(false);
  const [name, ...rest] = row.cells;
  const { id, detail } = row;
  const cells = rest.map((cell, index) => {
    const column = columns[index + 1];
    return element("td", { role: "cell", class: classOf(column, isRest[index + 1]), "data-head": column.head }, cell);
  });
  const unfold = {
    ...{ type: "button", class: "unfold", "aria-label": "All figures of this row" },
    ...{ "aria-expanded": String(isUnfolded.value), on: { click: () => (isUnfolded.value = !isUnfolded.value) } },
  };
  const head = detail ? opener(id, name, isOpen) : [name, isRest.includes(true) && element("button", unfold)];
  return [
    element(
      "tr",
      { id, role: "row", class: row.marked && "marked", hidden: isHidden, ...row.data },
      element("th", { scope: "row", role: "rowheader" }, head),
      cells,
    ),
    detail &&
      element(
        "tr",
        { id: `${id}-more`, role: "row", class: "more", hidden: !isOpen.value },
        element("td", { role: "cell", colspan: columns.length }, isOpen.value && detail()),
      ),
  ];
}

/**
 * Builds the button that opens a part of the page, whose id is that of the part with `-more`.
 * @param {string} id
 * @param {Children} name
 * @param {Signal<boolean>} isOpen
 */
export function opener(id, name, isOpen) {
  return element(
    "button",
    {
      ...{ type: "button", id: `${id}-open`, class: "opener", "aria-controls": `${id}-more` },
      ...{ "aria-expanded": String(isOpen.value), on: { click: () => (isOpen.value = !isOpen.value) } },
    },
    name,
  );
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
