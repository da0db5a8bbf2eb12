// The games of a slate as a table: probabilities, lines, prices and expected values.

import { hasStarted } from "../clock.js";
import { element, textOf } from "../dom.js";
import { day, gain, share, start } from "../format.js";
import { entryOf } from "../models.js";
import { EXPECTED_VALUES, book, hasExpected, identity, standOf } from "../slate.js";
import { MARKET_NAMES, OPENERS, POSTED, modelName, sides } from "../words.js";
import { table } from "./table.js";

/** @import { Of } from "../followed.js" */
/** @import { Game, Slate, Stand } from "../slate.js" */
/** @import { Market, Posted } from "../words.js" */
/** @import { Column } from "./table.js" */

/** Returns a name of a game for the ids of the page. @param {Game} game */
export function gameId(game) {
  return `game-${identity({ ...game, away_team: game.away, home_team: game.home }).replace(/[^A-Za-z0-9]+/g, "-")}`;
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
 * @param {Slate} slate
 * @param {Market} market
 * @param {Of} of
 * @returns {Column[]}
 */
function columnsOf({ games, model }, market, of) {
  const name = modelName(model);
  const isCompared = games.some((game) => game.compared);
  const isPosted = games.some((game) => game.posted);
  const number = true;
  return [
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
    ...(games.some((game) => hasExpected(game, market))
      ? sides(market).map((side) => ({
          head: `${name} EV ${side}`,
          number,
          hint: `What a stake of one unit gains on average if ${name} is right, at the price of the forecast.`,
        }))
      : []),
    { head: of === "picks" ? "Pick" : "Bet" },
    { head: "Marks", hint: "A held game keeps its previous prediction." },
  ];
}

/**
 * @param {Slate} slate
 * @param {Market} market
 * @param {Of} of
 */
export function slateNumbers(slate, market, of) {
  const { games, model, isPast = false } = slate;
  const isCompared = games.some((game) => game.compared);
  const values = games.some((game) => hasExpected(game, market)) ? EXPECTED_VALUES[market] : [];
  const rows = games.map((game) => {
    const current = game.posted ?? game.lines;
    const stand = standOf(of, game, market, slate);
    const { kalshi_home: exchange = null, edge_home: edge = null } = game.compared ?? {};
    return {
      id: gameId(game),
      cells: [
        `${game.away} at ${game.home}`,
        `${day(game.date)}, ${start(game.time)}`,
        share(entryOf(game.models, model)),
        share(book(game)),
        ...(isCompared ? [share(exchange), gain(edge)] : []),
        ...POSTED[market].map((line) => moved(game, line)),
        ...values.map((field) => gain(game.lines[field])),
        sideOf(stand),
        marks(game, isPast),
      ],
      values: [
        `${game.away} at ${game.home}`,
        `${game.date} ${game.time}`,
        entryOf(game.models, model),
        book(game),
        ...(isCompared ? [exchange, edge] : []),
        ...POSTED[market].map(({ field }) => current[field]),
        ...values.map((field) => game.lines[field]),
        sideOf(stand),
        textOf(marks(game, isPast)),
      ],
    };
  });
  return { caption: `${MARKET_NAMES[market]}: games of the slate`, columns: columnsOf(slate, market, of), rows };
}

/** Names the side that is taken, or the reason for which there is none. @param {Stand} stand */
function sideOf({ taken: { side, reason }, name }) {
  return side === null ? reason : name;
}

/**
 * @param {Game} game
 * @param {boolean} isPast
 */
function marks(game, isPast) {
  return element(
    "span",
    { class: "marks" },
    !isPast && hasStarted(game) && element("span", { class: "chip", "data-tone": "note" }, "Started"),
    game.held && element("span", { class: "chip", "data-tone": "pending" }, "Held"),
  );
}

/**
 * Builds the table of a game's lines: the opening one, the one of the forecast, and the one of the slate's moment.
 * @param {Game} game
 * @param {Market} market
 * @param {boolean} isPast
 */
export function lineTable(game, market, isPast) {
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
  const moments = ["With the forecast", ...(posted ? [isPast ? "Posted then" : "Posted now"] : [])];
  return table({
    caption: `${name}: lines and prices`,
    columns: [
      { head: "Line" },
      { ...OPENERS.opened, number: true },
      ...moments.map((head) => ({ head, number: true })),
    ],
    rows: lines,
  });
}
