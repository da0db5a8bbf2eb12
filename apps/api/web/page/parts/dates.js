// Dates on an axis, as days.

import { shortDay } from "../format.js";
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
