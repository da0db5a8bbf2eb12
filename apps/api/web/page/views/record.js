// The record: the releases with their times, and instructions for their verification.

import { getIfThere } from "../api.js";
import { element, section } from "../dom.js";
import { change, count, day, instant } from "../format.js";
import { checkpointOf, newestCheckpoint } from "../parts/checkpoint.js";
import { table } from "../parts/table.js";
import { LEAGUE_NAMES, MARKET_NAMES } from "../words.js";

/** @import { Answer } from "../api.js" */
/** @import { Context } from "../main.js" */
/** @typedef {Answer<"/api/v1/releases/{sport}">} Releases */
/** @typedef {Releases["releases"][number]} Release */

export const title = "The record";
export const picks = { league: true };

/** The number of displayed digits of a hash. */
const DIGITS = 8;

/** @param {Context} context */
export async function show({ address, signal }) {
  const { league: sport } = address;
  const [found, checkpoint] = await Promise.all([
    getIfThere("/api/v1/releases/{sport}", { path: { sport }, signal }),
    newestCheckpoint(sport, signal),
  ]);
  if (!found) {
    return [element("p", { class: "empty" }, `Nothing was ever published for ${LEAGUE_NAMES[sport]}.`)];
  }
  return [
    section("Head of the chain", head(found)),
    section("Newest signed checkpoint", ...checkpointOf(checkpoint)),
    section("How to verify it", ...verification(found)),
    section("Newest releases", releaseTable(found)),
  ];
}

/** @param {Releases} releases */
function head({ head: hash, releases: [newest], simulated }) {
  return element(
    "div",
    {},
    element("p", { class: "hash", id: "head" }, element("strong", {}, hash.slice(0, DIGITS)), hash.slice(DIGITS)),
    element("p", {}, `The SHA-256 of entry ${newest.generation}, published ${instant(newest.published_at)}.`),
    simulated &&
      element("p", {}, "This record is simulated: it has releases that were published at a time set by hand."),
  );
}

/** @param {Releases} releases */
function verification({ sport, head: hash }) {
  const command = (/** @type {string} */ text) => element("code", {}, text);
  return [
    element(
      "p",
      {},
      "Each entry of the log names the hash of the one before, and each file is named by its own hash. Keep the head: as long as the chain leads back to it, nothing that was published up to it has changed. A chain alone does not show that newer entries were cut off; a kept head does.",
    ),
    element(
      "p",
      {},
      "Whoever has the store checks every entry and every file with ",
      command(`sportsctl verify ${sport} --store file:FOLDER`),
      `; for this record it prints “head ${hash.slice(0, DIGITS)}…”. `,
      command(`sportsctl releases ${sport} --store file:FOLDER`),
      " lists the hashes of all entries. FOLDER is where the store is.",
    ),
  ];
}

/** @param {Releases} releases */
function releaseTable({ sport, releases }) {
  const columns = [
    { head: "Entry" },
    { head: "Published", line: true },
    { head: "Clock" },
    { head: "Slate", line: true },
    { head: "What it changed" },
    { head: "Hash" },
    { head: "Hash before" },
  ];
  const rows = releases.map((release) => ({
    id: `release-${release.generation}`,
    cells: [
      String(release.generation),
      instant(release.published_at),
      release.clock === "system" ? "machine's own" : "set by hand",
      day(release.slate_date),
      summary(release.changed),
      hashCell(release.sha256),
      release.previous ? hashCell(release.previous) : "none: the first",
    ],
    values: [
      release.generation,
      release.published_at,
      release.clock,
      release.slate_date,
      summary(release.changed),
      release.sha256,
      release.previous,
    ],
    detail: () => changes(release),
  }));
  return table({ caption: `Releases of ${LEAGUE_NAMES[sport]}, newest first`, columns, rows });
}

/** @param {string} hash */
function hashCell(hash) {
  return element("code", { title: hash }, hash.slice(0, DIGITS));
}

/** @param {Release["changed"]} changed */
function summary({ odds, predictions, results, models_declared: declared = [], models_retired: retired = [] }) {
  const names = (/** @type {typeof predictions} */ markets) => markets.map((market) => MARKET_NAMES[market]).join(", ");
  const seasons = [...new Set(results.map(({ season }) => season))];
  const marketsOf = (/** @type {string} */ of) =>
    names(results.filter(({ season }) => season === of).map(({ model_type: market }) => market));
  const parts = [
    odds && "odds",
    predictions.length > 0 && `predictions (${names(predictions)})`,
    ...seasons.map((season) => `results of ${season} (${marketsOf(season)})`),
    declared.length > 0 && `models declared (${declared.join(", ")})`,
    retired.length > 0 && `models retired (${retired.join(", ")})`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(", ") : "no data: only its run or date";
}

/** @param {Release} release */
function changes({ generation, release_id: id, changed }) {
  const rows = changed.results.map((season) => ({
    id: `change-${id}-${season.model_type}-${season.season}`.replace(/[^A-Za-z0-9]+/g, "-"),
    cells: [
      MARKET_NAMES[season.model_type],
      season.season,
      count(season.games),
      change(season.games_added),
      change(season.decided_added),
    ],
  }));
  const number = true;
  const columns = [
    { head: "Market" },
    { head: "Season" },
    { head: "Games in all", number },
    { head: "Games added", number },
    { head: "Newly decided", number, hint: "Games that now have a final and a line, and are no push." },
  ];
  return element(
    "div",
    { class: "detail" },
    element("p", {}, "Release ", element("code", {}, id)),
    table({ caption: `Seasons that entry ${generation} changed`, columns, rows, empty: "It changed no season." }),
  );
}
