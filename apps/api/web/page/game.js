// One game of a league: its forecasts and lines as they moved, and its row of the results.

import { Refusal, get, ifThere } from "./api.js";
import { hasStarted, now } from "./clock.js";
import { figureIn, figuresIn } from "./forecasts.js";
import { key } from "./key.js";
import { STANDARD_MODEL, entryOf } from "./models.js";
import { publicRecord } from "./site.js";
import { POSTED, PUBLIC_MARKETS, STANDARD_MODELS, teamName } from "./words.js";

/** @import { Answer } from "./api.js" */
/** @import { Address } from "./address.js" */
/** @import { Row } from "./forecasts.js" */
/** @import { Maybe } from "./format.js" */
/** @import { Models } from "./models.js" */
/** @import { Call } from "./parts/calls.js" */
/** @import { Compared } from "./slate.js" */
/** @import { League, Market } from "./words.js" */
/** @typedef {Answer<"/api/v1/predictions/{sport}/{model_type}/history">} Forecasts */
/** @typedef {Answer<"/api/v1/odds/{sport}/history">} Odds */
/** @typedef {"coming" | "begun" | "final" | "called_off"} State */
/**
 * A forecast, with the lines that were served with it.
 * @typedef {object} Forecast
 * @property {Record<string, Maybe>} models The probability of the positive side by each model, the market included.
 * @property {Record<string, Maybe>} lines
 * @property {string | null} published The time of its release; null if no release of it is known.
 * @property {boolean} isLogged True if it is a leaf of the league's tree, and can be proven.
 */
/**
 * @typedef {object} Game
 * @property {string} id
 * @property {string} date
 * @property {string | null} time
 * @property {string} away
 * @property {string} home
 * @property {string | null} startsAt
 * @property {State} state
 * @property {Forecasts | null} forecasts
 * @property {Odds | null} odds
 * @property {Row | null} row Its row in the results of the market.
 * @property {Forecast | null} standing The forecast that counts.
 * @property {Compared} [compared] Its prices on the prediction market.
 * @property {string} [quoted] The time of these prices.
 * @property {Refusal} [refusal] The refusal of the key, if it is not accepted.
 * @property {boolean} isFree True if it is known from the free slate.
 * @property {Call[]} calls The requests that it comes from.
 */

const FORECASTS = /** @type {const} */ ("/api/v1/predictions/{sport}/{model_type}/history");
const ODDS = /** @type {const} */ ("/api/v1/odds/{sport}/history");
const GAMES = /** @type {const} */ ("/api/v1/games/{sport}");
const MARKETS = /** @type {const} */ ("/api/v1/markets/{sport}");
const FREE = "/api/v1/public/ml-picks/{sport}/{market}";

/**
 * The beginnings of a market's columns in a row of all markets.
 * @type {Record<Market, string>}
 */
const PREFIXES = { over_under: "total_", won_on_points: "moneyline_", won_on_spread: "spread_" };

/**
 * Requests a game in the market of the address: all that the key opens; without an accepted key what is public. Null if
 * nothing of it is known.
 * @param {Address} address
 * @param {AbortSignal} signal
 * @returns {Promise<Game | null>}
 */
export async function gameOf(address, signal) {
  if (!address.game) {
    return null;
  }
  const isKeyed = key() !== null;
  const free = isKeyed ? null : await freeGame(address, signal);
  // An open record has the games that have started.
  if (!isKeyed && (free?.state === "coming" || !(await publicRecord(address.league)))) {
    return free;
  }
  try {
    return (await recordedGame(address, signal)) ?? free;
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 401)) {
      throw error;
    }
    const found = isKeyed ? await freeGame(address, signal) : free;
    return found && isKeyed ? { ...found, refusal: error } : found;
  }
}

/**
 * @param {Address} address
 * @param {AbortSignal} signal
 * @returns {Promise<Game | null>}
 */
async function recordedGame({ league: sport, market: model_type, game: id = "" }, signal) {
  const query = { game_id: id };
  const named = partsOf(id);
  const early = named && (await rowOf(sport, id, named, signal));
  // No release here has a game whose forecast was imported.
  const [forecasts, odds] =
    early && isImported(rowIn(early.row, model_type))
      ? [null, null]
      : await Promise.all([
          known(get(FORECASTS, { path: { sport, model_type }, query, signal })),
          known(get(ODDS, { path: { sport }, query, signal })),
        ]);
  const quoted = forecasts?.game ?? odds?.game;
  // A game that moved has another date than its id.
  const found =
    early ?? (quoted ? await rowOf(sport, id, { date: quoted.date, home: quoted.home_team }, signal) : null);
  const place = quoted ?? found?.row;
  if (!place) {
    return null;
  }
  const row = found && rowIn(found.row, model_type);
  const startsAt = forecasts?.starts_at ?? odds?.starts_at ?? null;
  const time = quoted ? quoted.time : found?.row.time_est;
  const state = stateOf(row, startsAt, place.date, time ?? null);
  const isCompared = key() !== null && model_type === "won_on_points" && state === "coming";
  const markets = isCompared ? await ifThere(get(MARKETS, { path: { sport }, signal })) : null;
  /** @type {Call[]} */
  const calls = [
    ...(forecasts ? [{ template: FORECASTS, path: { sport, model_type }, query }] : []),
    ...(odds ? [{ template: ODDS, path: { sport }, query }] : []),
    ...(found ? [{ template: GAMES, path: { sport }, query: found.query }] : []),
    ...(markets ? [{ template: MARKETS, path: { sport } }] : []),
  ];
  return {
    id,
    date: place.date,
    time: time ?? null,
    away: teamName(place.away_team),
    home: teamName(place.home_team),
    startsAt,
    state,
    forecasts,
    odds,
    row,
    standing: standingOf(forecasts, row),
    compared: markets?.games.find((game) => game.game_id === id),
    quoted: markets?.as_of,
    isFree: false,
    calls,
  };
}

/**
 * Returns the date and the home team of a game's id: `nba-2026-11-29-boston_celtics-dallas_mavericks`.
 * @param {string} id
 */
function partsOf(id) {
  const [, year, month, day, , home] = id.split("-");
  const date = `${year}-${month}-${day}`;
  return home && /^\d{4}-\d\d-\d\d$/.test(date) ? { date, home } : null;
}

/** Returns whether a row has a forecast that is of no release here. @param {Row | null} row */
function isImported(row) {
  return row !== null && row.recorded !== true && row.forecast_source !== null;
}

/**
 * Requests the row of a game with all markets, in the season of its date.
 * @param {League} sport
 * @param {string} id
 * @param {{ date: string, home: string }} of
 * @param {AbortSignal} signal
 */
async function rowOf(sport, id, { date, home }, signal) {
  for (const season of seasonsOf(sport, date)) {
    const query = { season, from: date, to: date, team: home };
    const page = await known(get(GAMES, { path: { sport }, query, signal }));
    const row = page?.games.find(({ game_id: other }) => other === id);
    if (row) {
      return { row, query };
    }
  }
  return null;
}

/**
 * Returns the labels of the seasons that can have a date, the likelier one first.
 * @param {League} sport
 * @param {string} date
 */
function seasonsOf(sport, date) {
  const [year, month] = date.split("-").map(Number);
  const label = (/** @type {number} */ first) => `${first}-${String((first + 1) % 100).padStart(2, "0")}`;
  if (sport === "mlb") {
    return [String(year)];
  }
  return month >= 7 ? [label(year), label(year - 1)] : [label(year - 1), label(year)];
}

/**
 * Returns an answer; null if the API has no such season, date or team.
 * @template T
 * @param {Promise<T>} answer
 */
async function known(answer) {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Refusal && [400, 404].includes(error.status)) {
      return null;
    }
    throw error;
  }
}

/**
 * Returns the row of one market from a row of all markets; null if the market does not have the game.
 * @param {Answer<typeof GAMES>["games"][number]} row
 * @param {Market} market
 * @returns {Row | null}
 */
function rowIn(row, market) {
  const prefix = PREFIXES[market];
  const others = Object.values(PREFIXES).filter((other) => other !== prefix);
  const entries = Object.entries(row)
    .filter(([name]) => !others.some((other) => name.startsWith(other)))
    .map(([name, value]) => [name.startsWith(prefix) ? name.slice(prefix.length) : name, value]);
  const own = Object.fromEntries(entries);
  return typeof own.graded === "boolean" ? own : null;
}

/**
 * @param {Row | null} row
 * @param {string | null} startsAt
 * @param {string} date
 * @param {string | null} time
 * @returns {State}
 */
function stateOf(row, startsAt, date, time) {
  if (typeof row?.home_score === "number") {
    return "final";
  }
  if (row?.settlement_status) {
    return "called_off";
  }
  const begun = startsAt === null ? hasStarted({ date, time: time ?? "23:59:59" }) : Date.parse(startsAt) <= now();
  return begun ? "begun" : "coming";
}

/**
 * Returns the forecast that counts: the standing one of the history, before it stands the newest; else that of the row.
 * @param {Forecasts | null} forecasts
 * @param {Row | null} row
 * @returns {Forecast | null}
 */
function standingOf(forecasts, row) {
  const given = (forecasts?.forecasts ?? []).filter(({ probabilities }) => Object.keys(probabilities).length > 0);
  const item = given.find(({ standing }) => standing) ?? given.at(-1);
  if (item) {
    return {
      models: item.probabilities,
      lines: /** @type {Record<string, Maybe>} */ (/** @type {unknown} */ (item.lines)),
      published: item.published_at,
      isLogged: typeof item.record_index === "number",
    };
  }
  if (!row) {
    return null;
  }
  const figures = figuresIn(row);
  return { models: figures, lines: figures, published: null, isLogged: row.recorded === true };
}

/**
 * Finds a game among the free picks, which have no history.
 * @param {Address} address
 * @param {AbortSignal} signal
 * @returns {Promise<Game | null>}
 */
async function freeGame({ league, market, game: id = "", options }, signal) {
  const path = { sport: league, market: PUBLIC_MARKETS[market] };
  const ask = (/** @type {string | null} */ model) => get(FREE, { path, query: { model }, signal });
  const asked = options.get("model");
  const page = (await known(ask(asked))) ?? (asked ? await known(ask(null)) : null);
  const found = page?.games.find(({ game_id: other }) => other === id);
  if (!page || !found) {
    return null;
  }
  const { date, time, away_team: away, home_team: home, models } = found;
  const lines = /** @type {Record<string, Maybe>} */ (/** @type {unknown} */ (found.lines));
  return {
    id,
    date,
    time,
    away,
    home,
    startsAt: null,
    state: stateOf(null, null, date, time),
    forecasts: null,
    odds: null,
    row: null,
    standing: { models, lines, published: page.predictions_date, isLogged: false },
    isFree: true,
    calls: [{ template: FREE, path, query: { model: page.model ?? STANDARD_MODEL }, isPublic: true }],
  };
}

/**
 * Returns the models that forecast a game, the market left out.
 * @param {Game} game
 * @param {Models} league
 */
export function modelsIn({ forecasts, standing, row }, league) {
  // A row has columns that are no models, too.
  const isModel = (/** @type {string} */ name) => STANDARD_MODELS.includes(name) || league.names.includes(name);
  const items = (forecasts?.forecasts ?? []).map(({ probabilities }) => probabilities);
  const names = [
    ...items.flatMap(Object.keys),
    ...Object.keys(standing?.models ?? {}).filter((name) => standing?.models !== row || isModel(name)),
  ];
  const given = names.filter((name) =>
    [...items, standing?.models].some((item) => typeof entryOf(item, name) === "number"),
  );
  return league.ordered(given.filter((name) => name !== "IMPLIED"));
}

/**
 * Returns the probabilities of the forecast that counts, by model, the market's too.
 * @param {Game} game
 * @param {Models} league
 * @returns {Record<string, number>}
 */
export function probabilitiesOf(game, league) {
  const { standing } = game;
  const pairs = ["IMPLIED", ...modelsIn(game, league)].flatMap((name) => {
    const probability = entryOf(standing?.models, name);
    return typeof probability === "number" ? [[name, probability]] : [];
  });
  return Object.fromEntries(pairs);
}

/**
 * Returns the last line of each kind before the start: the one that is posted now, or the close. Null without one.
 * @param {Game} game
 * @param {Market} market
 * @returns {Record<string, Maybe> | null}
 */
export function lastLines({ odds }, market) {
  const lines = odds?.lines ?? [];
  const marked = lines.find(({ mark }) => /latest|close/.test(mark ?? ""));
  const last = marked ?? lines.findLast((line) => POSTED[market].some(({ field }) => figureIn(line, field) !== null));
  return last ? figuresIn(last) : null;
}

/**
 * Names the last line of a game.
 * @param {Game} game
 */
export function lastName({ state, odds }) {
  return odds?.close ? "Close" : state === "coming" ? "Now" : "Last line";
}

/**
 * Names the lines beside which a forecast is kept.
 * @param {Game} game
 */
export function standingName({ standing }) {
  return standing?.published ? "At forecast" : "On record";
}

/** Returns a game in words. @param {Game} game */
export function gameName({ away, home }) {
  return `${away} at ${home}`;
}
