// A model's record of a season as one figure: its rate and interval, the rate to break even, its return, and the baseline.

import { element, svg } from "../dom.js";
import { counted, gain, interval, roughShare, share } from "../format.js";
import { modelName } from "../words.js";
import { mark, span } from "./marks.js";
import { printedBaseline, printedRecord, wonLost } from "./printed-record.js";
import { placeOn, roundRange } from "./svg.js";

/** @import { Child } from "../dom.js" */
/** @import { Of, Tally } from "../followed.js" */
/** @import { Models } from "../models.js" */
/** @import { Followed } from "./summaries.js" */
/**
 * @typedef {object} Headline
 * @property {string} id
 * @property {Child[]} title
 * @property {Of} of
 * @property {string} model
 * @property {Models} league
 * @property {Followed} record
 */

/** The least number of games whose rate is more than luck. */
export const LEAST = 30;

/**
 * Returns the rate of the games that won among those that won or lost, rounded as the API rounds; null without such a game.
 * @param {Tally} record
 */
export function rateOf({ won, lost }) {
  return won + lost > 0 ? Math.round((won / (won + lost)) * 1e6) / 1e6 : null;
}

/**
 * Returns the record of the book's favourite in those games of a record that have one.
 * @param {Followed} record
 * @returns {Tally}
 */
export function baselineIn({ baseline_won: won, baseline_lost: lost, baseline_pushed: pushed }) {
  return { won, lost, pushed };
}

/** Returns the number of games that won or lost. @param {Tally} record */
export function decidedOf({ won, lost }) {
  return won + lost;
}

/** @param {Headline} content */
export function headline({ id, title, of, model, league, record }) {
  const baseline = baselineIn(record);
  const rate = rateOf(record);
  const noun = of === "picks" ? "pick" : "bet";
  const decided = decidedOf(record);
  const heading = element("h3", {}, ...title);
  if (rate === null) {
    const text = `No ${noun} of ${modelName(model)} is graded yet.`;
    return element("article", { class: "headline", id }, heading, element("p", { class: "empty" }, text));
  }
  const { break_even: even, wilson_low: low, wilson_high: high, roi, roi_low: from, roi_high: to } = record;
  return element(
    "article",
    { class: "headline", id },
    heading,
    element(
      "p",
      { class: "rate" },
      element("strong", { "data-value": rate, "data-model": model, "data-games": decided }, share(rate)),
      ` of ${counted(decided, noun)} won`,
      element("small", {}, ` ${interval(low, high)}`),
    ),
    drawing(model, league, { rate, low, high, even, market: rateOf(baseline) }),
    element(
      "dl",
      { class: "facts" },
      fact("Record", printedRecord(model, record)),
      fact("Book’s favourite", favourite(baseline)),
      fact("Breaks even at", share(even)),
      fact("Return", gain(roi), typeof from === "number" && element("small", {}, ` ${interval(from, to, gain)}`)),
    ),
    decided < LEAST && element("p", { class: "note" }, `Fewer than ${LEAST} games show nothing but luck.`),
  );
}

/** @param {Tally} baseline */
function favourite(baseline) {
  const text = `${wonLost(baseline)}, ${share(rateOf(baseline))}`;
  return element("span", { title: "over the same games" }, printedBaseline(baseline, text));
}

/**
 * @param {string} name
 * @param {...Child} value
 */
function fact(name, ...value) {
  return element("div", {}, element("dt", {}, name), element("dd", {}, ...value));
}

/**
 * Draws the rate with its interval, the book's favourite, and the rate to break even.
 * @param {string} model
 * @param {Models} league
 * @param {{ rate: number, low: number | null, high: number | null, even: number | null, market: number | null }} figures
 */
function drawing(model, league, { rate, low, high, even, market }) {
  const known = [rate, low, high, even, market].filter((value) => typeof value === "number");
  const range = roundRange([...known, 0.5], 3);
  const place = placeOn(range);
  const marks = [
    svg("line", { class: "grid", x1: 0, x2: "100%", y1: "50%", y2: "50%" }),
    typeof low === "number" && typeof high === "number" && span(place(low), place(high), "interval"),
    typeof even === "number" &&
      svg("line", { class: "reference", x1: `${place(even)}%`, x2: `${place(even)}%`, y1: "15%", y2: "85%" }),
    market !== null && mark("book", place(market), { value: market, model: "IMPLIED" }),
    mark("model", place(rate), { value: rate, model }, league.tone(model)),
  ];
  const words = [
    `${modelName(model)} ${share(rate)}, ${interval(low, high)}`,
    market !== null && `book’s favourite ${share(market)}`,
    typeof even === "number" && `breaks even at ${share(even)}`,
  ];
  const [first, last] = range;
  return element(
    "div",
    { class: "rate-line" },
    svg("svg", { class: "track", role: "img", "aria-label": words.filter(Boolean).join("; ") }, marks),
    element(
      "p",
      { class: "ends", "aria-hidden": "true" },
      element("span", {}, roughShare(first)),
      element("span", {}, roughShare(last)),
    ),
  );
}
