// The probabilities of a model and the markets of one side of a game, on one axis.

import { roughShare, share } from "../format.js";
import { shareOf } from "../slate.js";
import { modelName } from "../words.js";
import { mark, sample, span } from "./marks.js";
import { placeOn, roundRange, roundValues } from "./svg.js";

/** @import { Maybe } from "../format.js" */
/** @import { Axis } from "./row-chart.js" */
/** @import { Child } from "../dom.js" */
/** @import { Tone } from "./tones.js" */
/**
 * The probabilities of a game, as the API serves them: of a home win, or of the over.
 * @typedef {object} Compared
 * @property {string} game The id of the game.
 * @property {string} model
 * @property {Tone} tone
 * @property {boolean} isPositive False if the drawing is of the other side.
 * @property {Maybe} forecast
 * @property {Maybe} book
 * @property {Maybe} [exchange]
 */

/** @type {Axis} */
export const SHARES = {
  range: [0, 1],
  ticks: [0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, text: `${at * 100}${at === 1 || at === 0 ? "\u00a0%" : ""}` })),
  base: 0.5,
};

/**
 * Returns an axis that fits probabilities, with round ends.
 * @param {Maybe[]} shares
 * @returns {Axis}
 */
export function fittedAxis(shares) {
  const known = shares.filter((value) => typeof value === "number");
  if (known.length === 0) {
    return SHARES;
  }
  const [low, high] = roundRange([Math.min(...known) - 0.005, Math.max(...known) + 0.005], 8);
  const range = /** @type {[number, number]} */ ([Math.max(0, low), Math.min(1, high)]);
  const whole = roundValues(range, 4).filter((at) => Number.isInteger(Number((at * 100).toPrecision(12))));
  return { range, ticks: whole.map((at) => ({ at, text: roughShare(at) })), base: 0.5 };
}

/**
 * @param {Compared} compared
 * @param {Axis} axis
 */
export function dumbbell({ game, model, tone, isPositive, forecast, book, exchange }, axis) {
  const across = placeOn(axis.range);
  const place = (/** @type {number} */ value) => across(Number(shareOf(value, isPositive)));
  const known = [forecast, book, exchange].filter((value) => typeof value === "number").map(place);
  return [
    known.length > 1 && span(Math.min(...known), Math.max(...known), "bar"),
    typeof book === "number" && mark("book", place(book), { value: book, game, model: "IMPLIED" }),
    typeof exchange === "number" && mark("exchange", place(exchange), { value: exchange, game }),
    typeof forecast === "number" && mark("model", place(forecast), { value: forecast, game, model }, tone),
  ];
}

/** Describes the marks in words. @param {Omit<Compared, "game" | "tone">} compared */
export function inWords({ model, isPositive, forecast, book, exchange }) {
  const written = (/** @type {Maybe} */ value) => share(shareOf(value, isPositive));
  const words = [`${modelName(model)} ${written(forecast)}`, `book ${written(book)}`];
  if (typeof exchange === "number") {
    words.push(`prediction market ${written(exchange)}`);
  }
  return words.join(", ");
}

/**
 * @param {{ model: string, tone: Tone }[]} models
 * @param {boolean} hasExchange
 * @returns {Child[][]}
 */
export function legendOf(models, hasExchange) {
  const entries = [
    ...models.map(({ model, tone }) => [sample("model", tone), modelName(model)]),
    [sample("book"), "Book, without its margin"],
  ];
  return hasExchange ? [...entries, [sample("exchange"), "Prediction market"]] : entries;
}
