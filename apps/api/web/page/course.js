// The course of a game's probabilities over time. All functions are pure.

import { PRICES } from "./followed.js";
import { figureIn } from "./forecasts.js";
import { entryOf } from "./models.js";

/** @import { Maybe } from "./format.js" */
/** @import { Game } from "./game.js" */
/** @import { Market } from "./words.js" */
/** @typedef {{ at: number, value: number | null }} Held A value that holds from an instant on; null for none. */
/** @typedef {{ at: number, low: number, high: number } | { at: number, low: null, high: null }} Range */
/**
 * Instants are in milliseconds.
 * @typedef {object} Course
 * @property {string} model
 * @property {Held[]} own The model's probabilities, oldest first.
 * @property {Range[]} band The lowest and the highest of all models; empty if there is one model alone.
 * @property {number} models The number of models of the band.
 * @property {Held[]} book The probability that the book's prices imply, without its margin.
 * @property {{ at: number, value: number, isClose: boolean } | null} close The last price before the start: the close once there is one.
 * @property {number | null} exchange The prediction market's price now.
 * @property {number | null} start
 * @property {number[]} earlier The starts that were announced before.
 * @property {boolean} isFinal
 * @property {number} first The begin of the axis.
 * @property {number} until The end of the last steps: the start, or now before it.
 * @property {number} end The end of the axis.
 * @property {number[]} times The instants at which something changes, and the end of the last steps.
 */

const HOUR = 3_600_000;

/** The length of the axis after the start of a game with a final, whose time is not on record. */
const PLAYED = 3 * HOUR;

/** The longest part of the axis after the start of a game without a final. */
const PLAYING = 6 * HOUR;

/**
 * Returns the course of a game's probabilities; null if no release has a probability or a price of it.
 * @param {Game} game
 * @param {Market} market
 * @param {string} model
 * @param {number} now
 * @returns {Course | null}
 */
export function courseOf({ forecasts, odds, startsAt, state, compared }, market, model, now) {
  const items = forecasts?.forecasts ?? [];
  const own = stepsOf(items.map(({ published_at: at, probabilities }) => [at, entryOf(probabilities, model)]));
  const names = new Set(items.flatMap(({ probabilities }) => Object.keys(probabilities)));
  names.delete("IMPLIED");
  const band = names.size > 1 ? items.map(rangeOf) : [];
  const book = bookOf(forecasts, odds, market);
  const start = startsAt === null ? null : Date.parse(startsAt);
  const earlier = (forecasts?.earlier_starts ?? odds?.earlier_starts ?? []).map((at) => Date.parse(at));
  const changes = [...own, ...band, ...book].map(({ at }) => at);
  if (![...own, ...book].some(({ value }) => value !== null)) {
    return null;
  }
  const until = Math.max(...changes, Math.min(now, start ?? now));
  const played = { coming: 0, begun: Math.min(PLAYING, now - (start ?? now)), final: PLAYED, called_off: 0 }[state];
  return {
    model,
    own,
    band,
    models: names.size,
    book,
    close: closeOf(odds, book),
    exchange: compared?.kalshi_home ?? null,
    start,
    earlier,
    isFinal: state === "final",
    first: Math.min(...changes, ...earlier),
    until,
    end: Math.max(until, (start ?? until) + played),
    times: [...new Set([...changes, until])].sort((a, b) => a - b),
  };
}

/**
 * Returns what holds at an instant.
 * @template {{ at: number }} T
 * @param {T[]} steps
 * @param {number} time
 * @returns {T | null}
 */
export function heldAt(steps, time) {
  return steps.findLast(({ at }) => at <= time) ?? null;
}

/**
 * Returns steps without those that change nothing.
 * @param {[string, Maybe][]} published
 * @returns {Held[]}
 */
function stepsOf(published) {
  const all = published.map(([at, value]) => ({ at: Date.parse(at), value: value ?? null }));
  const first = all.findIndex(({ value }) => value !== null);
  return first < 0 ? [] : all.slice(first).filter(({ value }, index, kept) => value !== kept[index - 1]?.value);
}

/**
 * @param {{ published_at: string, probabilities: Record<string, number> }} item
 * @returns {Range}
 */
function rangeOf({ published_at: at, probabilities }) {
  const values = Object.entries(probabilities).flatMap(([name, value]) => (name === "IMPLIED" ? [] : [value]));
  return values.length > 0
    ? { at: Date.parse(at), low: Math.min(...values), high: Math.max(...values) }
    : { at: Date.parse(at), low: null, high: null };
}

/**
 * Returns the book's steps: from its prices as they moved, which are published more often than forecasts; else the market's
 * probabilities of the forecasts.
 * @param {Game["forecasts"]} forecasts
 * @param {Game["odds"]} odds
 * @param {Market} market
 */
function bookOf(forecasts, odds, market) {
  const lines = odds?.lines ?? [];
  const quoted = stepsOf(
    lines.map((line) => [line.published_at, withoutMargin(PRICES[market].map((field) => figureIn(line, field)))]),
  );
  if (quoted.length > 0) {
    return quoted;
  }
  const items = forecasts?.forecasts ?? [];
  return stepsOf(items.map(({ published_at: at, probabilities }) => [at, entryOf(probabilities, "IMPLIED")]));
}

/**
 * @param {Game["odds"]} odds
 * @param {Held[]} book
 * @returns {Course["close"]}
 */
function closeOf(odds, book) {
  const marked = (odds?.lines ?? []).find(({ mark }) => /latest|close/.test(mark ?? ""));
  const at = marked ? Date.parse(marked.published_at) : 0;
  const value = heldAt(book, at)?.value ?? null;
  return value === null ? null : { at, value, isClose: Boolean(odds?.close) };
}

/** The digits after the point to which the API rounds what it computes. */
const DIGITS = 1e12;

/**
 * Returns the probability that two American prices imply for the first, without the margin, as the API computes it.
 * @param {Maybe[]} prices
 */
export function withoutMargin([first, second]) {
  if (!first || !second) {
    return null;
  }
  const [own, other] = [breakEven(first), breakEven(second)];
  return rounded(own / (own + other));
}

/** Rounds what is computed as the API does, halves away from zero. @param {number} value */
export function rounded(value) {
  return (Math.sign(value) * Math.round(Math.abs(value) * DIGITS)) / DIGITS;
}

/** Returns how often a bet at an American price has to win. @param {number} price */
function breakEven(price) {
  return price > 0 ? 100 / (price + 100) : -price / (100 - price);
}
