// Records as they are printed: won, lost and pushed, with the counts as attributes.

import { element } from "../dom.js";
import { count } from "../format.js";

/** @import { Tally } from "../followed.js" */

/** Formats a record: `430–177`, with pushes `17–20–2`. @param {Tally} record */
export function wonLost({ won, lost, pushed }) {
  return [won, lost, ...(pushed > 0 ? [pushed] : [])].map(count).join("–");
}

/**
 * Prints the record of a model.
 * @param {string} model
 * @param {Tally} record
 * @param {string} [text]
 */
export function printedRecord(model, record, text = wonLost(record)) {
  return printed({ "data-record": model }, record, text);
}

/**
 * Prints the baseline beside a record: that of the book's favourite.
 * @param {Tally} record
 * @param {string} [text]
 */
export function printedBaseline(record, text = wonLost(record)) {
  return printed({ "data-baseline": "IMPLIED" }, record, text);
}

/**
 * @param {Record<string, string>} name
 * @param {Tally} record
 * @param {string} text
 */
function printed(name, { won, lost, pushed }, text) {
  return element("span", { ...name, "data-won": won, "data-lost": lost, "data-pushed": pushed }, text);
}
