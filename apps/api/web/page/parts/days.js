// The last days of leagues as a state timeline: the data status hour by hour, and the deadline of each day.

import { now } from "../clock.js";
import { element, svg } from "../dom.js";
import { count, counted, day, instant } from "../format.js";
import { LEAGUE_NAMES, statusMeaning, statusWord } from "../words.js";
import { timeTicks } from "./dates.js";
import { figure } from "./figure.js";
import { upright } from "./marks.js";
import { rowChart } from "./row-chart.js";
import { placeOn } from "./svg.js";

/** @import { Answer } from "../api.js" */
/** @import { Address } from "../address.js" */
/** @typedef {Answer<"/api/v1/data-status/{sport}/history">} History */
/** @typedef {History["days"][number]} Day */
/**
 * A time in one state, in milliseconds.
 * @typedef {{ status: string, since: number, until: number }} Span
 */

/** The days that are requested: those of the figures. */
export const COUNTED = 30;

/** The days that are drawn. */
const DRAWN = 14;

/** The milliseconds from a deadline, 10:15 AM, to the end of its day. */
const REST_OF_DAY = 13.75 * 3_600_000;

/** The milliseconds from the beginning of a day to its deadline. */
const BEFORE_DEADLINE = 10.25 * 3_600_000;

/** The states, as the legend has them. */
const STATES = ["fresh", "off_day", "pending", "updating", "partial", "stale", "unknown"];

/**
 * Returns the states of days one after the other; a state that lasts beyond its day is one.
 * @param {readonly Day[]} days Oldest first.
 * @param {number} end The end of the last state, if its day has not ended.
 * @returns {Span[]}
 */
export function spansOf(days, end) {
  /** @type {Span[]} */
  const spans = [];
  for (const { deadline, states } of days) {
    const last = Math.min(end, Date.parse(deadline) + REST_OF_DAY);
    states.forEach(({ since: text, status }, index) => {
      const [since, until] = [Date.parse(text), index + 1 < states.length ? Date.parse(states[index + 1].since) : last];
      const before = spans.at(-1);
      if (before?.status === status && before.until >= since) {
        before.until = until;
      } else {
        spans.push({ status, since, until });
      }
    });
  }
  return spans;
}

/**
 * @param {Address} address
 * @param {History[]} leagues
 */
export function timeline(address, leagues) {
  const drawn = leagues.map((league) => ({ ...league, days: league.days.slice(-DRAWN) }));
  const begins = drawn.flatMap(({ days }) => days.slice(0, 1).map(({ deadline }) => Date.parse(deadline)));
  const [from, to] = [Math.min(now(), ...begins) - BEFORE_DEADLINE, now()];
  /** @type {Set<string>} */
  const used = new Set(drawn.flatMap(({ days }) => days.flatMap(({ states }) => states.map(({ status }) => status))));
  /** @type {import("./row-chart.js").Axis} */
  const axis = { range: [from, to], ticks: timeTicks(from, to, 6) };
  return figure({
    id: "days",
    title: `The status of today's data, hour by hour, the last ${DRAWN} days`,
    note: "Eastern time. A line marks the deadline of each day, 10:15 AM, and a dashed one a day that was late.",
    legend: STATES.filter((status) => used.has(status)).map((status) => [sample(status), statusWord(status)]),
    drawing: [
      rowChart(
        "The last days",
        axis,
        drawn.map((league, index) => rowOf(leagues[index], league.days, axis.range)),
      ),
    ],
    numbers: () => numbersOf(leagues),
    address,
    calls: leagues.map(({ sport }) => ({
      template: "/api/v1/data-status/{sport}/history",
      path: { sport },
      query: { days: COUNTED },
      isPublic: true,
    })),
    class: "days",
  });
}

/**
 * Describes the days of a league as a row of the chart.
 * @param {History} league
 * @param {Day[]} days Those that are drawn.
 * @param {[number, number]} range
 */
function rowOf({ sport, days: all, days_on_time: onTime, days_counted: counts }, days, range) {
  const place = placeOn(range);
  const spans = spansOf(days, range[1]);
  const proven = all.filter((one) => one.proven).length;
  const deadlines = days.map(({ date, deadline, on_time: isOnTime }) =>
    upright(place(Date.parse(deadline)), isOnTime ? "deadline" : "deadline late", { "data-day": date }),
  );
  const late = days.filter((one) => !one.on_time).map(({ date }) => `${day(date)} was late`);
  return {
    id: `days-${sport}`,
    name: [LEAGUE_NAMES[sport]],
    marks: [...spans.map((span) => drawnSpan(sport, span, place)), ...deadlines],
    label: [`${LEAGUE_NAMES[sport]}: ${count(onTime)} of ${counted(counts, "day")} on time`, ...late].join("; "),
    figures: [
      element(
        "strong",
        { "data-value": onTime },
        counts > 0 ? `${count(onTime)} of ${count(counts)} on time` : "No day yet",
      ),
      element("small", {}, counts > 0 && `${count(proven)} by the clock of others`),
    ],
  };
}

/** Returns the table of the days of all leagues. @param {History[]} leagues */
function numbersOf(leagues) {
  return {
    caption: `The last ${COUNTED} days`,
    columns: [
      { head: "League" },
      { head: "Day" },
      { head: "First complete", line: true },
      { head: "On time" },
      { head: "Proven", hint: "A witness or a timestamp server had received it by then." },
    ],
    rows: leagues.flatMap(({ sport, days }) =>
      days.toReversed().map(({ date, first_complete_at: at, on_time: isOnTime, proven }) => ({
        id: `day-${sport}-${date}`,
        cells: [
          LEAGUE_NAMES[sport],
          day(date),
          at ? instant(at) : "never",
          isOnTime ? "yes" : "no",
          proven ? "yes" : "no",
        ],
        values: [sport, date, at, isOnTime ? "yes" : "no", proven ? "yes" : "no"],
      })),
    ),
  };
}

/**
 * @param {History["sport"]} sport
 * @param {Span} span
 * @param {(value: number) => number} place
 */
function drawnSpan(sport, { status, since, until }, place) {
  const [from, to] = [since, until].map((at) => instant(new Date(at).toISOString()));
  const words = `${LEAGUE_NAMES[sport]}, ${from} to ${to}: ${statusWord(status)}, ${statusMeaning(status)}`;
  const attributes = {
    class: "cell",
    "data-league": sport,
    "data-state": status,
    "data-value": new Date(since).toISOString(),
  };
  return svg("g", attributes, svg("title", {}, words), box(status, Math.max(0, place(since)), place(until)));
}

/** Draws a state for the legend. @param {string} status */
function sample(status) {
  return svg("svg", { class: "sample", width: 16, height: 16, "aria-hidden": "true" }, box(status, 0, 100));
}

/**
 * Draws the box of a state: each has a height of its own, so it is known without its colour.
 * @param {string} status
 * @param {number} from
 * @param {number} to
 */
function box(status, from, to) {
  const height = { fresh: 70, off_day: 70, updating: 45, pending: 25 }[status] ?? 90;
  const width = Math.max(0, to - from);
  return svg("rect", {
    class: `state ${status}`,
    x: `${from}%`,
    width: `${width}%`,
    y: `${85 - height}%`,
    height: `${height}%`,
  });
}
