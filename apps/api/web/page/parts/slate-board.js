// The games of a slate as rows over one axis: the model, the book and the prediction market.

import { write } from "../address.js";
import { hasStarted } from "../clock.js";
import { element } from "../dom.js";
import { counted, day, gain, points, price, share, start, units } from "../format.js";
import { entryOf } from "../models.js";
import { book, favoured, lineOf } from "../slate.js";
import { POSITIVE_EVENTS, capitalised, modelInFull } from "../words.js";
import { SHARES, dumbbell, inWords, legendOf } from "./dumbbell.js";
import { figure } from "./figure.js";
import { mark } from "./marks.js";
import { movementId, movements } from "./movement.js";
import { rowChart } from "./row-chart.js";
import { gameId, lineTable, slateNumbers } from "./slate-table.js";
import { compare } from "./sorting.js";
import { placeOn } from "./svg.js";
import { openOnce } from "./table.js";

/** @import { Address } from "../address.js" */
/** @import { Favoured, Game, Slate } from "../slate.js" */
/** @import { Child } from "../dom.js" */
/** @import { Place } from "./later.js" */
/** @import { Movements } from "./movement.js" */

/** @typedef {{ game: Game, side: Favoured }} Entry */
/**
 * @typedef {object} Choices What the reader chose, and what an opened game has with it.
 * @property {string} order
 * @property {number} edge
 * @property {Movements | null} movement Builds the movement of a game's lines; null without a key.
 */

/** The edge from which rows are marked, in points, unless the address has another. */
const EDGE = 3;
/** The expected value above which a price is more likely wrong than generous. */
const OUTLIER = 0.5;

const ORDERS = { start: "Start", edge: "Edge", value: "Value" };

/** The text of the search field, which stays when the board is rebuilt. */
let searched = "";

/**
 * @param {Place} place
 * @param {Slate} slate
 * @param {string} note
 */
export function slateBoard({ address, signal }, slate, note) {
  const { market, options } = address;
  const { games, model, league, isFree } = slate;
  const order = options.get("sort") ?? "start";
  const asked = options.get("edge");
  const edge = asked !== null && Number.isFinite(Number(asked)) ? Number(asked) : EDGE;
  const entries = sorted(
    games.map((game) => ({ game, side: favoured(game, market, model) })),
    order,
  );
  const hasExchange = games.some(({ compared }) => compared);
  const movement = isFree ? null : movements({ address, signal });
  const place = element("div", {});
  const remaining = element("span", { role: "status" });
  const draw = () => {
    const text = searched.trim().toLowerCase();
    const found = entries.filter(({ game }) => `${game.away} ${game.home}`.toLowerCase().includes(text));
    remaining.textContent = text
      ? `${found.length} of ${counted(games.length, "game")}`
      : counted(games.length, "game");
    const rows = found.map((entry) => rowOf(entry, address, slate, { order, edge, movement }));
    place.replaceChildren(rowChart("Games", SHARES, rows));
  };
  draw();
  return figure({
    id: "slate",
    title: `${capitalised(POSITIVE_EVENTS[market])}: the probability of each game`,
    note,
    legend: legendOf([{ model, tone: league.tone(model) }], hasExchange),
    drawing: [tools(address, { order, edge, isFree: Boolean(isFree) }, remaining, draw), place],
    numbers: () => slateNumbers(slate, market),
    address,
    calls: slate.calls,
    class: "slate",
  });
}

/**
 * @param {Entry[]} entries
 * @param {string} order
 */
function sorted(entries, order) {
  if (order === "edge") {
    return entries.toSorted((a, b) => compare(a.side.edge, b.side.edge, true));
  }
  if (order === "value") {
    return entries.toSorted((a, b) => compare(a.side.value, b.side.value, true));
  }
  const begins = (/** @type {Entry} */ { game }) => `${game.date} ${game.time}`;
  return entries.toSorted((a, b) => compare(begins(a), begins(b), false));
}

/**
 * Builds the controls: the order and the edge, which the address keeps, and the search.
 * @param {Address} address
 * @param {{ order: string, edge: number, isFree: boolean }} chosen
 * @param {HTMLElement} remaining
 * @param {() => void} draw
 */
function tools(address, { order, edge, isFree }, remaining, draw) {
  const search = element("input", {
    id: "search",
    type: "search",
    value: searched,
    placeholder: "Team",
    "aria-label": "Search for a team",
    autocomplete: "off",
  });
  search.addEventListener("input", () => {
    searched = search.value;
    draw();
  });
  const offered = Object.entries(ORDERS).filter(([name]) => !isFree || name !== "value");
  const sort = element(
    "select",
    { id: "sort", "aria-label": "Sort by" },
    offered.map(([name, text]) =>
      element("option", { value: name, selected: name === order }, `By ${text.toLowerCase()}`),
    ),
  );
  sort.addEventListener("change", () => {
    location.hash = write(address, {}, { sort: sort.value === "start" ? null : sort.value });
  });
  const field = element("input", { id: "edge", type: "number", min: 0, max: 100, step: 0.5, value: edge });
  field.addEventListener("change", () => {
    if (field.checkValidity() && field.value !== "") {
      location.hash = write(address, {}, { edge: Number(field.value) === EDGE ? null : field.value });
    }
  });
  return element(
    "div",
    { class: "rows-tools" },
    search,
    sort,
    element("label", { for: "edge" }, "Mark from an edge of"),
    field,
    element("span", {}, "points"),
    remaining,
  );
}

/**
 * @param {Entry} entry
 * @param {Address} address
 * @param {Slate} slate
 * @param {Choices} chosen
 */
function rowOf({ game, side }, { market, options }, slate, { order, edge, movement }) {
  const { model, league } = slate;
  const id = `row-${gameId(game)}`;
  if (options.get("figure") === movementId(game.id)) {
    openOnce(id);
  }
  const compared = {
    game: game.id,
    model,
    tone: league.tone(model),
    forecast: entryOf(game.models, model),
    book: book(game),
    exchange: game.compared?.kalshi_home,
  };
  const begins = `${day(game.date)}, ${start(game.time)}`;
  // An edge is compared as it is shown, with one decimal.
  const marked = side.edge !== null && Math.round(side.edge * 1000) / 10 >= edge;
  return {
    id,
    name: [`${game.away} at ${game.home}`, order === "start" ? null : element("small", {}, begins)],
    group: order === "start" ? begins : undefined,
    marks: dumbbell(compared),
    label: inWords(compared),
    figures: [
      element("strong", { class: "side" }, side.name),
      element("small", {}, figuresOf(side)),
      lineMove(game, market),
      chips(game, side, marked, Boolean(slate.isPast)),
    ],
    marked,
    detail: () => detail(game, slate, market, movement),
  };
}

/**
 * Describes the line in points, which says more of a total or a spread than its probability, and its move since it opened.
 * @param {Game} game
 * @param {Address["market"]} market
 */
function lineMove(game, market) {
  const line = lineOf(game, market);
  if (!line) {
    return null;
  }
  const { name, write: written, opened, now } = line;
  const move = opened === now ? "as it opened" : `opened at ${written(opened)}, moved ${units(now - opened)}`;
  const figures = { class: "line-move", "data-game": game.id, "data-value": now, "data-opened": opened };
  return element("small", figures, `${name} ${written(now)}, ${move}`);
}

/** @param {Favoured} side */
function figuresOf({ edge, value, price: at }) {
  const known = [
    edge !== null && `edge ${points(edge)}`,
    typeof value === "number" && `value ${gain(value)} at ${price(at)}`,
  ];
  return known.filter(Boolean).join(", ");
}

/**
 * @param {Game} game
 * @param {Favoured} side
 * @param {boolean} marked
 * @param {boolean} isPast
 * @returns {Child}
 */
function chips(game, { value }, marked, isPast) {
  const chip = (/** @type {string} */ text, /** @type {string} */ tone) =>
    element("span", { class: "chip", "data-tone": tone }, text);
  return element(
    "span",
    { class: "marks" },
    marked && chip("Edge", "calm"),
    typeof value === "number" && value > OUTLIER && chip("Outlier: check the price", "partial"),
    !isPast && hasStarted(game) && chip("Started", "note"),
    game.held && chip("Held", "pending"),
  );
}

/**
 * Builds the details: every model on the axis, every line (the opening one, the one of the forecast, and the current one),
 * and their movement.
 * @param {Game} game
 * @param {Slate} slate
 * @param {Address["market"]} market
 * @param {Movements | null} movement
 */
function detail(game, { league, isPast }, market, movement) {
  const name = `${game.away} at ${game.home}`;
  return element(
    "div",
    {},
    element(
      "div",
      { class: "columns" },
      element(
        "div",
        { class: "models" },
        element("p", { class: "note" }, `${name}: every model, ${POSITIVE_EVENTS[market]}`),
        rowChart("Every model", SHARES, modelRows(game, league)),
      ),
      lineTable(game, market, Boolean(isPast)),
    ),
    movement && isPast
      ? element(
          "p",
          { class: "note" },
          "The movement below is of every release before the start, also of those after this moment.",
        )
      : null,
    movement && movement({ id: game.id, name }),
  );
}

/**
 * Builds the rows of every model of a game.
 * @param {Game} game
 * @param {Slate["league"]} league
 */
function modelRows(game, league) {
  const place = placeOn(SHARES.range);
  return Object.entries(game.models).flatMap(([model, probability]) => {
    const kind = model === "IMPLIED" ? "book" : "model";
    const figures = { value: probability, game: game.id, model };
    return typeof probability === "number"
      ? [
          {
            id: `${gameId(game)}-${model}`,
            name: [league.label(model, modelInFull(model))],
            marks: [mark(kind, place(probability), figures, league.tone(model))],
            label: `${model} ${share(probability)}`,
            figures: [share(probability)],
          },
        ]
      : [];
  });
}
