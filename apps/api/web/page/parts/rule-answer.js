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
  share,
  total,
  units,
  wonLostPushed,
} from "../format.js";
import { callOf } from "../rule.js";
import { exclusion, modelName, plainly } from "../words.js";
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
/** @typedef {[name: string, text: Child | Child[], value: string | number | null | undefined]} Figure */

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
function course(address, { course: points, luck, search }) {
  const days = points.map(({ date }) => dayNumber(date));
  const [first, last] = [days[0], days[days.length - 1]];
  const isLong = last - first > 360;
  const months = () => roundValues([first, last], 4).map((at) => ({ at, text: dateOf(Math.round(at)).slice(0, 7) }));
  const values = (/** @type {"units" | "p5" | "p25" | "p50" | "p75" | "p95"} */ name) =>
    points.map((point) => point[name]);
  const median = { name: "Median bettor", model: "p50", tone: "implied", dash: COMPARED, values: values("p50") };
  return chart({
    id: "course",
    title: "Units of the rule, and of bettors with luck alone",
    note: "After each date with a bet, one unit on each. Lucky bettors make the same bets, and win each with the market's probability.",
    x: {
      name: "Date",
      values: days,
      point: (index) => `${day(points[index].date)}, ${counted(points[index].bets, "bet")}`,
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
  const { bets, stakes, roi, roi_low: low, roi_high: high, drawdown, exclusions, kelly } = record;
  const fall =
    drawdown.to === null ? "" : `, ${drawdown.from ? day(drawdown.from) : "the start"} to ${day(drawdown.to)}`;
  return [
    ["Bets", count(bets), bets],
    ["Won, lost, pushed", wonLostPushed(record), record.wins],
    ["Units staked", count(stakes), stakes],
    ["Units", units(record.units), record.units],
    ["ROI", withInterval(gain(roi), low, high, gain), roi],
    ["Mean price, decimal odds", total(record.mean_price), record.mean_price],
    ["Mean edge", gain(record.mean_edge), record.mean_edge],
    ["Mean expected value", gain(record.mean_ev), record.mean_ev],
    ["Longest losing run", count(record.longest_losing_run), record.longest_losing_run],
    ["Largest fall, units", `${total(drawdown.units)}${fall}`, drawdown.units],
    ...Object.entries(exclusions).map(
      ([reason, left]) => /** @type {Figure} */ ([`Left out: ${exclusion(reason)}`, count(left), left]),
    ),
    .../** @type {Figure[]} */ (
      kelly
        ? [
            ["Bank by Kelly's formula, from 1", total(kelly.bank), kelly.bank],
            ["Largest fall of the bank", share(kelly.drawdown), kelly.drawdown],
            ["Orders of the dates with a larger one", share(kelly.larger_drawdown_share), kelly.larger_drawdown_share],
          ]
        : []
    ),
  ];
}

/** @param {Backtest["luck"]} luck @param {Backtest["search"]} search @returns {Figure[]} */
function luckOf(luck, search) {
  return [
    ["p: lucky bettors with at least the units", chance(luck?.p), luck?.p],
    ["Method", luck?.method ?? "–", luck?.method],
    ["Bets with both prices", count(luck?.bets), luck?.bets],
    ["p of as many bets on other games", chance(luck?.p_random_games), luck?.p_random_games],
    ["Rules tried in this tab", count(search.tried), search.tried],
    ["p of the best of as many lucky rules", chance(search.p_of_best), search.p_of_best],
    ["Units of that best, median", units(search.best_50), search.best_50],
    ["Units of that best, 95 %", units(search.best_95), search.best_95],
  ];
}

/** @param {Backtest} answer @returns {Figure[]} */
function sourcesOf({ model, forecast_sources: sources, not_known_then: unknown, proof }) {
  return [
    ["Model", modelName(model), model],
    ["Bets on forecasts recorded here", count(sources.recorded), sources.recorded],
    ["On live forecasts, imported", count(sources.live_imported), sources.live_imported],
    ["On walk-forward forecasts", count(sources.walk_forward), sources.walk_forward],
    ["Without a forecast", count(sources.none), sources.none],
    ["Games not known then", count(unknown), unknown],
    ["Bets whose forecast is in the record", count(proof.recorded), proof.recorded],
    ["Proven before the start", count(proof.proven), proof.proven],
  ];
}

/** @param {string} caption @param {Figure[]} of */
function figures(caption, of) {
  const rows = of.map(([name, text, value], index) => ({
    id: idOf(caption, index),
    cells: [name, text],
    values: [name, value],
  }));
  return table({ caption, columns: [{ head: "Figure" }, { head: "Value", number: true }], rows });
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
