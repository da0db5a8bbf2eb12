// The slate of a league: model, book and prediction market side by side.

import { Refusal, get, getIfThere } from "../api.js";
import { hasStarted } from "../clock.js";
import { element } from "../dom.js";
import { day, gain, instant, share, start } from "../format.js";
import { key } from "../key.js";
import { Models, STANDARD_MODEL, entryOf, missingNote, modelsOf, ofModel } from "../models.js";
import { failure, renewed } from "../parts/failure.js";
import { modelPicker } from "../parts/pickers.js";
import { leagueStatus } from "../parts/status.js";
import { modelTable, table } from "../parts/table.js";
import { MARKET_NAMES, POSITIVE_EVENTS, POSTED, PUBLIC_MARKETS, modelName, sides, teamName } from "../words.js";

/** @import { Answer } from "../api.js" */
/** @import { Address } from "../address.js" */
/** @import { Context } from "../main.js" */
/** @import { Market, Posted } from "../words.js" */
/** @import { Maybe } from "../format.js" */
/** @import { LeagueStatus } from "../parts/status.js" */
/** @typedef {Answer<"/api/v1/markets/{sport}">["games"][number]} Compared */
/**
 * A game in the form of this view, from either source.
 * @typedef {object} Game
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

export const title = "Today";
export const picks = { league: true, market: true };

/** The interval of requests for the league's data status, which are not counted. */
const RENEWED = 60_000;

/**
 * @typedef {object} Slate
 * @property {Game[]} games
 * @property {Models} league
 * @property {string[]} models The models with a probability of a game, the market included.
 * @property {string} model The model of expected values, edges and free picks.
 * @property {string} published
 * @property {string | null} [quoted] The time of the prediction market's prices.
 * @property {boolean} [isFree] True if it is the free slate.
 * @property {Refusal} [refusal] The refusal of the key, if the slate is free because of it.
 */

/** @param {Context} context */
export async function show(context) {
  const { address, signal, again } = context;
  const { league: sport, market } = address;
  let shown = "";
  /** @type {Slate} */
  let slate;
  const ask = async () => {
    const status = await get("/api/v1/data-status/{sport}", { path: { sport }, signal });
    if (JSON.stringify(status) !== shown) {
      slate = await slateOf(context);
      shown = JSON.stringify(status);
    }
    return { status, slate, started: slate.games.map(hasStarted) };
  };
  return [
    await renewed(RENEWED, signal, ask, ({ status }) => {
      markHeld(slate.games, status, market);
      const models = slate.models.filter((name) => name !== "IMPLIED");
      const { league, model } = slate;
      return [
        slate.refusal && failure(slate.refusal, again),
        leagueStatus(status),
        missingNote(address, model, slate.isFree ? "The free slate" : undefined),
        models.length > 0 && modelPicker(address, league, models, model),
        slate.games.length > 0 && element("p", { class: "note" }, notes(slate, status, market)),
        slateTable(slate, market, status.operational),
      ];
    }),
  ];
}

/**
 * Builds the notes on the slate's figures.
 * @param {Slate} slate
 * @param {LeagueStatus} status
 * @param {Market} market
 */
function notes({ games, model, published, quoted, isFree }, { operational }, market) {
  const isPosted = games.some((game) => game.posted);
  const hasValues = games.some((game) => hasExpected(game, market));
  return [
    !operational && "Today's slate is missing: these are the games of the last one.",
    `Probabilities are those that ${POSITIVE_EVENTS[market]}. Predictions of ${instant(published)}.`,
    `Lines and prices are those ${isPosted ? "posted now (open a game for those of the forecast)" : "of the forecast"}; small: the opener, where it has moved.`,
    hasValues && `Expected values are ${modelName(model)}'s, at the prices of the forecast.`,
    quoted && `Prices of the prediction market as of ${instant(quoted)}.`,
    isFree && "Expected values, odds posted since and the prediction market need a key.",
  ]
    .filter(Boolean)
    .join(" ");
}

/**
 * Requests today's games with all data behind the key; the free games without a key, or with a refused one.
 * @param {Context} context
 * @returns {Promise<Slate>}
 */
async function slateOf(context) {
  if (key() === null) {
    return freeSlate(context);
  }
  try {
    return await fullSlate(context);
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) {
      return { ...(await freeSlate(context)), refusal: error };
    }
    throw error;
  }
}

/** @param {Context} context */
async function fullSlate({ address, signal }) {
  const { league: sport } = address;
  const [league, odds, [predictions, compared]] = await Promise.all([
    modelsOf(address, signal),
    getIfThere("/api/v1/odds/{sport}", { path: { sport }, signal }),
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
  return { games, league, models, model, published, quoted: compared?.as_of };
}

/**
 * Requests the predictions and, for moneylines, their comparison with the prediction market.
 * @param {Address} address
 * @param {string | null} model
 * @param {AbortSignal} signal
 */
function forecasts({ league: sport, market: model_type }, model, signal) {
  const query = { model };
  return Promise.all([
    get("/api/v1/predictions/{sport}/{model_type}", { path: { sport, model_type }, query, signal }),
    model_type === "won_on_points" ? get("/api/v1/markets/{sport}", { path: { sport }, query, signal }) : null,
  ]);
}

/** @param {Context} context */
async function freeSlate({ address, signal }) {
  const path = { sport: address.league, market: PUBLIC_MARKETS[address.market] };
  const picked = await ofModel(address, (model) =>
    get("/api/v1/public/ml-picks/{sport}/{market}", { path, query: { model }, signal }),
  );
  const games = picked.games.map((game) => ({
    ...slateGame(game, game.away_team, game.home_team),
    models: game.models,
    lines: /** @type {Record<string, any>} */ (game.lines),
  }));
  const { models_used: models, model = STANDARD_MODEL, predictions_date: published } = picked;
  return { games, league: new Models(), models, model, published, isFree: true };
}

/**
 * @param {{ date: string, time?: string | null }} game
 * @param {string} away
 * @param {string} home
 */
function slateGame({ date, time }, away, home) {
  return { date, time: time ?? "", away, home, held: false };
}

/**
 * Returns the identity of a game, as the API defines it; times of the comparison have no seconds.
 * @param {{ date: string, time?: string | null, away_team: string, home_team: string }} game
 */
function identity({ date, time, away_team: away, home_team: home }) {
  return [date, (time ?? "").slice(0, 5), away, home].join(" ");
}

/**
 * @param {Game[]} games
 * @param {LeagueStatus} status
 * @param {Market} market
 */
function markHeld(games, status, market) {
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

/** @type {Record<Market, [string, string]>} */
const EXPECTED_VALUES = {
  over_under: ["ev_pos", "ev_neg"],
  won_on_points: ["ev_home_ml", "ev_away_ml"],
  won_on_spread: ["ev_home_spread", "ev_away_spread"],
};

/**
 * @param {Game} game
 * @param {Market} market
 */
function hasExpected({ lines }, market) {
  return EXPECTED_VALUES[market].some((field) => lines[field] !== undefined);
}

/**
 * Formats the current line, after the opening one if it moved.
 * @param {Game} game
 * @param {Posted} line
 */
function moved({ lines, posted }, { field, opener, write }) {
  const [now, first] = [(posted ?? lines)[field], opener && lines[opener]];
  if (typeof first !== "number" || typeof now !== "number" || first === now) {
    return write(now);
  }
  const way = now > first ? "up" : "down";
  const move = element("small", { class: "move" }, `${write(first)} ${way === "up" ? "↗" : "↘"} `);
  return element("span", {}, move, write(now));
}

/**
 * Returns the market's probability: from the current moneylines if they are compared with the prediction market, since
 * the edge refers to them; else from the prices of the forecast.
 * @param {Game} game
 */
function book({ compared, models }) {
  return compared ? compared.book_home : models.IMPLIED;
}

/**
 * @param {Slate} slate
 * @param {Market} market
 * @param {boolean} isCurrent
 */
function slateTable({ games, league, model, isFree }, market, isCurrent) {
  const name = modelName(model);
  const isCompared = games.some((game) => game.compared);
  const isPosted = games.some((game) => game.posted);
  const hasValues = games.some((game) => hasExpected(game, market));
  const number = true;
  const columns = [
    { head: "Game" },
    { head: "Start (ET)", line: true },
    { head: name, number },
    {
      head: isPosted && !isCompared ? "Book (at forecast)" : "Book",
      number,
      hint: "The probability that the bookmaker's prices imply, without the margin.",
    },
    ...(isCompared
      ? [
          { head: "Prediction market", number, hint: "What a contract that pays 1 on a home win costs there." },
          {
            head: `${name} edge`,
            number,
            hint: `${name}'s probability of a home win less that of the book or the prediction market, whichever is lower.`,
          },
        ]
      : []),
    ...POSTED[market].map(({ name }) => ({ head: name, number })),
    ...(hasValues
      ? sides(market).map((side) => ({
          head: `${name} EV ${side}`,
          number,
          hint: `What a stake of one unit gains on average if ${name} is right, at the price of the forecast.`,
        }))
      : []),
    { head: "Marks", hint: "A held game keeps its previous prediction." },
  ];
  const rows = games.map((game) => ({
    id: `game-${identity({ ...game, away_team: game.away, home_team: game.home }).replace(/[^A-Za-z0-9]+/g, "-")}`,
    cells: [
      `${game.away} at ${game.home}`,
      `${day(game.date)}, ${start(game.time)}`,
      share(entryOf(game.models, model)),
      share(book(game)),
      ...(isCompared ? [share(game.compared?.kalshi_home), gain(game.compared?.edge_home)] : []),
      ...POSTED[market].map((line) => moved(game, line)),
      ...(hasValues ? EXPECTED_VALUES[market].map((field) => gain(game.lines[field])) : []),
      marks(game),
    ],
    detail: () => detail(game, league, market),
  }));
  return table({
    caption: `${MARKET_NAMES[market]}: games of the ${isCurrent ? "" : "last "}slate`,
    columns,
    rows,
    empty: isFree
      ? `The slate has no games of today or later with a pick of ${name}.`
      : "The slate has no games of today or later.",
  });
}

/** @param {Game} game */
function marks(game) {
  const [started, held] = [hasStarted(game), game.held];
  return element(
    "span",
    { class: "marks" },
    started && element("span", { class: "chip", "data-tone": "note" }, "Started"),
    held && element("span", { class: "chip", "data-tone": "pending" }, "Held"),
  );
}

/**
 * Builds the details: all models, and every line: the opening one, the one of the forecast, and the current one.
 * @param {Game} game
 * @param {Models} league
 * @param {Market} market
 */
function detail(game, league, market) {
  const name = `${game.away} at ${game.home}`;
  const { posted } = game;
  const lines = POSTED[market].map(({ name: head, field, opener, write }) => ({
    id: `line-${name}-${head}`.replace(/[^A-Za-z0-9]+/g, "-"),
    cells: [
      head,
      write(opener ? game.lines[opener] : null),
      write(game.lines[field]),
      ...(posted ? [write(posted[field])] : []),
    ],
  }));
  const moments = ["Opened", "With the forecast", ...(posted ? ["Posted now"] : [])];
  return element(
    "div",
    { class: "detail columns" },
    modelTable(name, game.models, league, market),
    table({
      caption: `${name}: lines and prices`,
      columns: [{ head: "Line" }, ...moments.map((head) => ({ head, number: true }))],
      rows: lines,
    }),
  );
}
