// The probabilities of a model and the markets of one game, on one axis.

import { share } from "../format.js";
import { modelName } from "../words.js";
import { mark, sample, span } from "./marks.js";
import { placeOn } from "./svg.js";

/** @import { Maybe } from "../format.js" */
/** @import { Axis } from "./row-chart.js" */
/** @import { Child } from "../dom.js" */
/** @import { Tone } from "./tones.js" */
/**
 * @typedef {object} Compared
 * @property {string} game The id of the game.
 * @property {string} model
 * @property {Tone} tone
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

/** @param {Compared} compared */
export function dumbbell({ game, model, tone, forecast, book, exchange }) {
  const place = placeOn(SHARES.range);
  const known = [forecast, book, exchange].filter((value) => typeof value === "number");
  return [
    known.length > 1 && span(place(Math.min(...known)), place(Math.max(...known)), "bar"),
    typeof book === "number" && mark("book", place(book), { value: book, game, model: "IMPLIED" }),
    typeof exchange === "number" && mark("exchange", place(exchange), { value: exchange, game }),
    typeof forecast === "number" && mark("model", place(forecast), { value: forecast, game, model }, tone),
  ].filter((drawn) => drawn instanceof SVGElement);
}

/** Describes the marks in words. @param {Compared} compared */
export function inWords({ model, forecast, book, exchange }) {
  const words = [`${modelName(model)} ${share(forecast)}`, `book ${share(book)}`];
  if (typeof exchange === "number") {
    words.push(`prediction market ${share(exchange)}`);
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
