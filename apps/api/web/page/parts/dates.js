// Dates on an axis, as days.

import { easternTime } from "../clock.js";
import { shortDay, start } from "../format.js";
import { roundValues } from "./svg.js";

const DAY = 86_400_000;

/** Returns the number of a date among all days. @param {string} date */
export function dayNumber(date) {
  return Date.parse(`${date}T00:00:00Z`) / DAY;
}

/** Returns the date of a number. @param {number} number */
export function dateOf(number) {
  return new Date(number * DAY).toISOString().slice(0, 10);
}

/**
 * Returns ticks between two days, with the dates as texts.
 * @param {number} first
 * @param {number} last
 * @param {number} [zero] The day that is number zero on the axis.
 */
export function dateTicks(first, last, zero = 0) {
  const whole = roundValues([first, last], 5).filter(Number.isInteger);
  return whole.map((at) => ({ at, text: shortDay(dateOf(at + zero)) }));
}

const HOUR = 3_600_000;

/** The hours between ticks of instants. */
const STEPS = [1, 2, 3, 6, 12, 24, 48, 96, 168, 336, 720];

/**
 * Returns ticks between two instants, at whole Eastern hours: a date at midnight, else the time.
 * @param {number} first
 * @param {number} last
 * @param {number} wanted The most ticks.
 */
export function timeTicks(first, last, wanted) {
  const step = (STEPS.find((hours) => (last - first) / (hours * HOUR) <= wanted - 1) ?? STEPS[STEPS.length - 1]) * HOUR;
  const local = (/** @type {number} */ at) => easternTime(at).split(" ");
  const ahead = Date.parse(`${easternTime(first).replace(" ", "T")}Z`) - Math.floor(first / 1000) * 1000;
  const from = Math.ceil((first + ahead) / step) * step - ahead;
  const number = Math.max(0, Math.floor((last - from) / step) + 1);
  return Array.from({ length: number }, (_, index) => from + index * step).map((at) => {
    const [date, time] = local(at);
    return { at, text: time === "00:00:00" ? shortDay(date) : start(time) };
  });
}
