// Instants: the start of a game by RFC 3339, or by its Eastern date and time.

import { demand } from "./refusal.js";

const INSTANT =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))$/;
const [YEAR_1900, YEAR_2201] = [Date.UTC(1900, 0), Date.UTC(2201, 0)];
const FORM = "START is not an RFC 3339 instant with an offset, such as 2024-01-06T21:30:00Z, in the years 1900 to 2200";

/**
 * Returns an instant in seconds since 1970, rounded down.
 * @param {string} text
 */
export function readStart(text) {
  const match = INSTANT.exec(text);
  demand(match, FORM, 2);
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24;
  const [hours, minutes] = [Number(match[8] ?? 0), Number(match[9] ?? 0)];
  const isInstant = exists && year > 99 && minute < 60 && second < 60 && hours < 24 && minutes < 60;
  const start = date.getTime() - (match[7] === "-" ? -1 : 1) * (hours * 60 + minutes) * 60_000;
  demand(isInstant && start >= YEAR_1900 && start < YEAR_2201, FORM, 2);
  return BigInt(start / 1000);
}

/**
 * Writes an instant in UTC: `2024-01-06T21:30:00Z`.
 * @param {bigint} seconds
 */
export const written = (seconds) => new Date(Number(seconds) * 1000).toISOString().replace(".000", "");

const HOUR = 3_600_000;
const eastern = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "America/New_York",
  dateStyle: "short",
  timeStyle: "medium",
});

/**
 * Returns the instant of an Eastern date and time with its offset: `2024-01-06T16:30:00-05:00`; null for one that does not exist.
 * A time that occurs twice, when clocks go back, is its first occurrence; one that is skipped is counted on from standard time.
 * @param {string} date
 * @param {string} time
 */
export function easternStart(date, time) {
  const reading = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(reading)) {
    return null;
  }
  const isThen = (/** @type {number} */ hours) => eastern.format(reading + hours * HOUR) === `${date} ${time}`;
  const behind = isThen(4) || !isThen(5) ? 4 : 5;
  // Of a skipped time neither holds: in standard time, five hours behind, it is one that exists an hour later.
  const isSkipped = !isThen(4) && !isThen(5);
  return isSkipped ? `${date}T${time}-05:00` : `${date}T${time}-0${behind}:00`;
}

const inWords = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/New_York",
  weekday: "long",
  year: "numeric",
  month: "long",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
});

/**
 * Writes an instant for people: `Saturday, January 6, 2024 at 4:30 PM Eastern`.
 * @param {bigint} seconds
 */
export const easternInWords = (seconds) => `${inWords.format(Number(seconds) * 1000)} Eastern`;

/** The units of durations, each from the seconds on from which it is used. */
const UNITS = /** @type {const} */ ([
  { name: "day", length: 86_400, from: 2 * 86_400 },
  { name: "hour", length: 3600, from: 3600 },
  { name: "minute", length: 60, from: 60 },
]);

/**
 * Writes a duration by its largest unit, rounded down, so that it is never longer than it was: `13 hours`.
 * @param {bigint} seconds
 */
export function lasting(seconds) {
  const { name, length } = UNITS.find(({ from }) => Number(seconds) >= from) ?? { name: "second", length: 1 };
  const count = Math.floor(Number(seconds) / length);
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}
