// The rows of a slate: a game each, on one axis, with the side that is taken of it and its figures.

import { useSignal } from "@preact/signals";
import { toGame } from "../address.js";
import { hasStarted } from "../clock.js";
import { element, part, svg } from "../dom.js";
import { gain, points, price, share, shortDay, start } from "../format.js";
import { entryOf } from "../models.js";
import { book } from "../slate.js";
import { dumbbell, inWords } from "./dumbbell.js";
import { upright } from "./marks.js";
import { gameId } from "./slate-table.js";
import { placeOn } from "./svg.js";
import { NARROW, opener } from "./table.js";

/** @import { Address } from "../address.js" */
/** @import { Child, Children } from "../dom.js" */
/** @import { Game, Slate, Stand } from "../slate.js" */
/** @import { Axis } from "./row-chart.js" */
/**
 * @typedef {object} Board What the rows of a slate have in common.
 * @property {Address} address
 * @property {Slate} slate
 * @property {Axis} axis
 * @property {number} edge The edge from which a row is marked, in points.
 * @property {boolean} hasLines True for spreads and totals, whose lines are in points.
 * @property {string} date The date of the first game, which rows do not repeat.
 * @property {(game: Game) => Child} detail
 */

/** The expected value above which a price is more likely wrong than generous. */
const OUTLIER = 0.5;

/**
 * Builds the heads of the columns, with the texts of the axis.
 * @param {string[]} names The head of the side, and of the model.
 * @param {Pick<Board, "axis" | "hasLines">} board
 */
export function headRow([side, model], { axis, hasLines }) {
  const place = placeOn(axis.range);
  const texts = axis.ticks.map(({ at, text }) => {
    const x = place(at);
    const anchor = x < 8 ? "start" : x > 92 ? "end" : "middle";
    return svg("text", { x: `${x}%`, y: 13, "text-anchor": anchor }, text);
  });
  const ticks = svg("svg", { class: "track", "aria-hidden": "true" }, texts);
  const heads = /** @type {[string, Child[]][]} */ ([
    ["start", ["Start"]],
    ["game", ["Game"]],
    ["side", [side]],
    ...(hasLines
      ? [
          ["opened", ["Opened"]],
          ["now", ["Now"]],
        ]
      : []),
    ["forecast", [model]],
    ["book", ["Book"]],
    ["axis", [element("span", { class: "unseen" }, "Drawing"), ticks]],
    ["price", ["Price"]],
    ["edge", ["Edge"]],
    ["worth", ["Value"]],
    ["more", [element("span", { class: "unseen" }, "More")]],
  ]);
  const cells = heads.map(([name, text]) => element("span", { class: `of-${name}`, role: "columnheader" }, text));
  return element("div", { class: "game-heads", role: "row" }, cells);
}

/**
 * Builds the row of a game, and what it opens.
 * @param {{ game: Game, stand: Stand }} entry
 * @param {Board} board
 * @param {{ isHidden: boolean, isOpened: boolean }} state Hidden before “Show all”; open at first.
 */
export function gameRow({ game, stand }, board, { isHidden, isOpened }) {
  return part(GameRow, { game, stand, board, isHidden, isOpened, key: game.id });
}

/** @param {{ game: Game, stand: Stand, board: Board, isHidden: boolean, isOpened: boolean }} props */
function GameRow({ game, stand, board, isHidden, isOpened }) {
  const { slate, axis, edge, detail } = board;
  const { taken, line } = stand;
  const id = `row-${gameId(game)}`;
  const isOpen = useSignal(isOpened);
  // An edge is compared as it is shown, with one decimal.
  const isMarked = stand.edge !== null && Math.round(stand.edge * 1000) / 10 >= edge;
  const cell = (/** @type {string} */ kind, /** @type {Children} */ content, attributes = {}) =>
    element("span", { class: `of-${kind}`, role: "cell", ...attributes }, content);
  const figures = { "data-game": game.id, "data-value": line?.now, "data-opened": line?.opened };
  const click = (/** @type {MouseEvent} */ { target }) => {
    // A narrow window has the rest of a row after a tap anywhere on it.
    if (matchMedia(NARROW).matches && target instanceof Element && !target.closest("a, button")) {
      isOpen.value = !isOpen.value;
    }
  };
  return [
    element(
      "div",
      {
        ...{ id, class: isMarked ? "game-row marked" : "game-row", role: "row", hidden: isHidden, on: { click } },
        ...{ "data-game": game.id, "data-side": taken.side ?? "none" },
      },
      cell("start", whenOf(game, board)),
      cell("game", teamsOf(game, board)),
      cell("side", element(taken.side ? "strong" : "span", { class: "side" }, stand.name)),
      board.hasLines && [cell("opened", line?.write(line.opened)), cell("now", line?.write(line.now), figures)],
      cell("forecast", share(stand.forecast)),
      cell("book", share(stand.book)),
      cell("axis", trackOf(game, stand, slate, axis)),
      cell("price", price(stand.price)),
      cell("edge", points(stand.edge)),
      cell("worth", worthOf(stand)),
      cell("more", opener(id, element("span", { class: "unseen" }, `${game.away} at ${game.home}`), isOpen)),
    ),
    element(
      "div",
      { id: `${id}-more`, class: "row-detail game-more", role: "row", hidden: !isOpen.value },
      isOpen.value && element("div", { role: "cell" }, detail(game)),
    ),
  ];
}

/**
 * @param {Game} game
 * @param {Board} board
 * @returns {Child[]}
 */
function whenOf(game, { slate: { isPast }, date }) {
  const chip = (/** @type {string} */ text, /** @type {string} */ tone) =>
    element("span", { class: "chip", "data-tone": tone }, text);
  const marks = element(
    "span",
    { class: "marks" },
    !isPast && hasStarted(game) && chip("Started", "note"),
    game.held && chip("Held", "pending"),
  );
  return [start(game.time), game.date !== date && element("small", {}, ` ${shortDay(game.date)}`), marks];
}

/**
 * Builds the link to the game's own page: each team's abbreviation and nickname.
 * @param {Game} game
 * @param {Board} board
 */
function teamsOf({ id, teams: { away, home } }, { address, slate: { teams } }) {
  const named = (/** @type {string} */ team) => {
    const [short, name] = [teams.abbreviation(team), teams.short(team)];
    return element("span", { class: "team" }, short && element("small", {}, short), short && " ", name);
  };
  return element("a", { href: toGame(address, id) }, named(away), " at ", named(home));
}

/**
 * @param {Game} game
 * @param {Stand} stand
 * @param {Slate} slate
 * @param {Axis} axis
 */
function trackOf(game, { isPositive, name }, { model, league }, axis) {
  const place = placeOn(axis.range);
  const compared = {
    game: game.id,
    model,
    tone: league.tone(model),
    isPositive,
    forecast: entryOf(game.models, model),
    book: book(game),
    exchange: game.compared?.kalshi_home,
  };
  const grid = axis.ticks.map(({ at }) => upright(place(at), at === axis.base ? "base" : "grid"));
  const label = `${name}: ${inWords(compared)}`;
  return svg("svg", { class: "track", role: "img", "aria-label": label }, grid, dumbbell(compared, axis));
}

/**
 * Describes the expected value of the named side, or the reason for which no side is taken.
 * @param {Stand} stand
 * @returns {Child[]}
 */
function worthOf({ taken: { reason, value }, price: at }) {
  if (reason === "no bet") {
    return ["no bet ", element("small", {}, `(${gain(value)} at best)`)];
  }
  if (reason !== "" || typeof at !== "number") {
    return [reason || "no price"];
  }
  return [gain(value), typeof value === "number" && value > OUTLIER && element("small", {}, " check the price")];
}
