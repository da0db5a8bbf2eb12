// The movement of an opened game's lines, from the releases up to its start.

import { useSignal } from "@preact/signals";
import { toGame } from "../address.js";
import { getIfThere } from "../api.js";
import { now } from "../clock.js";
import { element, part } from "../dom.js";
import { figureIn } from "../forecasts.js";
import { counted, duration, instant, price } from "../format.js";
import { POSTED } from "../words.js";
import { figure } from "./figure.js";
import { later } from "./later.js";
import { stepPlot, stepSample } from "./step-plot.js";

/** @import { Answer } from "../api.js" */
/** @import { Signal } from "@preact/signals" */
/** @import { Child, Children } from "../dom.js" */
/** @import { Market, Posted } from "../words.js" */
/** @import { Place } from "./later.js" */
/** @import { Scale } from "./step-plot.js" */
/** @typedef {Answer<"/api/v1/odds/{sport}/history">} History */
/**
 * @typedef {object} Game
 * @property {string} id
 * @property {string} name
 * @property {boolean} [isImported] True if no release forecast it: its history is not requested.
 */
/** @typedef {(game: Game) => Child} Movements */

const HISTORY = "/api/v1/odds/{sport}/history";

/**
 * The line that is drawn of each market's games, until another is chosen.
 * @type {Record<Market, string>}
 */
const FIRST = { over_under: "over_under", won_on_points: "home_money_line", won_on_spread: "home_point_spread" };

/** Returns the name of a game's figure. @param {string} id */
export function movementId(id) {
  return `moves-${id}`;
}

/**
 * Returns a function that builds the movement of a game. The history of a game is requested when it is first opened.
 * @param {Place} place
 * @returns {Movements}
 */
export function movements(place) {
  /** @type {Map<string, Promise<History | null>>} */
  const asked = new Map();
  const ask = (/** @type {string} */ game_id) => {
    const path = { sport: place.address.league };
    const known = asked.get(game_id) ?? getIfThere(HISTORY, { path, query: { game_id }, signal: place.signal });
    asked.set(game_id, known);
    known.catch(() => asked.delete(game_id));
    return known;
  };
  return (game) => {
    const show = (/** @type {History | null} */ history) => partsOf(place, game, history);
    const content = game.isImported ? show(null) : later(place, () => ask(game.id), show);
    const own = element("a", { class: "action", href: toGame(place.address, game.id) }, "The game's page");
    return element("div", { class: "movement" }, element("p", {}, own), content);
  };
}

/**
 * Builds the movement of a game whose history is known.
 * @param {Place} place
 * @param {Game} game
 * @param {History | null} history
 */
export function movementOf(place, game, history) {
  return element("div", { class: "movement" }, partsOf(place, game, history));
}

/**
 * @param {Place} place
 * @param {Game} game
 * @param {History | null} history
 * @returns {Child[]}
 */
function partsOf(place, game, history) {
  if (!history) {
    const text = `${game.name}: no odds of this game are on record here, so its lines have no history.`;
    return [element("p", { class: "empty" }, text)];
  }
  const { market } = place.address;
  const { lines, quoted_after_start: after } = history;
  const inPlay = element("p", { class: "note in-play" }, afterStart(after));
  if (lines.length === 0) {
    return [element("p", { class: "empty" }, `${game.name}: no odds were published before the start.`), inPlay];
  }
  const chosen = part(ChosenLine, { place, game, history, key: market });
  return [chosen, ...notesOf(history), after > 0 && inPlay];
}

/**
 * A line of the game, and the choice of another one.
 * @param {{ place: Place, game: Game, history: History }} props
 */
function ChosenLine({ place, game, history }) {
  const { market } = place.address;
  const chosen = useSignal(FIRST[market]);
  const line = /** @type {Posted} */ (POSTED[market].find(({ field }) => field === chosen.value));
  return [choice(market, game, chosen), element("div", {}, figureOf(place, game, history, line))];
}

/**
 * Builds the choice of the line that is drawn.
 * @param {Market} market
 * @param {Game} game
 * @param {Signal<string>} chosen
 */
function choice(market, { id, name }, chosen) {
  const options = POSTED[market].map(({ name: text, field }) => {
    const change = () => (chosen.value = field);
    const attributes = { type: "radio", id: `line-${id}-${field}`, name: `line-${id}`, value: field };
    const radio = element("input", { ...attributes, checked: field === chosen.value, on: { change } });
    return element("label", {}, radio, " ", text);
  });
  return element(
    "fieldset",
    { class: "line-choice" },
    element("legend", { class: "unseen" }, `The line of ${name} to draw`),
    options,
  );
}

/**
 * Returns the figure of a line's movement.
 * @param {Place} place
 * @param {Game} game
 * @param {History} history
 * @param {Posted} line
 * @returns {Children}
 */
function figureOf({ address }, { id, name }, history, { name: head, full = head, field, write }) {
  const starts = history.starts_at === null ? null : Date.parse(history.starts_at);
  const steps = history.lines.map((one) => {
    const { published_at: at, mark } = one;
    return { at: Date.parse(at), value: figureIn(one, field), mark };
  });
  if (steps.every(({ value }) => value === null)) {
    return [element("p", { class: "empty" }, `${name}: ${full.toLowerCase()} was never quoted.`)];
  }
  const earlier = history.earlier_starts.map((at) => ({
    at: Date.parse(at),
    kind: /** @type {const} */ ("earlier-start"),
  }));
  const instants = [...earlier, ...(starts === null ? [] : [{ at: starts, kind: /** @type {const} */ ("start") }])];
  const title = `${name}: ${full.toLowerCase()} as it moved`;
  return [
    figure({
      id: movementId(id),
      title,
      note: `A step for each change, from the release that published it until the next change. ${readingOf(write)}`,
      legend: [
        [stepSample("open"), history.complete ? "First line" : "First line read"],
        [stepSample("close"), hasBegun(history) && !isCalledOff(history) ? "Close" : "Latest line"],
        starts !== null && [stepSample("start"), "Start"],
        earlier.length > 0 && [stepSample("earlier-start"), "Earlier start"],
      ].filter((entry) => entry !== false),
      drawing: [
        element(
          "div",
          { class: "plot-area" },
          stepPlot({ title, game: id, steps, until: endOf(steps, starts), instants, scale: scaleOf(write) }),
        ),
      ],
      numbers: () => numbersOf(title, id, history, address.market),
      address,
      calls: [{ template: HISTORY, path: { sport: address.league }, query: { game_id: id } }],
      class: "moves",
    }),
  ];
}

/** Returns whether a game was called off: its latest line is none that closed. @param {History} history */
function isCalledOff(history) {
  return hasBegun(history) && history.lines.some(({ mark }) => mark?.includes("latest"));
}

/** @param {History} history */
function hasBegun({ starts_at: starts }) {
  return starts !== null && Date.parse(starts) <= now();
}

/**
 * Returns the end of the last step: the start, or now before it.
 * @param {{ at: number }[]} steps
 * @param {number | null} starts
 */
function endOf(steps, starts) {
  return Math.max(steps[steps.length - 1].at, Math.min(now(), starts ?? Infinity));
}

/**
 * Returns the scale of a line. American prices have nothing between −100 and +100, which are the same price: they are
 * placed by their distance from it.
 * @param {Posted["write"]} write
 * @returns {Scale}
 */
function scaleOf(write) {
  if (write !== price) {
    return { placed: (value) => value, write };
  }
  return {
    placed: (value) => (value < 0 ? value + 100 : value - 100),
    write: (place) => (Number.isInteger(place) ? write(place < 0 ? place - 100 : place + 100) : ""),
  };
}

/** @param {Posted["write"]} write */
function readingOf(write) {
  return write === price ? "Upwards: the better price for a bettor, American odds." : "In points.";
}

/**
 * Builds the sentences about a history.
 * @param {History} history
 */
function notesOf(history) {
  const { complete, close, earlier_starts: earlier } = history;
  const sentences = [
    !complete &&
      "An older release than those read quoted the game, too: the first line here may not be the first of all.",
    close
      ? `The close was last published ${instant(close.published_at)}, of odds read ${duration(close.age_seconds * 1000)} before the start.`
      : isCalledOff(history)
        ? "There is no close: the game was called off."
        : hasBegun(history)
          ? "There is no close: no line with a price was published before the start."
          : "The line can still move: it is a close once the game has started.",
    earlier.length > 0 && `The game was first to start ${earlier.map(instant).join(", then ")}.`,
  ];
  return sentences.filter((text) => typeof text === "string").map((text) => element("p", { class: "note" }, text));
}

/** @param {number} number */
function afterStart(number) {
  return number === 0
    ? "No release after the start quoted it either."
    : `${counted(number, "release")} at or after the start quoted the game: such prices may be in play, and are no part of its movement.`;
}

/**
 * Returns the changes as a table, with every line of the market.
 * @param {string} title
 * @param {string} id
 * @param {History} history
 * @param {Market} market
 */
function numbersOf(title, id, { lines }, market) {
  const posted = POSTED[market];
  const columns = [
    { head: "Published", line: true },
    ...posted.map(({ name }) => ({ head: name, number: true })),
    { head: "Odds read", line: true },
    { head: "Mark" },
  ];
  const rows = lines.map((line) => {
    const values = posted.map(({ field }) => figureIn(line, field));
    const mark = line.mark?.replaceAll("_", " ") ?? "–";
    return {
      id: `moves-${id}-${line.generation}`,
      cells: [
        instant(line.published_at),
        ...posted.map(({ write }, index) => write(values[index])),
        instant(line.source_as_of),
        mark,
      ],
      values: [line.published_at, ...values, line.source_as_of, line.mark],
    };
  });
  return { caption: `${title}: every change`, columns, rows };
}
