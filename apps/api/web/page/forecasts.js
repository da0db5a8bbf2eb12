// What happened in a game of the results.

/** @import { Market } from "./words.js" */
/** @typedef {Record<string, any>} Row A game of the results, as the API serves it. */

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
