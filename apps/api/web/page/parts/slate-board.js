// The games of a slate as rows over one axis: the side that is taken of each, the model, the book and the prediction market.

import { write } from "../address.js";
import { element } from "../dom.js";
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
import { LONG, longList, openOnce } from "./table.js";

/** @import { Address } from "../address.js" */
/** @import { Of } from "../followed.js" */
/** @import { Game, Slate, Stand } from "../slate.js" */
/** @import { Place } from "./later.js" */
/** @import { Movements } from "./movement.js" */

/** @typedef {{ game: Game, stand: Stand }} Entry */

/** The edge from which rows are marked, in points, unless the address has another. */
const EDGE = 3;

const ORDERS = { start: "Start", edge: "Edge", value: "Value" };

/** The text of the search field, which stays when the board is rebuilt. */
let searched = "";

/**
 * Builds the figure of the games, and the controls of its order, its marks and the search.
 * @param {Place} place
 * @param {Slate} slate
 * @param {string} note
 */
export function slateBoard({ address, signal }, slate, note) {
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
  const movement = isFree ? null : movements({ address, signal });
  const board = {
    address,
    slate,
    axis: fittedAxis(entries.flatMap(({ stand }) => [stand.forecast, stand.book, stand.exchange])),
    edge,
    hasLines: market !== "won_on_points",
    date: games.map(({ date }) => date).toSorted()[0] ?? "",
    detail: (/** @type {Game} */ game) => detail(game, slate, market, movement),
  };
  const place = element("div", {});
  const remaining = element("span", { role: "status" });
  const draw = () => {
    const text = searched.trim().toLowerCase();
    const found = entries.filter(({ game }) => `${game.away} ${game.home}`.toLowerCase().includes(text));
    remaining.textContent = text
      ? `${found.length} of ${counted(games.length, "game")}`
      : counted(games.length, "game");
    place.replaceChildren(...listOf(found, board, of));
  };
  draw();
  const hasExchange = games.some(({ compared }) => compared);
  return {
    tools: tools(address, { order, edge }, remaining, draw),
    drawn: figure({
      id: "slate",
      title: finding(of, entries, model),
      note: [
        note,
        note && " ",
        `Probability of the side named; the axis fits the slate. The edge is the model's less the book's, in points.`,
      ],
      legend: legendOf([{ model, tone: league.tone(model) }], hasExchange),
      drawing: [place],
      numbers: () => slateNumbers(slate, market, of),
      address,
      calls: slate.calls,
      class: isPast ? "slate past" : "slate",
    }),
  };
}

/**
 * Builds the rows of games, which end in “Show all” if there are many.
 * @param {Entry[]} found
 * @param {Parameters<typeof gameRow>[2]} board
 * @param {Of} of
 */
function listOf(found, board, of) {
  const { options } = board.address;
  const isLinked = (/** @type {Entry} */ { game }) => options.get("figure") === movementId(game.id);
  found.filter(isLinked).forEach(({ game }) => openOnce(`row-${gameId(game)}`));
  const rows = found.map(({ game, stand }) => gameRow(game, stand, board));
  const list = longList("Games", rows.length, { isWhole: found.slice(LONG).some(isLinked) });
  list.cut(rows.map(({ row }) => row));
  const head = headRow([of === "picks" ? "Pick" : "Bet", modelName(board.slate.model)], board);
  const made = element(
    "div",
    { class: board.hasLines ? "games with-lines" : "games", role: "table", "aria-label": "Games" },
    head,
    rows.flatMap(({ row, opened }) => [row, opened]),
  );
  return list.button ? [made, list.button] : [made];
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
 * @param {HTMLElement} remaining
 * @param {() => void} draw
 */
function tools(address, { order, edge }, remaining, draw) {
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
  const sort = element(
    "select",
    { id: "sort", "aria-label": "Sort by" },
    Object.entries(ORDERS).map(([name, text]) =>
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
