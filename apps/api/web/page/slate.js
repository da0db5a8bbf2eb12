// A league's slate, in the form of the page: with a key all data, without one the free games.

import { Refusal, get, getIfThere } from "./api.js";
import { PRICES, taken } from "./followed.js";
import { figuresIn } from "./forecasts.js";
import { key } from "./key.js";
import { Models, STANDARD_MODEL, entryOf, modelsOf, ofModel } from "./models.js";
import { generationOf } from "./parts/moments.js";
import { teamsOf } from "./teams.js";
import { POSTED, PUBLIC_MARKETS, capitalised, sides, teamName } from "./words.js";

/** @import { Answer } from "./api.js" */
/** @import { Address } from "./address.js" */
/** @import { Of, Taken } from "./followed.js" */
/** @import { Maybe } from "./format.js" */
/** @import { Call } from "./parts/calls.js" */
/** @import { LeagueStatus } from "./parts/status.js" */
/** @import { TeamNames } from "./teams.js" */
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
 * @property {{ away: string, home: string }} teams The teams as the source names them: slugs, or names.
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
 * @property {TeamNames} teams
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
  const [league, teams, odds, [predictions, compared]] = await Promise.all([
    modelsOf(address, signal),
    teamsOf(sport),
    getIfThere(ODDS, { path: { sport }, query: { generation }, signal }),
    ofModel(address, (model) => forecasts(address, model, signal)),
  ]);
  const posted = new Map(odds?.games.map((game) => [identity(game), figuresIn(game)]));
  const prices = new Map(compared?.games.map((game) => [identity(game), game]));
  const games = predictions.games.map((game) => ({
    ...slateGame(game, teamName(game.away_team), teamName(game.home_team)),
    models: game.predictions,
    lines: figuresIn(game),
    posted: posted.get(identity(game)),
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
  const quoted = compared?.as_of;
  return { games, league, teams, models, model, published, quoted, isPast: generation !== null, calls };
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
  const [teams, picked] = await Promise.all([
    teamsOf(address.league),
    ofModel(address, (model) => get(FREE, { path, query: { model }, signal })),
  ]);
  const games = picked.games.map((game) => ({
    ...slateGame(game, game.away_team, game.home_team),
    models: game.models,
    lines: figuresIn(game.lines),
  }));
  const { models_used: models, model = STANDARD_MODEL, predictions_date: published } = picked;
  /** @type {Call[]} */
  const calls = [{ template: FREE, path, query: { model }, isPublic: true }];
  return { games, league: new Models(null, models), teams, models, model, published, isFree: true, calls };
}

/**
 * @param {{ game_id: string, date: string, time?: string | null, away_team: string, home_team: string }} game
 * @param {string} away
 * @param {string} home
 */
function slateGame({ game_id: id, date, time, away_team, home_team }, away, home) {
  return { id, date, time: time ?? "", away, home, teams: { away: away_team, home: home_team }, held: false };
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
 * A game as a row of the slate names it: what is taken of it, and the figures of the named side.
 * @typedef {object} Stand
 * @property {Taken} taken
 * @property {boolean} isPositive True if the named side is home, or over.
 * @property {string} name The side in the market's words: a team with its own spread, or over and the total.
 * @property {Maybe} forecast The model's probability of the side.
 * @property {Maybe} book The book's.
 * @property {Maybe} exchange The prediction market's.
 * @property {number | null} edge The model's probability of the side less the book's.
 * @property {Maybe} price
 * @property {{ opened: Maybe, now: Maybe, write: (value: Maybe) => string } | null} line The spread of the side, or the total.
 */

/**
 * Returns a game as a row names it.
 * @param {Of} of
 * @param {Game} game
 * @param {Market} market
 * @param {Pick<Slate, "model" | "teams">} slate
 * @returns {Stand}
 */
export function standOf(of, game, market, { model, teams }) {
  const { lines } = game;
  const probability = entryOf(game.models, model);
  const prices = PRICES[market].map((field) => lines[field]);
  const values = EXPECTED_VALUES[market].map((field) => lines[field]);
  const chosen = taken(of, market, { probability, prices, values });
  const isPositive = chosen.named === sides(market)[0];
  const [forecast, implied, exchange] = [probability, book(game), game.compared?.kalshi_home].map((share) =>
    shareOf(share, isPositive),
  );
  return {
    taken: chosen,
    isPositive,
    name: sideName(market, chosen.named, lines, game.teams, teams),
    forecast,
    book: implied,
    exchange,
    edge: typeof forecast === "number" && typeof implied === "number" ? forecast - implied : null,
    price: prices[isPositive ? 0 : 1],
    line: lineOf(game, market, chosen.named),
  };
}

/**
 * Returns the probability of a side.
 * @param {Maybe} share That of the positive side.
 * @param {boolean} isPositive
 * @returns {Maybe}
 */
export function shareOf(share, isPositive) {
  // Rounded, since 1 - 0.43 is 0.5700000000000001.
  return typeof share !== "number" || isPositive ? share : Number((1 - share).toPrecision(12));
}

/**
 * Returns the line of a side, as it opened and as it is now; null for a moneyline.
 * @param {Game} game
 * @param {Market} market
 * @param {string} side
 */
function lineOf({ lines, posted }, market, side) {
  const line = lineField(market, side);
  return line && { opened: lines[line.opener ?? ""], now: (posted ?? lines)[line.field], write: line.write };
}

/**
 * Returns the field of a side's own line.
 * @param {Market} market
 * @param {string} side
 */
function lineField(market, side) {
  const field = market === "over_under" ? "over_under" : `${side}_point_spread`;
  return market === "won_on_points" ? null : (POSTED[market].find((line) => line.field === field) ?? null);
}

/**
 * Returns a side in the market's words: a team with its own spread, or over and the total.
 * @param {Market} market
 * @param {string} side
 * @param {Record<string, Maybe>} lines
 * @param {{ away: string, home: string }} teams
 * @param {TeamNames} names
 */
export function sideName(market, side, lines, teams, names) {
  const line = lineField(market, side);
  const isTeam = side === "away" || side === "home";
  const word = isTeam ? names.short(teams[side]) : capitalised(side);
  return line ? `${word} ${line.write(lines[line.field])}` : word;
}
