// One game: its probabilities and lines from the first release to the final, its prices by side, and its proof.

import { Refusal, get } from "../api.js";
import { carried, write } from "../address.js";
import { now } from "../clock.js";
import { courseOf } from "../course.js";
import { element, section } from "../dom.js";
import { figuresIn } from "../forecasts.js";
import { counted, day, duration, instant, share, start } from "../format.js";
import { gameName, gameOf, lastLines, lastName, modelsIn, probabilitiesOf, standingName } from "../game.js";
import { key } from "../key.js";
import { follow } from "../live.js";
import { Models, entryOf, missingNote, modelsOf } from "../models.js";
import { SHARES } from "../parts/dumbbell.js";
import { failure, renewed } from "../parts/failure.js";
import { figure, folded } from "../parts/figure.js";
import { gamePlot } from "../parts/game-plot.js";
import { followedOf, sideCards } from "../parts/game-sides.js";
import { keyNeeded } from "../parts/key-form.js";
import { mark } from "../parts/marks.js";
import { movementOf } from "../parts/movement.js";
import { modelPicker } from "../parts/pickers.js";
import { proofOf } from "../parts/proof.js";
import { rowChart } from "../parts/row-chart.js";
import { placeOn } from "../parts/svg.js";
import { table } from "../parts/table.js";
import { publicRecord } from "../site.js";
import {
  LEAGUE_NAMES,
  POSITIVE_EVENTS,
  OPENERS,
  POSTED,
  capitalised,
  forecastSource,
  modelInFull,
  modelName,
  ungraded,
} from "../words.js";

/** @import { Maybe } from "../format.js" */
/** @import { Address } from "../address.js" */
/** @import { Child } from "../dom.js" */
/** @import { Game } from "../game.js" */
/** @import { Context } from "../main.js" */
/** @import { ChartRow } from "../parts/row-chart.js" */

export const title = "Game";
export const picks = { market: true };
export const isUnlisted = true;

/** The interval of requests for the league's data status, which are not counted. */
const RENEWED = 60_000;

/** @param {Context} context */
export async function show(context) {
  const { address, signal, entitle } = context;
  if (address.noLeague !== undefined) {
    return [
      unknown(address, `There is no league “${address.noLeague}”`, "The address names none of those that are here."),
    ];
  }
  const [first, league] = await Promise.all([gameOf(address, signal), declared(address, signal)]);
  if (!first) {
    entitle(title, [LEAGUE_NAMES[address.league]]);
    return notFound(address);
  }
  let status = "";
  /** @type {Game} */
  let game = first;
  // A game begins without a release.
  const begins = () => game.state === "coming" && game.startsAt !== null && Date.parse(game.startsAt) <= now();
  const ask = async () => {
    const newest = JSON.stringify(
      await get("/api/v1/data-status/{sport}", { path: { sport: address.league }, signal }),
    );
    if (begins() || (status !== "" && status !== newest)) {
      game = (await gameOf(address, signal)) ?? game;
    }
    status = newest;
    return game;
  };
  if (first.state === "final" || first.state === "called_off") {
    return partsOf(context, first, league);
  }
  const board = await renewed(
    RENEWED,
    signal,
    ask,
    () => partsOf(context, game, league),
    (renew) => follow([address.league], signal, { onRelease: renew, onStatus: renew }),
  );
  return [board];
}

/**
 * Returns the declarations of a league; those of a key that is not accepted are empty.
 * @param {Address} address
 * @param {AbortSignal} signal
 */
async function declared(address, signal) {
  const isOpen = key() !== null || (await publicRecord(address.league)) !== null;
  try {
    return isOpen ? await modelsOf(address, signal) : new Models(null);
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) {
      return new Models(null);
    }
    throw error;
  }
}

/**
 * @param {Address} address
 * @returns {Promise<Child[]>}
 */
async function notFound(address) {
  const { league, game = "" } = address;
  if (key() === null) {
    const words = (await publicRecord(league))
      ? "This game is not in the open record: it needs an API key"
      : "This game is not among today's free picks: it needs an API key";
    return [await keyNeeded(carried(address), words)];
  }
  return [unknown(address, "There is no such game", `${LEAGUE_NAMES[league]} has no game “${game}” on record.`)];
}

/**
 * Builds the notice of an address that names no game.
 * @param {Address} address
 * @param {string} head
 * @param {string} words
 */
function unknown(address, head, words) {
  const link = (/** @type {string} */ view, /** @type {string} */ text) =>
    element("a", { href: write(carried(address), { view }) }, text);
  return element(
    "section",
    { class: "notice", id: "no-game", "aria-labelledby": "no-game-title" },
    element("h2", { id: "no-game-title" }, head),
    element(
      "p",
      {},
      words,
      " Games of today are in ",
      link("today", "Today"),
      ", those before in ",
      link("results", "Results"),
      ".",
    ),
  );
}

/**
 * @param {Context} context
 * @param {Game} game
 * @param {Models} league
 * @returns {Child[]}
 */
function partsOf({ address, signal, offer, entitle, again }, game, league) {
  const { market, league: sport, options } = address;
  const name = gameName(game);
  entitle(name, [day(game.date), LEAGUE_NAMES[sport]]);
  const models = modelsIn(game, league);
  const asked = options.get("model");
  const model = [asked, league.headlineOf(market), ...models].find((one) => one && models.includes(one)) ?? "";
  offer(models.length > 0 && modelPicker(address, league, models, model));
  const course = courseOf(game, market, model, now());
  const last = lastLines(game, market);
  const hasForecast = models.length > 0;
  const { id, date, time } = game;
  const proven = { id, date, time, isLive: Boolean(game.standing?.isLogged) };
  return [
    game.refusal && failure(game.refusal, again),
    stateOf(game),
    hasForecast && missingNote(address, model, "This game"),
    hasForecast
      ? followedOf(game, market, model)
      : element("p", { class: "empty", id: "no-forecast" }, `${name} was never forecast in this market.`),
    course ? gamePlot(address, game, league, course) : null,
    course && hasForecast ? folded("Every model", () => everyModel(address, game, league, model)) : null,
    !course && hasForecast && modelsFigure(address, game, league, model),
    section("Prices by side", sideCards(game, market, model, last), pricesNote(game, hasForecast)),
    proofOf(sport, market, proven),
    section(
      "Lines",
      linesOf(address, game, last),
      game.isFree ? null : movementOf({ address, signal }, { id, name }, game.odds),
    ),
    game.isFree &&
      element(
        "p",
        { class: "note", id: "free-game" },
        "This is what is free of the game. Its forecasts and lines as they moved, and the prediction market, need an API key.",
      ),
  ];
}

/**
 * Says what has become of a game.
 * @param {Game} game
 */
function stateOf(game) {
  const { state, startsAt, date, time, row, away, home } = game;
  const starts =
    startsAt === null
      ? `${day(date)}, ${time ? `${start(time)} ET` : "at a time that is not known"}`
      : instant(startsAt);
  const score = (/** @type {string} */ team, /** @type {Maybe} */ value) =>
    element("span", { class: "score" }, team, " ", element("b", { "data-value": value, "data-game": game.id }, value));
  if (state === "final" && row) {
    return element(
      "p",
      { class: "game-state", id: "game-state", "data-state": state },
      element("span", { class: "chip", "data-tone": "fresh" }, "Final"),
      " ",
      score(away, row.away_score),
      score(home, row.home_score),
      element(
        "small",
        {},
        row.graded ? `Started ${starts}` : `Started ${starts}; not graded: ${ungraded(row.ungraded_reason ?? "")}`,
      ),
    );
  }
  const left = startsAt === null ? "" : `, in ${untilStart(Date.parse(startsAt) - now())}`;
  const words = {
    coming: ["To come", "calm", `Starts ${starts}${left}.`],
    begun: ["Started", "pending", `Started ${starts}; there is no final yet.`],
    called_off: [
      "Called off",
      "stale",
      `Was to start ${starts}; ${row?.settlement_status ?? "called off"}, it has no final.`,
    ],
    final: ["Final", "fresh", `Started ${starts}.`],
  }[state];
  return element(
    "p",
    { class: "game-state", id: "game-state", "data-state": state },
    element("span", { class: "chip", "data-tone": words[1] }, words[0]),
    " ",
    words[2],
  );
}

const DAY = 86_400_000;

/** Formats the time that is left, in days if it is more than two. @param {number} left */
function untilStart(left) {
  return left > 2 * DAY ? counted(Math.floor(left / DAY), "day") : duration(left).replace(/ \d\d s$/, "");
}

/**
 * @param {Game} game
 * @param {boolean} hasForecast
 */
function pricesNote({ standing, row, quoted, compared }, hasForecast) {
  const exchange = compared?.kalshi_home;
  const sentences = [
    hasForecast && standing?.published && `The forecast was published ${instant(standing.published)}.`,
    hasForecast &&
      row?.recorded === false &&
      `The forecast is in no release here: ${forecastSource(row.forecast_source ?? "")}.`,
    hasForecast && "A value is what one unit gains on average if the model is right.",
    typeof exchange === "number" &&
      quoted &&
      `The prediction market gives the home team ${share(exchange)}, as of ${instant(quoted)}.`,
  ].filter(Boolean);
  return sentences.length > 0 && element("p", { class: "note" }, sentences.join(" "));
}

/**
 * Builds the table of the lines: as they opened, first in this log, with the forecast, and last.
 * @param {Address} address
 * @param {Game} game
 * @param {Record<string, Maybe> | null} last
 */
function linesOf({ market }, game, last) {
  const { odds, standing } = game;
  const firstLine = odds?.lines.find(({ mark: of }) => of?.startsWith("first"));
  const moments = [
    { column: OPENERS.opened, of: standing?.lines, isOpener: true },
    ...(firstLine ? [{ column: OPENERS.first, of: figuresIn(firstLine), isOpener: false }] : []),
    ...(standing ? [{ column: { head: standingName(game) }, of: standing.lines, isOpener: false }] : []),
    ...(last ? [{ column: { head: lastName(game) }, of: last, isOpener: false }] : []),
  ];
  const isEnd = (/** @type {number} */ index) => index === 0 || index === moments.length - 1;
  const rows = POSTED[market].map(({ name, field, opener, write: written }) => {
    const values = moments.map(({ of, isOpener }) => (isOpener ? (opener ? of?.[opener] : null) : of?.[field]) ?? null);
    return {
      id: `line-${game.id}-${field}`,
      cells: [
        name,
        ...values.map((value) => element("span", { "data-value": value, "data-game": game.id }, written(value))),
      ],
    };
  });
  return table({
    caption: `${gameName(game)}: lines and prices`,
    // A narrow window has the ends of the course beside the name.
    columns: [
      { head: "Line" },
      ...moments.map(({ column }, index) => ({ ...column, number: true, ...(isEnd(index) && { brief: true }) })),
    ],
    rows,
  });
}

/**
 * Draws every model of a game whose course is not known.
 * @param {Address} address
 * @param {Game} game
 * @param {Models} league
 * @param {string} model
 */
function modelsFigure(address, game, league, model) {
  const given = probabilitiesOf(game, league);
  const book = given.IMPLIED === undefined ? "" : `, the book ${share(given.IMPLIED)}`;
  return figure({
    id: "probability",
    title: `${capitalised(POSITIVE_EVENTS[address.market])}: ${modelName(model)} ${share(entryOf(given, model))}${book}`,
    note: game.isFree
      ? "Every model's newest forecast, on an axis from 0 to 100\u00a0%."
      : "Every model on an axis from 0 to 100\u00a0%. No release here forecast the game, so there is no course over time.",
    drawing: [everyModel(address, game, league, model)],
    numbers: () => ({
      caption: `${gameName(game)}: every model`,
      columns: [{ head: "Model" }, { head: capitalised(POSITIVE_EVENTS[address.market]), number: true }],
      rows: Object.entries(given).map(([name, value]) => ({
        id: `number-${name}`,
        cells: [league.label(name, modelInFull(name)), share(value)],
        values: [name, value],
      })),
    }),
    address,
    calls: game.calls,
    class: "slate",
  });
}

/**
 * @param {Address} address
 * @param {Game} game
 * @param {Models} league
 * @param {string} model
 */
function everyModel({ market }, game, league, model) {
  const place = placeOn(SHARES.range);
  /** @type {ChartRow[]} */
  const rows = Object.entries(probabilitiesOf(game, league)).map(([name, value]) => ({
    id: `model-${name}`,
    name: [league.label(name, modelInFull(name))],
    marks: [
      mark(
        name === "IMPLIED" ? "book" : "model",
        place(value),
        { value, game: game.id, model: name },
        league.tone(name),
      ),
    ],
    label: `${modelName(name)} ${share(value)}`,
    figures: [element("strong", {}, share(value))],
    marked: name === model,
  }));
  return rowChart(`Every model: ${POSITIVE_EVENTS[market]}`, SHARES, rows);
}
