// The last days of leagues as a state timeline: when the predictions of each day were published.

import { easternTime } from "../clock.js";
import { element } from "../dom.js";
import { day, shortDay, start } from "../format.js";
import { LEAGUE_NAMES } from "../words.js";
import { dateOf, dayNumber } from "./dates.js";
import { figure } from "./figure.js";
import { rowChart } from "./row-chart.js";
import { svg } from "./svg.js";

/** @import { Answer } from "../api.js" */
/** @import { Address } from "../address.js" */
/** @import { League } from "../words.js" */
/** @typedef {Answer<"/api/v1/releases/{sport}">["releases"][number]} Release */
/** @typedef {{ sport: League, date: string, releases: Release[] }} LeagueDays The newest day of a league, and its releases. */
/** @typedef {"on-time" | "late" | "other" | "none"} State */
/** @typedef {{ date: string, state: State, at: string | null, time: string | null }} Day */

/** The number of days. */
export const DAYS = 14;

/** The Eastern time by which a day's predictions are due. */
const DEADLINE = "10:15:00";

/** @type {Record<State, string>} */
const WORDS = {
  "on-time": "predictions by 10:15\u00a0AM ET",
  late: "predictions after 10:15\u00a0AM ET",
  other: "releases without new predictions",
  none: "no release",
};

/** Returns the date before which no release counts. @param {string} newest */
export function firstDay(newest) {
  return dateOf(dayNumber(newest) - DAYS + 1);
}

/**
 * Returns the state of each day: when its first predictions were published, Eastern time.
 * @param {LeagueDays} league
 * @returns {Day[]}
 */
function daysOf({ date: newest, releases }) {
  const first = dayNumber(firstDay(newest));
  return Array.from({ length: DAYS }, (_, index) => {
    const date = dateOf(first + index);
    const ofDay = releases.filter((release) => release.slate_date === date);
    const forecast = ofDay
      .filter(({ changed }) => changed.predictions.length > 0)
      .map((release) => release.published_at);
    const at = forecast.toSorted()[0] ?? null;
    if (at === null) {
      return { date, state: ofDay.length > 0 ? "other" : "none", at, time: null };
    }
    const published = easternTime(Date.parse(at));
    const state = published <= `${date} ${DEADLINE}` ? "on-time" : "late";
    return { date, state, at, time: published.slice(11) };
  });
}

/**
 * @param {Address} address
 * @param {LeagueDays[]} leagues
 */
export function timeline(address, leagues) {
  const all = leagues.map((league) => ({ ...league, days: daysOf(league) }));
  const newest =
    leagues
      .map(({ date }) => date)
      .toSorted()
      .at(-1) ?? "";
  const first = dayNumber(firstDay(newest));
  const middle = (/** @type {number} */ index) => index + 0.5;
  const ticks = [0, 3, 6, 9, 13].map((index) => ({ at: middle(index), text: shortDay(dateOf(first + index)) }));
  return figure({
    id: "days",
    title: `When each day's predictions were published, the last ${DAYS} days`,
    note: "Eastern time of a day's first predictions, which are due by 10:15 AM.",
    legend: Object.entries(WORDS).map(([state, words]) => [
      svg("svg", { class: "sample", width: 16, height: 16, "aria-hidden": "true" }, box(state, 0, 100)),
      words,
    ]),
    drawing: [rowChart("The last days", { range: [0, DAYS], ticks }, all.map(rowOf))],
    numbers: () => numbersOf(all),
    address,
    calls: leagues.map(({ sport }) => ({
      template: "/api/v1/releases/{sport}",
      path: { sport },
      query: { limit: 100 },
      isPublic: true,
    })),
    class: "days",
  });
}

/** Describes the days of a league as a row of the chart. @param {{ sport: League, days: Day[] }} league */
function rowOf({ sport, days }) {
  const width = 100 / DAYS;
  const late = days.filter(({ state }) => state === "late").length;
  const missing = days.filter(({ state }) => state === "none").length;
  const [latest] = days.filter(({ time }) => time !== null).toReversed();
  const notes = [late > 0 && `${late} late`, missing > 0 && `${missing} without a release`];
  return {
    id: `days-${sport}`,
    name: [LEAGUE_NAMES[sport]],
    marks: days.map((one, index) => cell(sport, one, index * width, width)),
    label: days
      .map(({ date, state, time }) => `${day(date)}: ${time ? `${start(time)}, ` : ""}${WORDS[state]}`)
      .join("; "),
    figures: [
      element("strong", {}, latest ? `Last at ${start(latest.time)}` : "No predictions"),
      element("small", {}, notes.filter(Boolean).join(", ")),
    ],
  };
}

/** Returns the table of the days of all leagues. @param {{ sport: League, days: Day[] }[]} leagues */
function numbersOf(leagues) {
  return {
    caption: "The first predictions of each day",
    columns: ["League", "Day", "First predictions (ET)", "State"].map((head) => ({ head })),
    rows: leagues.flatMap(({ sport, days }) =>
      days.map(({ date, state, at, time }) => ({
        id: `day-${sport}-${date}`,
        cells: [LEAGUE_NAMES[sport], day(date), start(time), WORDS[state]],
        values: [sport, date, at, state],
      })),
    ),
  };
}

/**
 * @param {League} sport
 * @param {Day} one
 * @param {number} from
 * @param {number} width
 */
function cell(sport, { date, state, at, time }, from, width) {
  const words = `${LEAGUE_NAMES[sport]}, ${day(date)}: ${time ? `${start(time)}, ` : ""}${WORDS[state]}`;
  const text =
    time &&
    svg(
      "text",
      { x: `${from + width / 2}%`, y: "50%", "text-anchor": "middle", "dominant-baseline": "central" },
      start(time).replace(/\s?[AP]M/, ""),
    );
  const attributes = { class: "cell", "data-league": sport, "data-day": date, "data-state": state, "data-value": at };
  return svg("g", attributes, svg("title", {}, words), box(state, from, width), text);
}

/**
 * Draws the box of a state: full, striped, a line, or empty.
 * @param {string} state
 * @param {number} from
 * @param {number} width
 */
function box(state, from, width) {
  const drawn = svg("rect", {
    class: `state ${state}`,
    x: `${from + width * 0.04}%`,
    width: `${width * 0.92}%`,
    y: "15%",
    height: "70%",
    rx: 3,
  });
  const across = { x1: `${from + width * 0.04}%`, x2: `${from + width * 0.96}%` };
  const line = state === "late" ? svg("line", { class: "late-line", ...across, y1: "85%", y2: "85%" }) : null;
  return svg("g", {}, drawn, line);
}
