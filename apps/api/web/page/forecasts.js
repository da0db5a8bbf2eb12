// What happened in a game of the results.

import { entryOf } from "./models.js";

/** @import { components } from "openapi" */
/** @import { Maybe } from "./format.js" */
/** @import { Market } from "./words.js" */
/** @typedef {components["schemas"]["ResultRow"]} Row A game of the results; models are among its fields. */

/**
 * The column of the outcome, by market.
 * @type {Record<Market, string>}
 */
const OUTCOMES = { over_under: "over", won_on_points: "won_on_points", won_on_spread: "won_on_spread" };

/**
 * Returns whether the positive side won; null without an outcome or at a push, although its outcome column is 0.
 * @param {Row} game
 * @param {Market} market
 * @returns {boolean | null}
 */
export function outcomeOf(game, market) {
  return game.push === false ? Boolean(game[OUTCOMES[market]]) : null;
}

/**
 * Returns a figure of a row of the API, such as the probability of a model, a line or a price; null if it has no such number.
 * @param {object} row
 * @param {string} field
 */
export function figureIn(row, field) {
  const value = entryOf(/** @type {Record<string, unknown>} */ (row), field);
  return typeof value === "number" ? value : null;
}

/**
 * Returns all figures of a row of the API by their fields.
 * @param {object} row
 * @returns {Record<string, Maybe>}
 */
export function figuresIn(row) {
  return Object.fromEntries(Object.keys(row).map((field) => [field, figureIn(row, field)]));
}
