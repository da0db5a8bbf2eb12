// The backtest of a rule: its luck in words, its course over the band of luck, and its tables.

import { write } from "../address.js";
import { element } from "../dom.js";
import {
  chance,
  count,
  counted,
  day,
  gain,
  inHundred,
  instant,
  interval,
  points,
  share,
  total,
  units,
  wonLostPushed,
} from "../format.js";
import { callOf } from "../rule.js";
import { exclusion, plainly } from "../words.js";
import { dateOf, dateTicks, dayNumber } from "./dates.js";
import { folded } from "./figure.js";
import { chart } from "./lines.js";
import { pictureButtons } from "./rule-picture.js";
import { withInterval } from "./summaries.js";
import { roundValues } from "./svg.js";
import { table } from "./table.js";
import { COMPARED } from "./tones.js";

/** @import { Address } from "../address.js" */
/** @import { Child } from "../dom.js" */
/** @import { Maybe } from "../format.js" */
/** @import { Backtest } from "../rule.js" */
/** @typedef {Backtest["by_edge"][number]} Band */
/** @typedef {Omit<Band, "from" | "to">} Part The figures of some of the bets. */
/** @typedef {[name: string, text: string]} Figure */

/** The bands of luck, the widest first: their names and their ends. */
const BANDS = /** @type {const} */ ([
  ["5 % to 95 % of lucky bettors", "p5", "p95"],
  ["25 % to 75 % of them", "p25", "p75"],
]);

/**
 * @param {Address} address
 * @param {Backtest} answer
 * @returns {Child[]}
 */
export function ruleAnswer(address, answer) {
  const { rule, record, luck, search, out_of_sample: sample, note } = answer;
  const luckWords = luckInWords(answer);
  const edges = bandName(share);
  const prices = bandName(total);
  return [
    element("p", { id: "rule-sentence" }, rule.sentence),
    element("p", { id: "rule-luck", role: "status" }, luckWords),
    course(address, answer),
    pictureButtons(address, answer, luckWords),
    element(
      "div",
      { class: "columns" },
      figures("Record", recordOf(record)),
      figures("Luck", luckOf(luck, search)),
      figures("Forecasts and proof", sourcesOf(answer)),
    ),
    parts("By season", answer.by_season, ({ season }) => season),
    sample && parts("The newest season and those before", [sample.newest, sample.before], seasonsOf),
    parts("By edge", answer.by_edge, edges),
    parts("By price, in decimal odds", answer.by_price, prices),
    neighbours(address, answer),
    folded("By month", () => parts("By month", answer.by_month, ({ month }) => month)),
    element("p", { class: "note" }, `${note} Data of ${instant(answer.last_updated)}.`),
  ];
}

/** Describes the luck in the units of a rule and in its choice. @param {Backtest} answer */
function luckInWords({ luck, search: { tried, p_of_best: best } }) {
  const rules = `you have tried ${counted(tried, "rule")}`;
  if (!luck || best === null) {
    return `No bet has both prices, so there is no measure of its luck; ${rules}.`;
  }
  const often = best === 0 ? "more rarely than 10,000 draws can show" : inHundred(best);
  return `${luck.p_in_words} In this tab ${rules}, so one this good was to be expected ${often}.`;
}

/**
 * Draws the units after each date over those of lucky bettors.
 * @param {Address} address
 * @param {Backtest} answer
 */
function course(address, { course: dates, luck, search }) {
  const days = dates.map(({ date }) => dayNumber(date));
  const [first, last] = [days[0], days[days.length - 1]];
  const isLong = last - first > 360;
  const months = () => roundValues([first, last], 6).map((at) => ({ at, text: dateOf(Math.round(at)).slice(0, 7) }));
  const values = (/** @type {"units" | "p5" | "p25" | "p50" | "p75" | "p95"} */ name) =>
    dates.map((point) => point[name]);
  const median = { name: "Median bettor", model: "p50", tone: "implied", dash: COMPARED, values: values("p50") };
  return chart({
    id: "course",
    title: "Units of the rule, and of bettors with luck alone",
    note: "After each date with a bet, one unit on each. Lucky bettors make the same bets, and win each with the market's probability.",
    x: {
      name: "Date",
      values: days,
      point: (index) => `${day(dates[index].date)}, ${counted(dates[index].bets, "bet")}`,
      written: (index) => dates[index].date,
      ticks: isLong ? months() : days.length > 0 ? dateTicks(first, last) : [],
    },
    y: { write: units, base: 0 },
    lines: [
      { name: "This rule", model: "units", tone: "blend", dash: [], values: values("units") },
      ...(luck ? [median] : []),
    ],
    bands: luck ? BANDS.map(([name, low, high]) => ({ name, low: values(low), high: values(high) })) : [],
    address,
    calls: [callOf(address, search.tried)],
  });
}

/** Returns the figures of the record. @param {Backtest["record"]} record @returns {Figure[]} */
function recordOf(record) {
  const { roi_low: low, roi_high: high, drawdown, exclusions, kelly } = record;
  const from = drawdown.from ? day(drawdown.from) : "the start";
  return [
    ["Bets", count(record.bets)],
    ["Won–lost–pushed", wonLostPushed(record)],
    ["Units staked", count(record.stakes)],
    ["Units won", units(record.units)],
    ["Return of a unit (ROI)", gain(record.roi)],
    ["Its 95\u00a0% interval", low === null ? "–" : interval(low, high, gain)],
    ["Mean price, decimal odds", total(record.mean_price)],
    ["Mean edge, points of a hundred", points(record.mean_edge)],
    ["Mean expected value", gain(record.mean_ev)],
    ["Longest losing run", count(record.longest_losing_run)],
    ["Largest fall, units", total(drawdown.units)],
    ...figuresIf(drawdown.to, (to) => [["From its peak to its end", `${from} to ${day(to)}`]]),
    ...Object.entries(exclusions).map(([reason, left]) => figure(`Left out: ${exclusion(reason)}`, count(left))),
    ...figuresIf(kelly, ({ bank, drawdown: fall, larger_drawdown_share: larger }) => [
      ["Bank by Kelly's formula, from 1", total(bank)],
      ["Largest fall of the bank", share(fall)],
      ["Orders of its dates with a larger one", share(larger)],
    ]),
  ];
}

/** @param {string} name @param {string} text @returns {Figure} */
function figure(name, text) {
  return [name, text];
}

/**
 * Returns the figures of a part of the answer, if it is there.
 * @template T
 * @param {T | null | undefined} part
 * @param {(part: T) => Figure[]} of
 */
function figuresIf(part, of) {
  return part === null || part === undefined ? [] : of(part);
}

/** @param {Backtest["luck"]} luck @param {Backtest["search"]} search @returns {Figure[]} */
function luckOf(luck, search) {
  return [
    ["Lucky bettors with at least the units (p)", chance(luck?.p)],
    ["Origin of p", luck?.method ?? "–"],
    ["Bets with both prices", count(luck?.bets)],
    ["As many bets on random games (p)", chance(luck?.p_random_games)],
    ["Rules tried in this tab", count(search.tried)],
    ["Best of as many lucky rules (p)", chance(search.p_of_best)],
    ["Units of that best, median", units(search.best_50)],
    ["Units of that best, 95\u00a0%", units(search.best_95)],
  ];
}

/** @param {Backtest} answer @returns {Figure[]} */
function sourcesOf({ forecast_sources: sources, not_known_then: unknown, proof }) {
  return [
    ["Bets on forecasts recorded here", count(sources.recorded)],
    ["On live forecasts, imported", count(sources.live_imported)],
    ["On walk-forward forecasts", count(sources.walk_forward)],
    ["Without a forecast", count(sources.none)],
    ...figuresIf(unknown, (games) => [["Games not known then", count(games)]]),
    ["Forecast is in the record", count(proof.recorded)],
    ["Forecast is proven before the start", count(proof.proven)],
  ];
}

/** @param {string} title @param {Figure[]} of */
function figures(title, of) {
  const rows = of.map(([name, text]) => element("div", {}, element("dt", {}, name), element("dd", {}, text)));
  return element("div", {}, element("h3", {}, title), element("dl", { class: "figures" }, rows));
}

/** Names a row by its table. @param {string} caption @param {number} index */
function idOf(caption, index) {
  return `rule-${caption}-${index}`.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

/**
 * Builds the table of groups of bets.
 * @template {Part} P
 * @param {string} caption
 * @param {P[]} of
 * @param {(part: P) => string} nameOf
 */
function parts(caption, of, nameOf) {
  const rows = of.map((part, index) => ({
    id: idOf(caption, index),
    cells: [
      nameOf(part),
      count(part.bets),
      wonLostPushed(part),
      units(part.units),
      withInterval(gain(part.roi), part.roi_low, part.roi_high, gain),
    ],
    values: [nameOf(part), part.bets, part.wins, part.units, part.roi],
  }));
  const columns = ["Bets", "W-L-P", "Units", "ROI"].map((head) => ({ head, number: true }));
  return table({ caption, columns: [{ head: "Group" }, ...columns], rows, empty: `${caption}: there is no bet.` });
}

/** Returns the label of a band by its ends. @param {(value: Maybe) => string} text */
function bandName(text) {
  return (/** @type {Band} */ { from, to }) =>
    from === null ? `below ${text(to)}` : to === null ? `${text(from)} and above` : interval(from, to, text);
}

/** @param {{ season?: string, seasons?: string[] }} of */
function seasonsOf({ season, seasons = [] }) {
  return season ?? seasons.join(", ");
}

/** Builds the table of the rules a step away, with their addresses. @param {Address} address @param {Backtest} answer */
function neighbours(address, { neighbours: of }) {
  const rows = of.map(({ parameter, value, bets, units: won, roi }, index) => {
    const name = `${plainly(parameter)} ${value}`;
    const link = { href: write(address, {}, { [parameter]: value }), id: `neighbour-${index}` };
    return {
      id: idOf("neighbours", index),
      cells: [element("a", link, name), count(bets), units(won), gain(roi)],
      values: [name, bets, won, roi],
    };
  });
  const columns = ["Bets", "Units", "ROI"].map((head) => ({ head, number: true }));
  const empty = "The rule has no threshold, so it has no neighbours.";
  return table({
    caption: "The same with one threshold a step away",
    columns: [{ head: "Rule" }, ...columns],
    rows,
    empty,
  });
}
