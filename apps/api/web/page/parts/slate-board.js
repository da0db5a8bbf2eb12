// The games of a slate as rows over one axis: the side that is taken of each, the model, the book and the prediction market.

import { computed } from "@preact/signals";
import { write } from "../address.js";
import { element, fieldOf, part } from "../dom.js";
import { ofOf } from "../followed.js";
import { counted, share } from "../format.js";
import { standOf } from "../slate.js";
import { POSITIVE_EVENTS, modelInFull, modelName } from "../words.js";
import { SHARES, fittedAxis, legendOf } from "./dumbbell.js";
import { figure } from "./figure.js";
import { mark } from "./marks.js";
import { movementId, movements } from "./movement.js";
import { rowChart } from "./row-chart.js";
import { gameRow, headRow } from "./slate-row.js";
import { gameId, lineTable, slateNumbers } from "./slate-table.js";
import { compare } from "./sorting.js";
import { placeOn } from "./svg.js";
import { LONG, useLongList } from "./table.js";
import { typedField } from "./typed-field.js";

/** @import { Signal } from "@preact/signals" */
/** @import { Address } from "../address.js" */
/** @import { Of } from "../followed.js" */
/** @import { Game, Slate, Stand } from "../slate.js" */
/** @import { Place } from "./later.js" */
/** @import { Movements } from "./movement.js" */
/** @import { Board } from "./slate-row.js" */

/** @typedef {{ game: Game, stand: Stand }} Entry */

/** The edge from which rows are marked, in points, unless the address has another. */
const EDGE = 3;

const ORDERS = { start: "Start", edge: "Edge", value: "Value" };

/**
 * Builds the figure of the games, and the controls of its order, its marks and the search.
 * @param {Place} place
 * @param {Slate} slate
 * @param {string} note
 * @param {Signal<string>} searched The text of the search field.
 */
export function slateBoard(place, slate, note, searched) {
  const { address } = place;
  const { market, options } = address;
  const { games, model, league, isFree, isPast } = slate;
  const of = ofOf(address);
  const order = options.get("sort") ?? "start";
  const asked = options.get("edge");
  const edge = asked !== null && Number.isFinite(Number(asked)) ? Number(asked) : EDGE;
  const entries = sorted(
    games.map((game) => ({ game, stand: standOf(of, game, market, slate) })),
    order,
  );
  const movement = isFree ? null : movements(place);
  const board = {
    address,
    slate,
    axis: fittedAxis(entries.flatMap(({ stand }) => [stand.forecast, stand.book, stand.exchange])),
    edge,
    hasLines: market !== "won_on_points",
    date: games.map(({ date }) => date).toSorted()[0] ?? "",
    detail: (/** @type {Game} */ game) => detail(game, slate, market, movement),
  };
  const hasExchange = games.some(({ compared }) => compared);
  return {
    tools: tools(address, { order, edge }, searched, games),
    drawn: figure({
      id: "slate",
      title: finding(of, entries, model),
      note: [
        note,
        note && " ",
        `Probability of the side named; the axis fits the slate. The edge is the model's less the book's, in points.`,
      ],
      legend: legendOf([{ model, tone: league.tone(model) }], hasExchange),
      drawing: [part(Rows, { entries, board, of, searched })],
      numbers: () => slateNumbers(slate, market, of),
      address,
      calls: slate.calls,
      class: isPast ? "slate past" : "slate",
    }),
  };
}

/**
 * Returns whether a game is one of those that are searched.
 * @param {Game} game
 * @param {Signal<string>} searched
 */
function isFound({ away, home }, searched) {
  return `${away} ${home}`.toLowerCase().includes(searched.value.trim().toLowerCase());
}

/**
 * The rows of the games that are searched, which end in “Show all” if there are many.
 * @param {{ entries: Entry[], board: Board, of: Of, searched: Signal<string> }} props
 */
function Rows({ entries, board, of, searched }) {
  const found = entries.filter(({ game }) => isFound(game, searched));
  const asked = board.address.options.get("figure");
  const isLinked = (/** @type {Entry} */ { game }) => asked === movementId(game.id);
  const list = useLongList(found.length, { isWhole: found.slice(LONG).some(isLinked) });
  const rows = found.map((entry, place) =>
    gameRow(entry, board, { isHidden: list.isHidden(place), isOpened: isLinked(entry) }),
  );
  return element(
    "div",
    {},
    element(
      "div",
      { class: board.hasLines ? "games with-lines" : "games", role: "table", "aria-label": "Games" },
      headRow([of === "picks" ? "Pick" : "Bet", modelName(board.slate.model)], board),
      rows,
    ),
    list.button,
  );
}

/**
 * Says what the model takes of the slate.
 * @param {Of} of
 * @param {Entry[]} entries
 * @param {string} model
 */
function finding(of, entries, model) {
  const made = entries.filter(({ stand }) => stand.taken.side !== null);
  const name = modelName(model);
  if (of === "bets") {
    return made.length === 0
      ? `${name} finds no bet of positive value in ${counted(entries.length, "game")}`
      : `${name} finds value in ${made.length} of ${counted(entries.length, "game")}`;
  }
  const against = made.filter(({ stand }) => typeof stand.book === "number" && stand.book < 0.5).length;
  const how = `${against === 0 ? "none" : against} against the book's favourite`;
  return made.length === 0 ? `${name} has no pick` : `${counted(made.length, "pick")} of ${name}, ${how}`;
}

/**
 * @param {Entry[]} entries
 * @param {string} order
 */
function sorted(entries, order) {
  if (order === "edge") {
    return entries.toSorted((a, b) => compare(a.stand.edge, b.stand.edge, true));
  }
  if (order === "value") {
    return entries.toSorted((a, b) => compare(a.stand.taken.value, b.stand.taken.value, true));
  }
  const begins = (/** @type {Entry} */ { game }) => `${game.date} ${game.time}`;
  return entries.toSorted((a, b) => compare(begins(a), begins(b), false));
}

/**
 * Builds the controls: the order and the edge, which the address keeps, and the search.
 * @param {Address} address
 * @param {{ order: string, edge: number }} chosen
 * @param {Signal<string>} searched
 * @param {Game[]} games
 */
function tools(address, { order, edge }, searched, games) {
  const remaining = computed(() => {
    const found = games.filter((game) => isFound(game, searched)).length;
    return searched.value.trim() ? `${found} of ${counted(games.length, "game")}` : counted(games.length, "game");
  });
  const search = element("input", {
    ...{ id: "search", type: "search", placeholder: "Team", "aria-label": "Search for a team", autocomplete: "off" },
    ...{ value: searched, on: { input: (/** @type {Event} */ event) => (searched.value = fieldOf(event).value) } },
  });
  const sort = (/** @type {Event} */ event) => {
    const { value } = fieldOf(event);
    location.hash = write(address, {}, { sort: value === "start" ? null : value });
  };
  const mark = (/** @type {Event} */ event) => {
    const typed = fieldOf(event);
    if (typed.checkValidity() && typed.value !== "") {
      location.hash = write(address, {}, { edge: Number(typed.value) === EDGE ? null : typed.value });
    }
  };
  return element(
    "div",
    { class: "rows-tools" },
    search,
    element(
      "select",
      { id: "sort", "aria-label": "Sort by", on: { change: sort } },
      Object.entries(ORDERS).map(([name, text]) =>
        element("option", { value: name, selected: name === order }, `By ${text.toLowerCase()}`),
      ),
    ),
    element("label", { for: "edge" }, "Mark from an edge of"),
    typedField({ id: "edge", type: "number", min: 0, max: 100, step: 0.5, on: { change: mark } }, edge),
    element("span", {}, "points"),
    element("span", { role: "status" }, remaining),
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
