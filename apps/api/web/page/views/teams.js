// Teams: form, streaks, next game.

import { get } from "../api.js";
import { element } from "../dom.js";
import { count, day, instant, share } from "../format.js";
import { leagueStatus } from "../parts/status.js";
import { table } from "../parts/table.js";
import { teamName } from "../words.js";

/** @import { Context } from "../main.js" */

export const title = "Teams";
export const picks = { league: true, market: true };
export const needsKey = true;

/** The meaning of the column of wins, by market. */
const WINS = {
  over_under: "Won means the game went over.",
  won_on_points: "Won means the team won the game.",
  won_on_spread: "Won means the team covered the spread.",
};

/** @param {Context} context */
export async function show({ address, signal, ofSeason }) {
  const { league: sport, market: model_type } = address;
  const [status, form] = await Promise.all([
    get("/api/v1/data-status/{sport}", { path: { sport }, signal }),
    get("/api/v1/results/{sport}/{model_type}/team-form", { path: { sport, model_type }, signal }),
  ]);
  const columns = [
    { head: "Team" },
    { head: "Games", number: true },
    { head: "Won", number: true },
    { head: "Lost", number: true },
    { head: "Won %", number: true, brief: true },
    { head: `Last ${form.last_n}, newest right` },
    { head: "Streak", number: true, brief: true },
    { head: "Next game" },
  ];
  const rows = form.teams.map((team) => ({
    id: `team-${team.team}`,
    cells: [
      teamName(team.team),
      count(team.games),
      count(team.wins),
      count(team.losses),
      share(team.win_pct),
      lastGames(team.last_10),
      team.streak,
      team.next_game_date ? day(team.next_game_date) : "–",
    ],
    values: [
      teamName(team.team),
      team.games,
      team.wins,
      team.losses,
      team.win_pct,
      team.last_10.reduce((won, one) => won + one, 0),
      team.streak,
      team.next_game_date,
    ],
  }));
  ofSeason(form.season);
  return [
    leagueStatus(status),
    element(
      "p",
      { class: "note" },
      `${WINS[model_type]} Pushes are not counted. Season ${form.season}, as of ${instant(form.last_updated)}.`,
    ),
    table({
      caption: `Form of teams in ${form.season}`,
      columns,
      rows,
      empty: "No game of this season is decided yet.",
    }),
  ];
}

/** @param {number[]} results Oldest first: 1 is a win. */
function lastGames(results) {
  return element(
    "span",
    { class: "form" },
    ...results.map((won) => element("span", { "data-won": won }, won ? "W" : "L")),
  );
}
