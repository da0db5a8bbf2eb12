// The record: the chain of its releases, checked in this browser, and instructions for their verification.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { getIfThere } from "../api.js";
import { element, part, section } from "../dom.js";
import { change, count, counted, day, instant } from "../format.js";
import { key } from "../key.js";
import { checkLeaves, growth, releasesOf, strip } from "../parts/chain.js";
import { checkpointOf, hash, signedRecord } from "../parts/checkpoint.js";
import { folded } from "../parts/figure.js";
import { later } from "../parts/later.js";
import { table } from "../parts/table.js";
import { publicRecord } from "../site.js";
import { LEAGUE_NAMES, MARKET_NAMES } from "../words.js";
import { followChain } from "../../verify/chain.js";
import { Refused } from "../../verify/refusal.js";

/** @import { Answer } from "../api.js" */
/** @import { Children } from "../dom.js" */
/** @import { Context } from "../main.js" */
/** @import { League } from "../words.js" */
/** @import { SignedRecord } from "../parts/checkpoint.js" */
/** @typedef {Answer<"/api/v1/releases/{sport}">} Releases */
/** @typedef {Releases["releases"][number]} Release */

export const title = "The record";
export const picks = { league: true };

/** The number of displayed digits of a hash. */
const DIGITS = 8;
/** The number of releases in the first table. */
const NEWEST = 7;

/** @param {Context} context */
export async function show(context) {
  const { address, signal } = context;
  const { league: sport } = address;
  const [found, record] = await Promise.all([
    getIfThere("/api/v1/releases/{sport}", { path: { sport }, query: { limit: 100 }, signal }),
    signedRecord(sport, signal),
  ]);
  if (!found) {
    return [element("p", { class: "empty" }, `Nothing was ever published for ${LEAGUE_NAMES[sport]}.`)];
  }
  return [
    found.simulated && simulation(),
    section(
      "The chain",
      later(context, () => releasesOf(sport, found, signal), chain(context, found, record)),
    ),
    section("Newest signed checkpoint", ...checkpointOf(record?.checkpoints.at(-1) ?? null)),
    section("How to verify it", ...verification(found)),
    section("Newest releases", ...releaseTables(sport, found.releases)),
  ];
}

function simulation() {
  return element(
    "p",
    { class: "notice", id: "simulated-record" },
    element("strong", {}, "This record is simulated: "),
    "its releases were published at times set by hand. The checks are real, and prove nothing beyond this demonstration.",
  );
}

/**
 * Returns the display of all releases: what follows from them in this browser, and what the API adds.
 * @param {Context} context
 * @param {Releases} found
 * @param {SignedRecord | null} record
 * @returns {(releases: Release[]) => Children}
 */
function chain(context, { head, simulated }, record) {
  const { address } = context;
  const checkpoints = record?.checkpoints ?? [];
  return (releases) => [
    finding(head, releases),
    later(
      context,
      () => coverage(context),
      (sentence) => [element("p", { id: "covered" }, sentence)],
    ),
    strip(address, releases, checkpoints),
    growth(address, releases, checkpoints),
    record && part(LeafCheck, { signal: context.signal, record, releases, simulated }),
    hash("head", "Head of the chain", head),
    element(
      "p",
      { class: "note" },
      `The head is the SHA-256 of entry ${releases[0].generation}, published ${instant(releases[0].published_at)}.`,
    ),
  ];
}

/**
 * Follows the chain, and says how far it holds.
 * @param {string} head
 * @param {Release[]} releases
 */
function finding(head, releases) {
  const { linked, isWhole, fault } = followChain(head, releases);
  const to = element("code", { title: head }, head.slice(0, DIGITS));
  const state = fault === null ? "unbroken" : "broken";
  const attributes = {
    id: "chain",
    "data-chain": state,
    "data-entries": linked,
    class: fault === null ? null : "alert",
  };
  if (fault !== null) {
    return element(
      "p",
      attributes,
      `${fault}: the chain up to head `,
      to,
      " is broken there (checked in this browser).",
    );
  }
  const which = isWhole ? counted(linked, "entry") : `The newest ${count(linked)} entry`;
  const words = linked === 1 ? `${which} forms` : `${which.replace(/entrys?$/, "entries")} form`;
  return element("p", attributes, `${words} an unbroken chain up to head `, to, " (checked in this browser).");
}

/**
 * Says how many games have a release before their start, by the API.
 * @param {Context} context
 */
async function coverage({ address, signal }) {
  const { league: sport, market } = address;
  if (key() === null && (await publicRecord(sport)) === null) {
    return "With a key, the API states how many games have a release before their start.";
  }
  const path = { sport, model_type: market };
  const answer = await getIfThere("/api/v1/model-tracking/{sport}/{model_type}", { path, signal });
  if (answer === null) {
    return `No ${MARKET_NAMES[market].toLowerCase()} of this league has been forecast yet.`;
  }
  const { recorded, imported, walk_forward: reconstructed } = answer.forecast_games;
  const others = [
    imported > 0 && `${count(imported)} were imported as live`,
    reconstructed > 0 && `${count(reconstructed)} were reconstructed by a walk-forward backtest`,
  ].filter(Boolean);
  const rest = others.length > 0 ? `; ${others.join(", ")}` : "";
  const all = recorded + imported + reconstructed;
  return `${count(recorded)} of ${counted(all, "game")} of ${answer.season} with a ${MARKET_NAMES[market].toLowerCase()} forecast have a release before their start${rest} (from the API).`;
}

/**
 * The button that fetches every leaf of the signed tree and checks it.
 * @param {{ signal: AbortSignal, record: SignedRecord, releases: Release[], simulated: boolean }} props
 */
function LeafCheck({ signal, record, releases, simulated }) {
  const said = useSignal("");
  const verdict = useSignal(/** @type {string | null} */ (null));
  // A disabled button would lose the focus.
  const isBusy = useRef(false);
  const check = async () => {
    if (isBusy.current) {
      return;
    }
    isBusy.current = true;
    verdict.value = null;
    try {
      const progress = (/** @type {number} */ done, /** @type {number} */ all) => {
        said.value = `Leaves are read: ${count(done)} of ${counted(all, "file")}.`;
      };
      const sentence = await checkLeaves(record, releases, signal, progress);
      said.value = `${sentence}${simulated ? " The record is simulated." : ""}`;
      verdict.value = "logged";
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      said.value = error instanceof Refused ? sentenceOf(error.message) : "The server does not answer; try again.";
      verdict.value = error instanceof Refused && error.code === 1 ? "not_proven" : null;
    } finally {
      isBusy.current = false;
    }
  };
  const size = count(record.checkpoints.at(-1)?.size);
  return element(
    "div",
    { class: "leaves" },
    element(
      "p",
      {},
      `The list above is this server’s word. The ${size} leaves of the tree that was signed name the same entries: `,
      element("button", { type: "button", id: "check-leaves", on: { click: () => void check() } }, "Check every leaf"),
    ),
    element("p", { role: "status", id: "leaves-checked", "data-verdict": verdict.value }, said.value),
  );
}

/** @param {string} words */
function sentenceOf(words) {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
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

/**
 * @param {League} sport
 * @param {Release[]} releases
 */
function releaseTables(sport, releases) {
  const earlier = releases.slice(NEWEST);
  return [
    releaseTable(sport, "newest first", releases.slice(0, NEWEST)),
    earlier.length > 0 &&
      folded(`Show ${counted(earlier.length, "earlier release")}`, () => releaseTable(sport, "before these", earlier)),
  ];
}

/**
 * @param {League} sport
 * @param {string} which
 * @param {Release[]} releases
 */
function releaseTable(sport, which, releases) {
  const columns = [{ head: "Entry" }, { head: "Published", line: true }, { head: "What it changed" }];
  const rows = releases.map((release) => ({
    id: `release-${release.generation}`,
    cells: [String(release.generation), instant(release.published_at), summary(release.changed)],
    values: [release.generation, release.published_at, summary(release.changed)],
    detail: () => changes(release),
  }));
  return table({ caption: `Releases of ${LEAGUE_NAMES[sport]}, ${which}`, columns, rows });
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
function changes({ generation, release_id: id, clock, slate_date: slate, sha256, previous, changed }) {
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
    element(
      "p",
      {},
      `Slate of ${day(slate)}; published by ${clock === "system" ? "the machine’s own clock" : "a clock set by hand"}.`,
    ),
    element("p", {}, "Hash ", element("code", {}, sha256)),
    element("p", {}, "Hash before ", previous ? element("code", {}, previous) : "none: the first"),
    table({ caption: `Seasons that entry ${generation} changed`, columns, rows, empty: "It changed no season." }),
  );
}
