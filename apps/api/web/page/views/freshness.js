// The status of today's data, league by league and market by market, and the last days of each league.

import { signal as state } from "@preact/signals";
import { get } from "../api.js";
import { every, now } from "../clock.js";
import { element } from "../dom.js";
import { counted, day, duration, instant, start } from "../format.js";
import { follow } from "../live.js";
import { COUNTED, timeline } from "../parts/days.js";
import { renewed } from "../parts/failure.js";
import { statusChip } from "../parts/status.js";
import { table } from "../parts/table.js";
import { followLeagues } from "../site.js";
import { LEAGUE_NAMES, MARKETS, MARKET_NAMES, degradation, matchup, statusMeaning } from "../words.js";

/** @import { LeagueStatus } from "../parts/status.js" */
/** @import { Context } from "../main.js" */
/** @import { History } from "../parts/days.js" */
/** @import { League } from "../words.js" */

export const title = "Freshness";

const RENEWED = 30_000;

/** The text of a market that the league does not have. */
const NO_MARKET = "none";

/** @param {Context} context */
export async function show(context) {
  const { address, leagues, signal } = context;
  followLeagues(RENEWED, context);
  if (leagues.length === 0) {
    return [element("p", { class: "empty" }, "Nothing was published here yet.")];
  }
  let deadline = "";
  /** @type {Map<League, { status: string, history: History }>} */
  const known = new Map();
  const historyOf = (/** @type {League} */ sport) =>
    get("/api/v1/data-status/{sport}/history", { path: { sport }, query: { days: COUNTED }, signal });
  const ask = async () => {
    const days = await Promise.all(
      leagues.map(async (sport) => {
        const status = await get("/api/v1/data-status/{sport}", { path: { sport }, signal });
        const text = JSON.stringify(status);
        const before = known.get(sport);
        const history = before?.status === text ? before.history : await historyOf(sport);
        known.set(sport, { status: text, history });
        return { status, history };
      }),
    );
    deadline = days[0].status.deadline;
    return days;
  };
  const show = (/** @type {Awaited<ReturnType<typeof ask>>} */ days) => [
    leagueTable(days.map(({ status }) => status)),
    timeline(
      address,
      days.map(({ history }) => history),
    ),
  ];
  const board = await renewed(RENEWED, signal, ask, show, (renew) =>
    follow(leagues, signal, { onRelease: renew, onStatus: renew }),
  );
  return [countdown(() => deadline, signal), board];
}

/**
 * @param {() => string} deadline
 * @param {AbortSignal} signal
 */
function countdown(deadline, signal) {
  const [due, left] = [state(""), state("")];
  const tell = () => {
    const remaining = Date.parse(deadline()) - now();
    due.value = remaining > 0 ? "is due by" : "was due by";
    left.value = remaining > 0 ? `in ${duration(remaining)}` : `${duration(-remaining)} ago`;
  };
  tell();
  every(1000, signal, tell);
  const time = element("strong", {}, "10:15\u00a0AM\u00a0ET");
  return element(
    "p",
    { class: "countdown" },
    "Today's data ",
    due,
    " ",
    time,
    ", ",
    element("span", { role: "timer" }, left),
    ".",
  );
}

/** @param {LeagueStatus[]} leagues */
function leagueTable(leagues) {
  const columns = [
    { head: "League" },
    { head: "Status" },
    ...MARKETS.map((market) => ({ head: MARKET_NAMES[market] })),
    { head: "Odds as of", line: true },
    { head: "Awaiting a final", number: true },
  ];
  const rows = leagues.map((league) => ({
    id: `league-${league.sport}`,
    cells: [
      LEAGUE_NAMES[league.sport],
      statusChip(league.status),
      ...MARKETS.map((market) => marketStatus(league.markets[market])),
      instant(league.odds?.source_as_of),
      league.awaiting_settlement.count,
    ],
    values: [
      LEAGUE_NAMES[league.sport],
      league.status,
      ...MARKETS.map((market) => (league.markets[market].expected === false ? null : league.markets[market].status)),
      league.odds?.source_as_of,
      league.awaiting_settlement.count,
    ],
    detail: () => detail(league),
  }));
  return table({ caption: "Today's data, league by league", columns, rows });
}

/** @param {LeagueStatus["markets"][typeof MARKETS[number]]} market */
function marketStatus({ expected: isExpected, status, refresh_pending: isPending, held_games: held }) {
  if (isExpected === false) {
    return element("small", {}, NO_MARKET);
  }
  const marks = [isPending && "refresh pending", held.length > 0 && `${held.length} held`].filter(Boolean);
  return element(
    "span",
    { class: "marks" },
    statusChip(status),
    marks.length > 0 && element("small", {}, marks.join(", ")),
  );
}

/** @param {LeagueStatus} league */
function detail(league) {
  const { run, odds, awaiting_settlement: awaited } = league;
  const markets = MARKETS.map((name) => {
    const market = league.markets[name];
    const held = market.held_games.map(matchup);
    return {
      id: `league-${league.sport}-${name}`,
      cells: [
        MARKET_NAMES[name],
        market.expected === false ? NO_MARKET : statusChip(market.status),
        instant(market.predictions.published_at),
        instant(market.results.published_at),
        market.refresh_pending ? rebuild(market.refresh_deadline) : "no",
        held.length > 0 ? held.join("; ") : "none",
      ],
    };
  });
  const columns = ["Market", "Status", "Predictions published", "Results published", "Refresh pending", "Held games"];
  const games = awaited.games.map((game) => `${day(game.date)}, ${start(game.time_est)}: ${matchup(game)}`);
  return element(
    "div",
    { class: "detail" },
    element(
      "p",
      {},
      league.degradation_reason
        ? degradation(league.degradation_reason)
        : `${day(league.date)}: ${statusMeaning(league.status)}.`,
    ),
    element(
      "p",
      {},
      `Odds as of ${instant(odds?.source_as_of)}. `,
      run
        ? `Run ${run.id} began ${instant(run.started_at)} and ${run.completed_at ? `was complete ${instant(run.completed_at)}` : "is not complete"}.`
        : "No run is known.",
      league.simulated && " This record is simulated.",
    ),
    table({
      caption: `${LEAGUE_NAMES[league.sport]}, market by market`,
      columns: columns.map((head) => ({ head })),
      rows: markets,
    }),
    games.length > 0 &&
      element(
        "p",
        {},
        `Awaiting a final: ${counted(awaited.count, "game")}${awaited.count > games.length ? ", the first of them" : ""}`,
      ),
    games.length > 0 && element("ul", {}, ...games.map((game) => element("li", {}, game))),
  );
}

/** Formats the deadline for predictions to be rebuilt with newer odds. @param {string | null} deadline */
function rebuild(deadline) {
  const isPast = deadline !== null && Date.parse(deadline) <= now();
  return `${isPast ? "was due by" : "until"} ${instant(deadline)}`;
}
