// The chain of a league's entries: requested in full, followed in this browser, and drawn as a strip of squares and as growth.

import { file, get } from "../api.js";
import { element, svg } from "../dom.js";
import { count, counted, instant } from "../format.js";
import { same } from "../../verify/bytes.js";
import { LOG, readKey } from "../../verify/keys.js";
import { checkSignatures, readCheckpoint, signersOf } from "../../verify/proof.js";
import { Refused } from "../../verify/refusal.js";
import { bundlesOf, compareEntries, leavesOf, rootOf } from "../../verify/tree.js";
import { columns, levels } from "./axes.js";
import { dateTicks, timeTicks } from "./dates.js";
import { figure } from "./figure.js";
import { placeOn, roundRange, roundValues } from "./svg.js";

/** @import { Answer } from "../api.js" */
/** @import { Address } from "../address.js" */
/** @import { Call } from "./calls.js" */
/** @import { Checkpoint, SignedRecord } from "./checkpoint.js" */
/** @typedef {Answer<"/api/v1/releases/{sport}">} Releases */
/** @typedef {Releases["releases"][number]} Release */
/** @typedef {"own" | "later" | "none"} Signed The checkpoint that has an entry: of its own tree, of a later one, or none yet. */

/** The releases of a page, and the most pages that are read by themselves. */
const [LIMIT, PAGES] = [100, 20];

/**
 * Requests the releases of a league, the newest first: all of them, or as many as are read by themselves.
 * @param {string} sport
 * @param {Releases} newest The first page.
 * @param {AbortSignal} signal
 */
export async function releasesOf(sport, newest, signal) {
  const releases = [...newest.releases];
  let next = nextOf(newest);
  for (let page = 1; next !== null && page < PAGES; page += 1) {
    const answer = await get("/api/v1/releases/{sport}", {
      path: { sport },
      query: { before: next, limit: LIMIT },
      signal,
    });
    releases.push(...answer.releases);
    next = nextOf(answer);
  }
  return releases;
}

/** @param {Releases} page */
function nextOf({ releases, next_before: next }) {
  return releases.length > 0 ? (next ?? null) : null;
}

/**
 * Returns the checkpoint that has an entry.
 * @param {Release} release
 * @param {readonly Checkpoint[]} checkpoints
 * @returns {Signed}
 */
function signedBy({ generation }, checkpoints) {
  if (checkpoints.some((checkpoint) => checkpoint.generation === generation)) {
    return "own";
  }
  return checkpoints.some((checkpoint) => (checkpoint.generation ?? 0) > generation) ? "later" : "none";
}

const [ACROSS, CELL, SIDE] = [40, 16, 12];

/** @type {Record<Signed, string>} */
const SIGNED = { own: "signed", later: "signed with a later one", none: "not signed yet" };

/**
 * Draws a square for each release, the oldest first.
 * @param {Address} address
 * @param {Release[]} releases The newest first.
 * @param {readonly Checkpoint[]} checkpoints
 */
export function strip(address, releases, checkpoints) {
  const oldest = [...releases].reverse();
  const states = oldest.map((release) => signedBy(release, checkpoints));
  const squares = oldest.map(({ generation, published_at: at }, index) =>
    svg(
      "rect",
      {
        class: "mark release",
        "data-value": generation,
        "data-signed": states[index],
        x: (index % ACROSS) * CELL + 1,
        y: Math.floor(index / ACROSS) * CELL + 1,
        width: SIDE,
        height: SIDE,
        rx: 2,
      },
      svg("title", {}, `Entry ${generation}, ${instant(at)}: ${SIGNED[states[index]]}`),
    ),
  );
  const [width, height] = [ACROSS * CELL, Math.ceil(oldest.length / ACROSS) * CELL];
  const signed = states.filter((state) => state !== "none").length;
  const title = `${counted(oldest.length, "release")}, ${signed === oldest.length ? "all" : count(signed)} signed`;
  const kinds = /** @type {Signed[]} */ (["own", "later", "none"]).filter((kind) => states.includes(kind));
  return figure({
    id: "squares",
    title,
    note: "A square is a release, the oldest first.",
    legend: kinds.map((kind) => [
      svg(
        "svg",
        { class: "sample", width: CELL, height: CELL, "aria-hidden": "true" },
        svg("rect", { class: "release", "data-signed": kind, x: 2, y: 2, width: SIDE, height: SIDE, rx: 2 }),
      ),
      ` ${SIGNED[kind]} (${count(states.filter((state) => state === kind).length)})`,
    ]),
    drawing: [
      svg("svg", { class: "squares", role: "img", "aria-label": title, viewBox: `0 0 ${width} ${height}` }, squares),
    ],
    numbers: () => ({
      caption: "Releases, the oldest first",
      columns: [{ head: "Entry" }, { head: "Published", line: true }, { head: "Signed" }],
      rows: oldest.map(({ generation, published_at: at }, index) => ({
        id: `square-${generation}`,
        cells: [String(generation), instant(at), SIGNED[states[index]]],
        values: [generation, at, SIGNED[states[index]]],
      })),
    }),
    address,
    calls: callsOf(address),
  });
}

/**
 * @param {Address} address
 * @returns {Call[]}
 */
function callsOf({ league: sport }) {
  return [
    { template: "/api/v1/releases/{sport}", path: { sport }, query: { limit: LIMIT }, isPublic: true },
    { template: "/api/v1/record/{sport}/checkpoints", path: { sport }, isPublic: true },
  ];
}

/** The most ticks of an axis. */
const TICKS = 4;

/**
 * Draws the size of the log over time: its leaves where they are signed, else its entries. Null for fewer than two points.
 * @param {Address} address
 * @param {Release[]} releases The newest first.
 * @param {readonly Checkpoint[]} checkpoints
 */
export function growth(address, releases, checkpoints) {
  const times = new Map(releases.map(({ generation, published_at: at }) => [generation, at]));
  const leaves = checkpoints.flatMap(({ size, generation }) => {
    const at = generation === null ? undefined : times.get(generation);
    return at === undefined ? [] : [{ at, value: size }];
  });
  const entries = [...releases].reverse().map(({ generation, published_at: at }) => ({ at, value: generation }));
  const [points, unit] = leaves.length > 1 ? [leaves, "leaves"] : [entries, "entries"];
  const [first, last] = [points[0], points.at(-1)];
  if (points.length < 2 || last === undefined) {
    return null;
  }
  const span = /** @type {[number, number]} */ ([Date.parse(first.at), Date.parse(last.at)]);
  const range = roundRange([0, ...points.map(({ value }) => value)], TICKS);
  const [across, up] = [placeOn(span), placeOn(range)];
  const down = (/** @type {number} */ value) => Math.round((100 - up(value)) * 1000) / 1000;
  const title = `The log grew to ${count(last.value)} ${unit}`;
  const ticks = roundValues(range, TICKS).map((at) => ({ at, text: count(at) }));
  const places = points.map(({ at, value }) => ({ x: across(Date.parse(at)), y: down(value), at, value }));
  const line = places.slice(1).map((to, index) => {
    const from = places[index];
    return svg("line", { class: "growth", x1: `${from.x}%`, x2: `${to.x}%`, y1: `${from.y}%`, y2: `${to.y}%` });
  });
  const marks = places.map(({ x, y, at, value }) =>
    svg(
      "circle",
      { class: "mark growth", cx: `${x}%`, cy: `${y}%`, r: 2.5, "data-value": value },
      svg("title", {}, `${instant(at)}: ${count(value)} ${unit}`),
    ),
  );
  const plot = svg(
    "svg",
    { class: "plot short", role: "img", "aria-label": title, overflow: "visible" },
    levels(ticks, down, 0),
    columns(ticksOf(span), across),
    line,
    marks,
  );
  const note =
    unit === "leaves"
      ? "Leaves of the trees that were signed, by the time of their entries (Eastern): a leaf is a forecast, a final or a release."
      : "Entries, by their times (Eastern).";
  return figure({
    id: "growth",
    title,
    note,
    drawing: [element("div", { class: "plot-area" }, plot)],
    numbers: () => ({
      caption: title,
      columns: [
        { head: "Time", line: true },
        { head: unit === "leaves" ? "Leaves" : "Entries", number: true },
      ],
      rows: points.map(({ at, value }) => ({
        id: `growth-${value}`,
        cells: [instant(at), count(value)],
        values: [at, value],
      })),
    }),
    address,
    calls: callsOf(address),
  });
}

const DAY = 86_400_000;

/**
 * Returns dates as ticks; for fewer than ten days, times.
 * @param {[number, number]} span
 */
function ticksOf([first, last]) {
  const isShort = last - first < 10 * DAY;
  const dates = dateTicks(first / DAY, last / DAY).map(({ at, text }) => ({ at: at * DAY, text }));
  return isShort ? timeTicks(first, last, TICKS) : dates;
}

/** The most leaves that are checked at a time: some 45 MB. */
const MOST_LEAVES = 250_000;

/**
 * Fetches every leaf of the newest signed tree, and checks in this browser that they give the root that the log signed, and that the
 * entries they name are those of the list. Returns the finding as a sentence.
 * @param {SignedRecord} record
 * @param {Release[]} releases
 * @param {AbortSignal} signal
 * @param {(done: number, all: number) => void} progress
 */
export async function checkLeaves({ path, vkeys }, releases, signal, progress) {
  const note = await file(/** @type {"/api/v1/record/{sport}/checkpoint"} */ (`${path}/checkpoint`), { signal });
  const checkpoint = readCheckpoint((await note.text()).split("\n"));
  const keys = await Promise.all(vkeys.map((vkey) => readKey(vkey, LOG)));
  const [signer] = signersOf(checkpoint, keys);
  if (!signer) {
    throw new Refused(1, `this server states no key of ${checkpoint.origin} that signed the checkpoint`);
  }
  await checkSignatures(checkpoint, signer, []);
  const size = Number(checkpoint.size);
  if (size > MOST_LEAVES) {
    throw new Refused(2, `${count(size)} leaves are too many for a browser: use sportsctl record audit`);
  }
  const bundles = bundlesOf(size);
  let done = 0;
  const read = async (/** @type {typeof bundles[number]} */ { path: tile, width }) => {
    const address = /** @type {"/api/v1/record/{sport}/checkpoint"} */ (`${path}/tile/${tile}`);
    const bytes = new Uint8Array(await (await file(address, { signal })).arrayBuffer());
    done += 1;
    progress(done, bundles.length);
    return leavesOf(bytes, width);
  };
  const leaves = (await Promise.all(bundles.map(read))).flat();
  if (!same(await rootOf(leaves), checkpoint.root)) {
    throw new Refused(1, "the leaves that this server shows do not give the root that the log signed");
  }
  const { named, differs } = compareEntries(leaves, releases);
  if (differs !== null) {
    throw new Refused(1, `the signed leaves name another hash for entry ${differs} than the list of releases`);
  }
  return `All ${count(size)} leaves give the root that ${checkpoint.origin} signed, and the hashes of ${count(named)} entries in them are those of this list (checked in this browser).`;
}
