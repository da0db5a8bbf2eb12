// Sixteen betting rules, ranked, and the cumulative units of one of them.

import { get, getIfThere } from "../api.js";
import { write } from "../address.js";
import { element, section } from "../dom.js";
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
import { STANDARD_MODEL, missingNote, modelsOf, ofModel } from "../models.js";
import { chart } from "../parts/chart.js";
import { modelPicker, optionPicker, seasonPicker } from "../parts/pickers.js";
import { leagueStatus } from "../parts/status.js";
import { table } from "../parts/table.js";
import { exclusion, matchup, modelName, priceBasis } from "../words.js";

/** @import { Answer } from "../api.js" */
/** @import { Address } from "../address.js" */
/** @import { Context } from "../main.js" */
/** @import { Market } from "../words.js" */
/** @import { Tone } from "../parts/tones.js" */
/** @typedef {Answer<"/api/v1/strategies/{sport}/{model_type}">} Leaderboard */
/** @typedef {Answer<"/api/v1/strategies/{sport}/{model_type}/{strategy_id}/replay">} Replay */

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

/** @param {Context} context */
export async function show({ address, signal }) {
  const { league: sport, market: model_type, options } = address;
  const path = { sport, model_type };
  const season = options.get("season");
  const accounting = options.get("accounting") ?? ACCOUNTINGS[0][0];
  const [status, league, seasons, board] = await Promise.all([
    get("/api/v1/data-status/{sport}", { path: { sport }, signal }),
    modelsOf(address, signal),
    get("/api/v1/results/{sport}/{model_type}/seasons", { path, signal }),
    ofModel(address, (model) =>
      get("/api/v1/strategies/{sport}/{model_type}", { path, query: { season, accounting, model }, signal }),
    ),
  ]);
  const { model = STANDARD_MODEL } = board;
  const strategy = options.get("strategy") ?? board.strategies[0].id;
  const [replay, tracking] = await Promise.all([
    get("/api/v1/strategies/{sport}/{model_type}/{strategy_id}/replay", {
      path: { ...path, strategy_id: strategy },
      query: { season: board.season, accounting, model, include_excluded: "true" },
      signal,
    }),
    getIfThere("/api/v1/model-tracking/{sport}/{model_type}", { path, query: { season: board.season }, signal }),
  ]);
  const forecast = tracking?.models?.map((tracked) => tracked.model).filter((name) => name !== "IMPLIED") ?? [];
  return [
    leagueStatus(status),
    seasonPicker(address, seasons.seasons, board.season),
    optionPicker(address, "Accounting", "accounting", ACCOUNTINGS, accounting),
    missingNote(address, model),
    modelPicker(address, league, forecast, model),
    section(
      `Leaderboard of ${board.season}`,
      element("p", { class: "note" }, signals(model)),
      leaderboard(address, board, strategy),
    ),
    section(`Replay of ${replay.strategy.name}`, ...replayed(replay, model_type, league.tone(model), signal)),
  ];
}

/**
 * @param {Address} address
 * @param {Leaderboard} board
 * @param {string} chosen
 */
function leaderboard(address, board, chosen) {
  const isRecorded = board.accounting === "recorded_v2";
  const columns = [
    { head: "Strategy" },
    { head: "Rank", number: true },
    { head: "Signal" },
    { head: isRecorded ? "W-L-P" : "W-L", number: true },
    { head: "Won %", number: true },
    { head: "ROI", number: true, hint: "Profit for each unit staked; small: its 95\u00a0% interval." },
    { head: "Bets", number: true },
    ...(isRecorded
      ? [
          { head: "Staked", number: true },
          { head: "Units", number: true },
          { head: "No price", number: true, hint: `Left out: ${exclusion("missing_price")}.` },
          { head: "Not verified", number: true, hint: `Left out: ${exclusion("unverified_finality")}.` },
        ]
      : []),
  ];
  const rows = board.strategies.map((entry) => {
    const { roi_low: low, roi_high: high } = /** @type {Record<string, any>} */ (entry);
    const hasInterval = typeof low === "number" && typeof high === "number";
    const link = {
      id: `strategy-${entry.id}`,
      href: write(address, {}, { strategy: entry.id }),
      "aria-current": entry.id === chosen && "true",
    };
    return {
      id: `rule-${entry.id}`,
      marked: entry.id === chosen,
      cells: [
        element("a", link, entry.name),
        entry.rank ?? "–",
        entry.signal,
        entry.record,
        percent(entry.win_pct),
        hasInterval
          ? element("span", {}, signedPercent(entry.roi), " ", element("small", {}, interval(low, high, signedPercent)))
          : signedPercent(entry.roi),
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
    };
  });
  const caption = `Ranked by ROI; rules with fewer than ${board.min_sample} decided bets are not ranked. Prices: ${priceBasis(board.price_basis)}.`;
  return table({ caption, columns, rows });
}

/**
 * @param {Replay} replay
 * @param {Market} market
 * @param {Tone} tone The tone of the model of the edge.
 * @param {AbortSignal} signal
 */
function replayed({ strategy, rows, excluded_rows: excluded, season }, market, tone, signal) {
  const writeLine = market === "over_under" ? total : spread;
  const bets = rows.map((row, index) => ({
    id: `bet-${index}`,
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
    { head: "Outcome" },
    { head: "Units", number },
    { head: "Total", number },
  ];
  const missing = excluded.map((row, index) => ({
    id: `excluded-${index}`,
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
    chart({
      title: `Cumulative units of ${strategy.name}, ${season}`,
      note: "One unit on each bet, in order of play.",
      x: {
        name: "Bet",
        values: rows.map((_, index) => index + 1),
        point: (index) => `bet ${index + 1}, ${day(rows[index].date)}`,
        axis: String,
      },
      y: { write: units, base: 0 },
      lines: [{ name: "Units", ...tone, values: rows.map((row) => row.total) }],
      signal,
    }),
    folded(counted(rows.length, "bet"), () =>
      table({ caption: `Bets of ${strategy.name}`, columns: betColumns, rows: bets, empty: "It has no bets." }),
    ),
    folded(counted(excluded.length, "exclusion"), () =>
      table({
        caption: `Games left out of ${strategy.name}`,
        columns: missingColumns,
        rows: missing,
        empty: "No game is left out.",
      }),
    ),
  ];
}

/**
 * Builds an element whose content is made when it is opened.
 * @param {string} name
 * @param {() => Node} content
 */
function folded(name, content) {
  const made = element("details", {}, element("summary", {}, name));
  made.addEventListener("toggle", () => {
    if (made.open && made.childElementCount === 1) {
      made.append(content());
    }
  });
  return made;
}
