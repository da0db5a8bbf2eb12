// A league's slate, in the form of the page: with a key all data, without one the free games.

import { Refusal, get, getIfThere } from "./api.js";
import { key } from "./key.js";
import { Models, STANDARD_MODEL, entryOf, modelsOf, ofModel } from "./models.js";
import { generationOf } from "./parts/moments.js";
import { POSTED, PUBLIC_MARKETS, sides, teamName } from "./words.js";

/** @import { Answer } from "./api.js" */
/** @import { Address } from "./address.js" */
/** @import { Maybe } from "./format.js" */
/** @import { Call } from "./parts/calls.js" */
/** @import { LeagueStatus } from "./parts/status.js" */
/** @import { Market } from "./words.js" */
/** @typedef {Answer<"/api/v1/markets/{sport}">["games"][number]} Compared */
/**
 * A game in the form of the page, from either source.
 * @typedef {object} Game
 * @property {string} id
 * @property {string} date
 * @property {string} time
 * @property {string} away
 * @property {string} home
 * @property {Record<string, Maybe>} models
 * @property {Record<string, Maybe>} lines Lines, openers and expected values, by the names of the API.
 * @property {Record<string, Maybe>} [posted] The same lines as they are posted now.
 * @property {Compared} [compared] Its prices on the prediction market.
 * @property {boolean} held
 */
/**
 * @typedef {object} Slate
 * @property {Game[]} games
 * @property {Models} league
 * @property {string[]} models The models with a probability of a game, the market included.
 * @property {string} model The model of expected values, edges and free picks.
 * @property {string} published
 * @property {Call[]} calls The requests that it comes from.
 * @property {string | null} [quoted] The time of the prediction market's prices.
 * @property {boolean} [isPast] True if it is the slate of an earlier moment.
 * @property {boolean} [isFree] True if it is the free slate.
 * @property {Refusal} [refusal] The refusal of the key, if the slate is free because of it.
 */

const PREDICTIONS = "/api/v1/predictions/{sport}/{model_type}";
const ODDS = "/api/v1/odds/{sport}";
const FREE = "/api/v1/public/ml-picks/{sport}/{market}";

/**
 * Requests today's games with all data behind the key; the free games without a key, or with a refused one. Free games
 * are current, so a refusal of an earlier moment is the caller's.
 * @param {Address} address
 * @param {AbortSignal} signal
 * @returns {Promise<Slate>}
 */
export async function slateOf(address, signal) {
  const isPast = generationOf(address) !== null;
  if (key() === null && !isPast) {
    return freeSlate(address, signal);
  }
  try {
    return await fullSlate(address, signal);
  } catch (error) {
    if (error instanceof Refusal && error.status === 401 && !isPast) {
      return { ...(await freeSlate(address, signal)), refusal: error };
    }
    throw error;
  }
}

/**
 * @param {Address} address
 * @param {AbortSignal} signal
 * @returns {Promise<Slate>}
 */
async function fullSlate(address, signal) {
  const { league: sport, market: model_type } = address;
  const generation = generationOf(address);
  const [league, odds, [predictions, compared]] = await Promise.all([
    modelsOf(address, signal),
    getIfThere(ODDS, { path: { sport }, query: { generation }, signal }),
    ofModel(address, (model) => forecasts(address, model, signal)),
  ]);
  const posted = new Map(odds?.games.map((game) => [identity(game), game]));
  const prices = new Map(compared?.games.map((game) => [identity(game), game]));
  const games = predictions.games.map((game) => ({
    ...slateGame(game, teamName(game.away_team), teamName(game.home_team)),
    models: game.predictions,
    lines: /** @type {Record<string, any>} */ (game),
    posted: /** @type {Record<string, any> | undefined} */ (posted.get(identity(game))),
    compared: prices.get(identity(game)),
  }));
  const { models_used: models, model = STANDARD_MODEL, predictions_date: published } = predictions;
  /** @type {Call[]} */
  const calls = [{ template: PREDICTIONS, path: { sport, model_type }, query: { model, generation } }];
  if (odds) {
    calls.push({ template: ODDS, path: { sport }, query: { generation } });
  }
  if (compared) {
    calls.push({ template: "/api/v1/markets/{sport}", path: { sport }, query: { model } });
  }
  return { games, league, models, model, published, quoted: compared?.as_of, isPast: generation !== null, calls };
}

/**
 * Requests the predictions and, for current moneylines, their comparison with the prediction market.
 * @param {Address} address
 * @param {string | null} model
 * @param {AbortSignal} signal
 */
function forecasts(address, model, signal) {
  const { league: sport, market: model_type } = address;
  const generation = generationOf(address);
  const isCompared = model_type === "won_on_points" && generation === null;
  return Promise.all([
    get(PREDICTIONS, { path: { sport, model_type }, query: { model, generation }, signal }),
    isCompared ? get("/api/v1/markets/{sport}", { path: { sport }, query: { model }, signal }) : null,
  ]);
}

/**
 * @param {Address} address
 * @param {AbortSignal} signal
 * @returns {Promise<Slate>}
 */
async function freeSlate(address, signal) {
  const path = { sport: address.league, market: PUBLIC_MARKETS[address.market] };
  const picked = await ofModel(address, (model) => get(FREE, { path, query: { model }, signal }));
  const games = picked.games.map((game) => ({
    ...slateGame(game, game.away_team, game.home_team),
    models: game.models,
    lines: /** @type {Record<string, any>} */ (game.lines),
  }));
  const { models_used: models, model = STANDARD_MODEL, predictions_date: published } = picked;
  /** @type {Call[]} */
  const calls = [{ template: FREE, path, query: { model }, isPublic: true }];
  return { games, league: new Models(null, models), models, model, published, isFree: true, calls };
}

/**
 * @param {{ game_id: string, date: string, time?: string | null }} game
 * @param {string} away
 * @param {string} home
 */
function slateGame({ game_id: id, date, time }, away, home) {
  return { id, date, time: time ?? "", away, home, held: false };
}

/**
 * Returns the identity of a game, as the API defines it; times of the comparison have no seconds.
 * @param {{ date: string, time?: string | null, away_team: string, home_team: string }} game
 */
export function identity({ date, time, away_team: away, home_team: home }) {
  return [date, (time ?? "").slice(0, 5), away, home].join(" ");
}

/**
 * @param {Game[]} games
 * @param {LeagueStatus} status
 * @param {Market} market
 */
export function markHeld(games, status, market) {
  // Held games have slugs, and free picks have names.
  const letters = (/** @type {string} */ name) => name.toLowerCase().replace(/[^a-z0-9]+/g, "");
  const spelled = (/** @type {[string, string, string, string]} */ parts) => parts.map(letters).join(" ");
  const held = new Set(
    status.markets[market].held_games.map((game) =>
      spelled([game.date, game.time_est ?? "", teamName(game.away_team), teamName(game.home_team)]),
    ),
  );
  games.forEach((game) => (game.held = held.has(spelled([game.date, game.time, game.away, game.home]))));
}

/**
 * The expected values of both sides, the positive one first.
 * @type {Record<Market, [string, string]>}
 */
export const EXPECTED_VALUES = {
  over_under: ["ev_pos", "ev_neg"],
  won_on_points: ["ev_home_ml", "ev_away_ml"],
  won_on_spread: ["ev_home_spread", "ev_away_spread"],
};

/**
 * The prices of both sides, the positive one first.
 * @type {Record<Market, [string, string]>}
 */
const PRICES = {
  over_under: ["over_line", "under_line"],
  won_on_points: ["home_money_line", "away_money_line"],
  won_on_spread: ["home_point_spread_line", "away_point_spread_line"],
};

/**
 * @param {Game} game
 * @param {Market} market
 */
export function hasExpected({ lines }, market) {
  return EXPECTED_VALUES[market].some((field) => lines[field] !== undefined);
}

/**
 * Returns the market's probability: from the current moneylines if they are compared with the prediction market, since
 * the edge refers to them; else from the prices of the forecast.
 * @param {Game} game
 */
export function book({ compared, models }) {
  return compared ? compared.book_home : models.IMPLIED;
}

/**
 * The side of a game with the larger expected value.
 * @typedef {object} Favoured
 * @property {string} name The side in the market's words: a team with its spread, or over and the total.
 * @property {number | null} edge The model's probability of the side less the book's.
 * @property {Maybe} value The expected value at the price.
 * @property {Maybe} price
 */

/**
 * Returns the side with the larger expected value; without values the one to which the model gives more than the book does.
 * @param {Game} game
 * @param {Market} market
 * @param {string} model
 * @returns {Favoured}
 */
export function favoured(game, market, model) {
  const [forecast, implied] = [entryOf(game.models, model), book(game)];
  const gap = typeof forecast === "number" && typeof implied === "number" ? forecast - implied : null;
  const [positive, negative] = EXPECTED_VALUES[market].map((field) => game.lines[field]);
  const hasValues = typeof positive === "number" && typeof negative === "number";
  const isPositive = hasValues ? positive >= negative : (gap ?? 0) >= 0;
  const place = isPositive ? 0 : 1;
  return {
    name: sideName(game, market, sides(market)[place]),
    edge: gap === null ? null : isPositive ? gap : -gap,
    value: isPositive ? positive : negative,
    price: game.lines[PRICES[market][place]],
  };
}

/**
 * Returns the line of a total or a spread, as it opened and as it is now; null for a moneyline, or without either.
 * @param {Game} game
 * @param {Market} market
 */
export function lineOf({ lines, posted }, market) {
  const line = market === "won_on_points" ? undefined : POSTED[market].find(({ opener }) => opener);
  const [opened, now] = line ? [lines[line.opener ?? ""], (posted ?? lines)[line.field]] : [];
  return line && typeof opened === "number" && typeof now === "number" ? { ...line, opened, now } : null;
}

/**
 * @param {Game} game
 * @param {Market} market
 * @param {string} side
 */
function sideName({ away, home, lines }, market, side) {
  if (market === "over_under") {
    return `${side === "over" ? "Over" : "Under"} ${POSTED[market][0].write(lines.over_under)}`;
  }
  const team = side === "home" ? home : away;
  const line = POSTED.won_on_spread.find(({ field }) => field === `${side}_point_spread`);
  return market === "won_on_spread" && line ? `${team} ${line.write(lines[line.field])}` : team;
}
