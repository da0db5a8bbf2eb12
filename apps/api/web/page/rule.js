// A rule of the reader's own: its parameters in the address, its backtest, and the rules tried in this tab.

import { carried, write } from "./address.js";
import { addressOf, get } from "./api.js";

/** @import { Answer } from "./api.js" */
/** @import { Address } from "./address.js" */
/** @typedef {Answer<"/api/v1/backtest/{sport}/{model_type}">} Backtest */

/** The parameters of a rule, by which the address names it. The page counts `tried` itself. */
export const PARAMETERS =
  "model season from to forecast_source hours_before bet side min_edge max_edge min_ev max_ev min_probability max_probability min_price max_price min_line max_line line_move agree models team weekday month stake fraction max_stake".split(
    " ",
  );

/** The place of the tried rules in the tab: the sentence of each rule, by the address that named it. */
const PLACE = "tried-rules";

/** The most rules that the API counts. */
const MOST = 100_000;

/** Returns whether the address names a rule of the reader's own. @param {Address} address */
export function isOwn({ options }) {
  return options.get("rule") === "own";
}

/** Returns the addresses of both parts of Strategies. @param {Address} address */
export function partsOf(address) {
  // The models of curves, which other views have, are no condition of a rule.
  const own = { rule: "own", strategy: null, strategies: null, models: null };
  return isOwn(address)
    ? { sixteen: write(carried(address)), own: write(address) }
    : { sixteen: write(address), own: write(address, {}, own) };
}

/**
 * Returns the request of the rule that an address names.
 * @param {Address} address
 * @param {number} [tried]
 */
export function callOf({ league: sport, market: model_type, options }, tried) {
  const query = Object.fromEntries(PARAMETERS.map((name) => [name, options.get(name)]));
  return {
    template: /** @type {const} */ ("/api/v1/backtest/{sport}/{model_type}"),
    path: { sport, model_type },
    query: { ...query, tried },
  };
}

/** Returns the tried rules. @returns {Record<string, string>} */
function triedRules() {
  return JSON.parse(sessionStorage.getItem(PLACE) ?? "{}");
}

/** Returns the number of different rules. @param {Record<string, string>} rules */
function numberOf(rules) {
  return Math.min(MOST, new Set(Object.values(rules)).size);
}

/**
 * Requests the backtest of the rule in the address, with the number of rules tried in this tab, this one included. Rules with one
 * sentence are one rule, so a new spelling of a tried one is requested once more, with the right number.
 * @param {Address} address
 * @param {AbortSignal} signal
 * @returns {Promise<Backtest>}
 */
export async function backtest(address, signal) {
  const { template, path, query } = callOf(address);
  const name = addressOf(template, path, query).href;
  const ask = (/** @type {number} */ tried) => get(template, { path, query: { ...query, tried }, signal });
  const before = triedRules();
  const answer = await ask(numberOf({ ...before, [name]: before[name] ?? name }));
  const rules = { ...triedRules(), [name]: answer.rule.sentence };
  sessionStorage.setItem(PLACE, JSON.stringify(rules));
  return answer.search.tried === numberOf(rules) ? answer : ask(numberOf(rules));
}
