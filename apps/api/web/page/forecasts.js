// Forecasts and what happened: which side a model picked, and whether that side won.

import { entryOf } from "./models.js";

/** @import { Maybe } from "./format.js" */
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

/**
 * Returns whether the side won to which a model gave more than one half; null if it picked no side, or the game is not graded.
 * @param {Row} game
 * @param {Market} market
 * @param {string} model
 * @returns {boolean | null}
 */
export function isHit(game, market, model) {
  const [probability, outcome] = [/** @type {Maybe} */ (entryOf(game, model)), outcomeOf(game, market)];
  if (!game.graded || typeof probability !== "number" || probability === 0.5 || outcome === null) {
    return null;
  }
  return probability > 0.5 === outcome;
}
