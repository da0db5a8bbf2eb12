// What who follows a model takes of a game: its pick, or its bet. All functions are pure.

import { figureIn, outcomeOf } from "./forecasts.js";
import { sides } from "./words.js";

/** @import { Address } from "./address.js" */
/** @import { Row } from "./forecasts.js" */
/** @import { Maybe } from "./format.js" */
/** @import { Market } from "./words.js" */
/** @typedef {"picks" | "bets"} Of The bets that a view speaks of. */
/** @typedef {"won" | "lost" | "pushed" | "none"} Grade */
/** @typedef {{ won: number, lost: number, pushed: number }} Tally */
/**
 * A game as a model and the book see it.
 * @typedef {object} Offer
 * @property {Maybe} probability The model's, of the positive side.
 * @property {Maybe[]} prices The prices of both sides, the positive one first.
 * @property {Maybe[]} [values] The expected values of both sides, where the API serves them.
 */
/**
 * What is taken of a game.
 * @typedef {object} Taken
 * @property {string | null} side The side that is taken: `home`, `away`, `over` or `under`; null for none.
 * @property {string} named The side that a row speaks of: the one taken, or else the better one.
 * @property {Maybe} value The expected value of one unit on the named side.
 * @property {"" | "no forecast" | "no pick" | "no price" | "no bet"} reason The reason for which no side is taken.
 */

/** The least difference of two probabilities, or of two expected values: smaller ones are errors of rounding. */
const NO_DIFFERENCE = 1e-9;

/**
 * The prices of both sides, the positive one first.
 * @type {Record<Market, [string, string]>}
 */
export const PRICES = {
  over_under: ["over_line", "under_line"],
  won_on_points: ["home_money_line", "away_money_line"],
  won_on_spread: ["home_point_spread_line", "away_point_spread_line"],
};

/**
 * Returns the bets that the address speaks of: picks, unless it says otherwise.
 * @param {Pick<Address, "options">} address
 * @returns {Of}
 */
export function ofOf({ options }) {
  return options.get("of") === "bets" ? "bets" : "picks";
}

/**
 * Returns what one unit gains on average at an American price.
 * @param {number} probability
 * @param {number} price
 */
export function expectedValue(probability, price) {
  const profit = price > 0 ? price / 100 : 100 / -price;
  return probability * profit - (1 - probability);
}

/**
 * Decides what is taken of a game. A pick is the side above one half. A bet is the side of greater expected value, if that is
 * above zero; of equal sides the one that the model favours. A bet needs both prices.
 * @param {Of} of
 * @param {Market} market
 * @param {Offer} offer
 * @returns {Taken}
 */
export function taken(of, market, offer) {
  const { probability } = offer;
  const [positive, negative] = sides(market);
  if (typeof probability !== "number") {
    return { side: null, named: positive, value: null, reason: "no forecast" };
  }
  const isFavoured = probability >= 0.5;
  const values = valuesOf(probability, offer);
  if (of === "picks") {
    const isEven = Math.abs(probability - 0.5) <= NO_DIFFERENCE;
    const named = isFavoured ? positive : negative;
    const value = values[isFavoured ? 0 : 1];
    return { side: isEven ? null : named, named, value, reason: isEven ? "no pick" : "" };
  }
  const [first, second] = values;
  if (typeof first !== "number" || typeof second !== "number") {
    const named = isFavoured ? positive : negative;
    return { side: null, named, value: values[isFavoured ? 0 : 1], reason: "no price" };
  }
  const isFirst = Math.abs(first - second) <= NO_DIFFERENCE ? isFavoured : first > second;
  const [named, value] = isFirst ? [positive, first] : [negative, second];
  const hasValue = value > NO_DIFFERENCE;
  return { side: hasValue ? named : null, named, value, reason: hasValue ? "" : "no bet" };
}

/**
 * Returns the expected values of both sides: as the API serves them, or else at the prices.
 * @param {number} probability
 * @param {Offer} offer
 * @returns {Maybe[]}
 */
function valuesOf(probability, { prices, values = [] }) {
  return [probability, 1 - probability].map((chance, place) => {
    const [value, price] = [values[place], prices[place]];
    return value ?? (typeof price === "number" && price !== 0 ? expectedValue(chance, price) : null);
  });
}

/**
 * Decides what is taken of a game of the results, at its recorded prices.
 * @param {Of} of
 * @param {Market} market
 * @param {string} model
 * @param {Row} game
 */
export function takenOf(of, market, model, game) {
  const prices = PRICES[market].map((field) => figureIn(game, field));
  return taken(of, market, { probability: figureIn(game, model), prices });
}

/**
 * Grades a side of a game.
 * @param {string | null} side
 * @param {Market} market
 * @param {Row} game
 * @returns {Grade}
 */
export function gradeOf(side, market, game) {
  if (side === null) {
    return "none";
  }
  if (game.push === true) {
    return "pushed";
  }
  const outcome = game.graded ? outcomeOf(game, market) : null;
  if (outcome === null) {
    return "none";
  }
  return outcome === (side === sides(market)[0]) ? "won" : "lost";
}

/**
 * Counts grades.
 * @param {Grade[]} grades
 * @returns {Tally}
 */
export function tally(grades) {
  const number = (/** @type {Grade} */ wanted) => grades.filter((grade) => grade === wanted).length;
  return { won: number("won"), lost: number("lost"), pushed: number("pushed") };
}

/**
 * Counts the book's favourite over the games in which a model's side is graded and the book has one, too.
 * @param {Of} of
 * @param {Market} market
 * @param {string} model
 * @param {Row[]} games
 */
export function baselineOf(of, market, model, games) {
  return besideBaseline(of, market, model, games).baseline;
}

/**
 * @typedef {object} Beside A model's record beside the book's favourite.
 * @property {Tally} record Of all games with a grade of the model's side.
 * @property {Tally} shared Of those of them in which the book has a favourite.
 * @property {Tally} baseline The favourite over these.
 */

/**
 * Counts a model and the book's favourite, each over the games that both took.
 * @param {Of} of
 * @param {Market} market
 * @param {string} model
 * @param {Row[]} games
 * @returns {Beside}
 */
export function besideBaseline(of, market, model, games) {
  const graded = games.map((game) => ({
    own: gradeOf(takenOf(of, market, model, game).side, market, game),
    book: gradeOf(takenOf("picks", market, "IMPLIED", game).side, market, game),
  }));
  const followed = graded.filter(({ own }) => own !== "none");
  const both = followed.filter(({ book }) => book !== "none");
  return {
    record: tally(followed.map(({ own }) => own)),
    shared: tally(both.map(({ own }) => own)),
    baseline: tally(both.map(({ book }) => book)),
  };
}

/** Returns the number of games of a record. @param {Tally} record */
export function gamesOf({ won, lost, pushed }) {
  return won + lost + pushed;
}
