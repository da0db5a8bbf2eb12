// Formats of numbers and times in the notation of the trade. No figure is computed here.

import { now } from "./clock.js";

const NO_VALUE = "–";
const MINUS = "\u2212";
/** The space between a number and its unit, at which no line breaks. */
const SPACE = "\u00a0";

/** @param {Intl.NumberFormatOptions} options */
function formatter(options) {
  const format = new Intl.NumberFormat("en-US", options);
  return (/** @type {number} */ value) => format.format(value).replace("-", MINUS);
}

const one = formatter({ minimumFractionDigits: 1, maximumFractionDigits: 1 });
const signedOne = formatter({ minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "exceptZero" });
const signedTwo = formatter({ minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: "exceptZero" });
const four = formatter({ minimumFractionDigits: 4, maximumFractionDigits: 4 });
const whole = formatter({ maximumFractionDigits: 0 });
const signedWhole = formatter({ maximumFractionDigits: 0, signDisplay: "exceptZero", useGrouping: false });
const shortest = formatter({ maximumFractionDigits: 2, signDisplay: "exceptZero" });
const unsignedShortest = formatter({ maximumFractionDigits: 2 });
// These format a fraction as hundredths without a percent sign, exactly: 0.5125 is 51.3.
const hundredths = formatter({ style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });
const signedHundredths = formatter({
  style: "percent",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: "exceptZero",
});

/** @typedef {number | null | undefined} Maybe */

/**
 * @param {(value: number) => string} write
 * @returns {(value: Maybe) => string}
 */
function orNothing(write) {
  return (value) => (value === null || value === undefined ? NO_VALUE : write(value));
}

/** Formats a fraction: 0.524 is `52.4 %`. */
export const share = orNothing((value) => hundredths(value).replace("%", `${SPACE}%`));
/** Formats a gain as a fraction of the stakes: 0.044 is `+4.4 %`. */
export const gain = orNothing((value) => signedHundredths(value).replace("%", `${SPACE}%`));
/** Formats a percentage: 52.38 is `52.4 %`. */
export const percent = orNothing((value) => `${one(value)}${SPACE}%`);
/** Formats a percentage with its sign. */
export const signedPercent = orNothing((value) => `${signedOne(value)}${SPACE}%`);
/** Formats units won or lost: `+3.13`. */
export const units = orNothing(signedTwo);
/** Formats a score of probabilities: `0.2207`. */
export const score = orNothing(four);
/** Formats a count: `1,234`. */
export const count = orNothing(whole);
/** Formats a count with its sign: `+16`. */
export const change = orNothing(signedWhole);
/**
 * Formats a count with its noun: `1 game`, `2 games`.
 * @param {number} value
 * @param {string} one
 */
export function counted(value, one) {
  return `${count(value)} ${one}${value === 1 ? "" : "s"}`;
}
/** Formats a price in American odds: `−110`, `+105`. */
export const price = orNothing(signedWhole);
/** Formats a spread: `−6.5`; zero is `PK`, a pick'em. */
export const spread = orNothing((value) => (value === 0 ? "PK" : shortest(value)));
/** Formats a total: `44.5`. */
export const total = orNothing(unsignedShortest);

/**
 * Formats a record of bets: `17–20–0`.
 * @param {{ wins: number, losses: number, pushes: number }} of
 */
export function wonLostPushed({ wins, losses, pushes }) {
  return [wins, losses, pushes].map(count).join("–");
}

const twoDigits = formatter({ style: "percent", maximumSignificantDigits: 2 });

/** Formats a share as a frequency: 0.05 is `5 times in 100`. @param {number} value */
export function inHundred(value) {
  const times = twoDigits(value).replace("%", "");
  return `${times} ${times === "1" ? "time" : "times"} in 100`;
}

/** Formats a share of luck, which can be small: `0.1804`, `0.0000312`. */
export const chance = orNothing(formatter({ maximumSignificantDigits: 4 }));

/**
 * Formats an interval of fractions: `48.1 % to 55.0 %`.
 * @param {Maybe} low
 * @param {Maybe} high
 * @param {(value: Maybe) => string} [write]
 */
export function interval(low, high, write = share) {
  return `${write(low)} to ${write(high)}`;
}

const EASTERN = "America/New_York";
/** @type {Intl.DateTimeFormatOptions} */
const DATE = { month: "short", day: "numeric" };
/** @type {Intl.DateTimeFormatOptions} */
const INSTANT = { ...DATE, timeZone: EASTERN, hour: "numeric", minute: "2-digit" };
/** @type {Intl.DateTimeFormatOptions} */
const DAY = { ...DATE, timeZone: "UTC", weekday: "short" };
const instants = inYears(INSTANT);
const days = inYears(DAY);
const resets = new Intl.DateTimeFormat("en-US", {
  ...DATE,
  timeZone: "UTC",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const clock = new Intl.DateTimeFormat("en-US", { timeZone: "UTC", hour: "numeric", minute: "2-digit" });

/**
 * Returns a formatter of times, which adds the year if it is not the current one.
 * @param {Intl.DateTimeFormatOptions} options
 * @returns {(time: Date) => string}
 */
function inYears(options) {
  const year = new Intl.DateTimeFormat("en-US", { timeZone: options.timeZone, year: "numeric" });
  const thisYear = new Intl.DateTimeFormat("en-US", { timeZone: EASTERN, year: "numeric" });
  const short = new Intl.DateTimeFormat("en-US", options);
  const long = new Intl.DateTimeFormat("en-US", { ...options, year: "numeric" });
  return (time) => (year.format(time) === thisYear.format(now()) ? short : long).format(time);
}

/** Keeps AM or PM on the line of its hour, whichever space the browser uses. @param {string} text */
function together(text) {
  return text.replace(/\s(?=[AP]M)/, SPACE);
}

/**
 * Formats an instant in New York: `Nov 22, 9:45 AM ET`; with another year `Nov 22, 2025, 9:45 AM ET`.
 * @param {string | null | undefined} timestamp
 */
export function instant(timestamp) {
  return timestamp ? `${together(instants(new Date(timestamp)))} ET` : NO_VALUE;
}

/**
 * Formats an instant in UTC, such as the beginning of a month: `Dec 1, 00:00 UTC`.
 * @param {string} timestamp
 */
export function utc(timestamp) {
  return `${resets.format(new Date(timestamp))} UTC`;
}

/**
 * Formats the date of a game: `Sun, Nov 22`; with another year `Sat, Nov 22, 2025`.
 * @param {string} date
 */
export function day(date) {
  return days(new Date(`${date}T00:00:00Z`));
}

const longDays = new Intl.DateTimeFormat("en-US", { ...DATE, timeZone: "UTC", year: "numeric" });

/**
 * Formats a date for a picture, which is looked at in any year: `Nov 22, 2026`.
 * @param {string} date
 */
export function longDay(date) {
  return longDays.format(new Date(`${date}T00:00:00Z`));
}

/**
 * Formats the start of a game, which is Eastern time: `4:25 PM`.
 * @param {string | null | undefined} time
 */
export function start(time) {
  return time ? together(clock.format(new Date(`1970-01-01T${time}Z`))) : NO_VALUE;
}

/**
 * Formats a duration: `1 h 02 min`, and seconds below an hour.
 * @param {number} milliseconds
 */
export function duration(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours} h ${two(minutes)} min` : `${minutes} min ${two(rest)} s`;
}

/**
 * Formats the time since something: `8 s ago`, `3 min ago`.
 * @param {number} milliseconds
 */
export function ago(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return seconds < 60 ? `${seconds}${SPACE}s ago` : `${Math.floor(seconds / 60)}${SPACE}min ago`;
}

/**
 * Formats the time until a retry: `in 45 s`, `in 12 min`, `in 5 h`, `in 2 days`.
 * @param {number} seconds
 */
export function wait(seconds) {
  const [minutes, hours, days] = [60, 3600, 86_400].map((length) => Math.round(seconds / length));
  if (hours >= 36) {
    return `in ${counted(days, "day")}`;
  }
  const short = minutes >= 90 ? `${hours}${SPACE}h` : seconds >= 90 ? `${minutes}${SPACE}min` : `${seconds} s`;
  return `in ${short}`;
}

/**
 * Formats a share without decimals, for an axis: 0.5 is `50 %`.
 * @param {number} value
 */
export function roughShare(value) {
  return `${whole(value * 100)}${SPACE}%`;
}

/**
 * Formats a difference of shares in points of a hundred: 0.044 is `+4.4`.
 * @param {Maybe} value
 */
export const points = orNothing((value) => signedHundredths(value).replace("%", ""));

const shortDays = new Intl.DateTimeFormat("en-US", { ...DATE, timeZone: "UTC" });

/**
 * Formats a date for an axis: `Nov 22`.
 * @param {string} date
 */
export function shortDay(date) {
  return shortDays.format(new Date(`${date}T00:00:00Z`));
}
