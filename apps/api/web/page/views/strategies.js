// Sixteen betting rules, ranked, and the cumulative units of one of them; or a rule of the reader's own.

import { get, getIfThere } from "../api.js";
import { write } from "../address.js";
import { element, section } from "../dom.js";
import { figureIn } from "../forecasts.js";
import {
  count,
  counted,
  day,
  interval,
  percent,
  price,
  signedPercent,
  spread,
  start,
  total,
  units,
} from "../format.js";
import { STANDARD_MODEL, missingNote, modelsOf, ofModel, valueNote } from "../models.js";
import { folded } from "../parts/figure.js";
import { overlaid, sparklines } from "../parts/units.js";
import { modelPicker, optionPicker, seasonPicker } from "../parts/pickers.js";
import { leagueStatus } from "../parts/status.js";
import { table } from "../parts/table.js";
import { isOwn, partsOf } from "../rule.js";
import { exclusion, matchup, modelName, priceBasis } from "../words.js";
import { yourRule } from "./your-rule.js";

/** @import { Answer } from "../api.js" */
/** @import { Address } from "../address.js" */
/** @import { Child } from "../dom.js" */
/** @import { Context } from "../main.js" */
/** @import { Market } from "../words.js" */
/** @typedef {Answer<"/api/v1/strategies/{sport}/{model_type}">} Leaderboard */
/** @typedef {Leaderboard["strategies"][number]} Rule */
/** @import { Replay } from "../parts/units.js" */

export const title = "Strategies";
export const picks = { league: true, market: true };
export const needsKey = true;

/** @type {[string, string][]} */
const ACCOUNTINGS = [
  ["recorded_v2", "Recorded prices"],
  ["legacy_v1", "Legacy, −110"],
];

/** Describes the signals of rules. @param {string} model */
function signals(model) {
  return `A rule follows a signal or fades it, which is to bet against it. Line: the side that the line has moved to since it opened. Edge (Δ): the side that ${modelName(model)} gives a higher probability than the market does. Hybrid: a bet only where the stances on both agree on a side.`;
}

const STRATEGIES = "/api/v1/strategies/{sport}/{model_type}";
const REPLAY = /** @type {const} */ ("/api/v1/strategies/{sport}/{model_type}/{strategy_id}/replay");

/** @param {Context} context */
export async function show(context) {
  const { address } = context;
  const { sixteen, own } = partsOf(address);
  const link = (/** @type {string} */ id, /** @type {string} */ href, /** @type {string} */ text, isShown = false) =>
    element("li", {}, element("a", { id, href, "aria-current": isShown && "page" }, text));
  const parts = element(
    "ul",
    {},
    link("sixteen-rules", sixteen, "Sixteen rules", !isOwn(address)),
    link("your-rule", own, "Your rule", isOwn(address)),
  );
  const content = await (isOwn(address) ? yourRule(context) : sixteenRules(context));
  return [element("nav", { class: "parts", "aria-label": "Rules" }, parts), ...content];
}

/** @param {Context} context */
async function sixteenRules({ address, signal, offer, ofSeason }) {
  const { league: sport, market: model_type, options } = address;
  const path = { sport, model_type };
  const season = options.get("season");
  const accounting = options.get("accounting") ?? ACCOUNTINGS[0][0];
  const [status, league, seasons, board] = await Promise.all([
    get("/api/v1/data-status/{sport}", { path: { sport }, signal }),
    modelsOf(address, signal),
    get("/api/v1/results/{sport}/{model_type}/seasons", { path, signal }),
    ofModel(address, (model) => get(STRATEGIES, { path, query: { season, accounting, model }, signal })),
  ]);
  const { model = STANDARD_MODEL } = board;
  const chosen = chosenRules(options, board);
  const query = { season: board.season, accounting, model };
  const ask = (/** @type {string} */ strategy_id) =>
    get(REPLAY, { path: { ...path, strategy_id }, query: { ...query, include_excluded: "true" }, signal });
  const [replays, tracking] = await Promise.all([
    Promise.all(chosen.map(ask)),
    getIfThere("/api/v1/model-tracking/{sport}/{model_type}", { path, query: { season: board.season }, signal }),
  ]);
  const forecast = tracking?.models?.map((tracked) => tracked.model).filter((name) => name !== "IMPLIED") ?? [];
  ofSeason(board.season);
  offer(
    modelPicker(address, league, forecast, model),
    seasonPicker(address, seasons.seasons, board.season),
    optionPicker(address, "Accounting", "accounting", ACCOUNTINGS, accounting),
  );
  const calls = chosen.map((strategy_id) => ({
    template: REPLAY,
    path: { ...path, strategy_id },
    query,
  }));
  const sparks = sparklines(board.strategies, replays, ask, signal);
  return [
    leagueStatus(status),
    missingNote(address, model),
    valueNote(board),
    section(
      `Cumulative units in ${board.season}`,
      overlaid(address, replays, calls),
      ...replays.flatMap((replay) => betsOf(replay, model_type)),
    ),
    section(
      `Leaderboard of ${board.season}`,
      element(
        "p",
        { class: "note", id: "bets-alone" },
        signals(model),
        " Rules make bets, so there is no switch to picks here.",
      ),
      leaderboard(address, board, chosen, sparks),
    ),
  ];
}

/**
 * Returns the rules with a line: those of the address, or the best one.
 * @param {URLSearchParams} options
 * @param {Leaderboard} board
 */
function chosenRules(options, board) {
  const asked = [...(options.get("strategies")?.split(",") ?? []), options.get("strategy") ?? ""];
  const known = board.strategies.map(({ id }) => id).filter((id) => asked.includes(id));
  return known.length > 0 ? known : [board.strategies[0].id];
}

/**
 * @param {Address} address
 * @param {Leaderboard} board
 * @param {string[]} chosen
 * @param {Map<string, Child>} sparks The sparkline of each rule.
 */
function leaderboard(address, board, chosen, sparks) {
  const isRecorded = board.accounting === "recorded_v2";
  const rows = board.strategies.map((entry) => ({
    id: `rule-${entry.id}`,
    marked: chosen.includes(entry.id),
    cells: [
      ruleLinks(address, entry, chosen),
      entry.rank ?? "–",
      sparks.get(entry.id),
      entry.signal,
      entry.record,
      percent(entry.win_pct),
      roi(entry),
      count(entry.n),
      ...(isRecorded
        ? [
            count(entry.stakes),
            units(entry.profit_units),
            count(entry.exclusions?.missing_price),
            count(entry.exclusions?.unverified_finality),
          ]
        : []),
    ],
    values: [
      entry.name,
      entry.rank,
      entry.profit_units ?? null,
      entry.signal,
      entry.wins,
      entry.win_pct,
      entry.roi,
      entry.n,
      ...(isRecorded
        ? [entry.stakes, entry.profit_units, entry.exclusions?.missing_price, entry.exclusions?.unverified_finality]
        : []),
    ],
  }));
  const caption = `Ranked by ROI; rules with fewer than ${board.min_sample} decided bets are not ranked. Prices: ${priceBasis(board.price_basis)}.`;
  return table({ caption, columns: leaderboardColumns(isRecorded), rows });
}

/** Returns the columns of the leaderboard. @param {boolean} isRecorded True for bets at recorded prices. */
function leaderboardColumns(isRecorded) {
  return [
    { head: "Strategy" },
    { head: "Rank", number: true },
    { head: "Cumulative units", hint: "From the season's first bet to its last; the thin line is zero." },
    { head: "Signal" },
    { head: isRecorded ? "W-L-P" : "W-L", number: true },
    { head: "Won %", number: true },
    { head: "ROI", number: true, brief: true, hint: "Profit for each unit staked; small: its 95\u00a0% interval." },
    { head: "Bets", number: true, brief: true },
    ...(isRecorded
      ? [
          { head: "Staked", number: true },
          { head: "Units", number: true },
          { head: "No price", number: true, hint: `Left out: ${exclusion("missing_price")}.` },
          { head: "Not verified", number: true, hint: `Left out: ${exclusion("unverified_finality")}.` },
        ]
      : []),
  ];
}

/**
 * Writes the name of a rule as the link to its bets, with the link that adds it to the chart or removes it.
 * @param {Address} address
 * @param {Rule} entry
 * @param {string[]} chosen
 */
function ruleLinks(address, entry, chosen) {
  const isChosen = chosen.includes(entry.id);
  const others = chosen.filter((id) => id !== entry.id);
  const next = isChosen ? others : [...others, entry.id];
  const link = {
    id: `strategy-${entry.id}`,
    href: write(address, {}, { strategy: entry.id, strategies: null }),
    "aria-current": isChosen && "true",
  };
  const add = {
    id: `overlay-${entry.id}`,
    class: "overlay",
    href: write(address, {}, { strategy: null, strategies: next.join(",") || null }),
    "aria-label": `${isChosen ? "Remove" : "Add"} ${entry.name} ${isChosen ? "from" : "to"} the chart`,
  };
  return element("span", {}, element("a", link, entry.name), " ", element("a", add, isChosen ? "−" : "+"));
}

/** Writes the return of a rule, with its interval if it has one. @param {Rule} entry */
function roi(entry) {
  const [low, high] = [figureIn(entry, "roi_low"), figureIn(entry, "roi_high")];
  if (low === null || high === null) {
    return signedPercent(entry.roi);
  }
  return element("span", {}, signedPercent(entry.roi), " ", element("small", {}, interval(low, high, signedPercent)));
}

/**
 * Builds the lists of a rule's bets and exclusions.
 * @param {Replay} replay
 * @param {Market} market
 */
function betsOf({ strategy, rows, excluded_rows: excluded }, market) {
  const writeLine = market === "over_under" ? total : spread;
  const bets = rows.map((row, index) => ({
    id: `bet-${strategy.id}-${index}`,
    cells: [
      `${day(row.date)}, ${start(row.time_est)}`,
      matchup(row),
      row.side,
      ...(market === "won_on_points" ? [] : [writeLine(row.line)]),
      price(row.price),
      row.outcome,
      units(row.profit),
      units(row.total),
    ],
  }));
  const line = market === "won_on_points" ? [] : [{ head: "Line", number: true }];
  const number = true;
  const betColumns = [
    { head: "Start (ET)", line: true },
    { head: "Game" },
    { head: "Side" },
    ...line,
    { head: "Price", number },
    { head: "Outcome", brief: true },
    { head: "Units", number, brief: true },
    { head: "Total", number },
  ];
  const missing = excluded.map((row, index) => ({
    id: `excluded-${strategy.id}-${index}`,
    cells: [
      `${day(row.date)}, ${start(row.time_est)}`,
      matchup(row),
      row.side,
      ...(market === "won_on_points" ? [] : [writeLine(row.line)]),
      exclusion(row.reason),
    ],
  }));
  const missingColumns = [
    { head: "Start (ET)", line: true },
    { head: "Game" },
    { head: "Side" },
    ...line,
    { head: "Why it is left out" },
  ];
  return [
    folded(`${strategy.name}: ${counted(rows.length, "bet")}`, () =>
      table({ caption: `Bets of ${strategy.name}`, columns: betColumns, rows: bets, empty: "It has no bets." }),
    ),
    folded(`${strategy.name}: ${counted(excluded.length, "exclusion")}`, () =>
      table({
        caption: `Games left out of ${strategy.name}`,
        columns: missingColumns,
        rows: missing,
        empty: "No game is left out.",
      }),
    ),
  ];
}
