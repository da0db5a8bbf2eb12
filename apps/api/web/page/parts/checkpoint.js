// The newest signed checkpoint of a league, and who received it when.

import { useSignal } from "@preact/signals";
import { file, get } from "../api.js";
import { element, part } from "../dom.js";
import { count, instant } from "../format.js";
import { table } from "./table.js";

/** @import { Answer } from "../api.js" */
/** @typedef {Answer<"/api/v1/record/{sport}/checkpoints">["checkpoints"][number]} Checkpoint */

/**
 * @typedef {object} SignedRecord
 * @property {string} path
 * @property {string[]} vkeys The keys that sign it or have signed it.
 * @property {Checkpoint[]} checkpoints The oldest first: all of them, or as many as are read by themselves, and the newest.
 */

/** The checkpoints of a page, and the most pages that are read by themselves. */
const [LIMIT, PAGES] = [100, 20];

/**
 * Requests the signed checkpoints of a league; null if none is signed. A record that began anew has a path of its own.
 * @param {string} sport
 * @param {AbortSignal} signal
 * @returns {Promise<SignedRecord | null>}
 */
export async function signedRecord(sport, signal) {
  const { keys } = await get("/api/v1/record/keys", { signal });
  const own = keys.filter((key) => key.sport === sport);
  const paths = new Set(own.map(({ path }) => path));
  const numberOf = (/** @type {string} */ path) => Number(path.split("/").at(-2)) || 1;
  for (const path of [...paths].sort((a, b) => numberOf(b) - numberOf(a))) {
    const checkpoints = await checkpointsAt(path, signal);
    if (checkpoints.length > 0) {
      return { path, vkeys: own.filter((key) => key.path === path).map(({ vkey }) => vkey), checkpoints };
    }
  }
  return null;
}

/**
 * Requests the checkpoints of the record at a path.
 * @param {string} path
 * @param {AbortSignal} signal
 */
async function checkpointsAt(path, signal) {
  const list = /** @type {"/api/v1/record/{sport}/checkpoints"} */ (`${path}/checkpoints`);
  /** @type {Checkpoint[]} */
  const checkpoints = [];
  /** @type {number | null} */
  let next = 1;
  for (let page = 0; next !== null && page < PAGES; page += 1) {
    /** @type {Answer<"/api/v1/record/{sport}/checkpoints">} */
    const answer = await get(list, { query: { from_size: next, limit: LIMIT }, signal });
    checkpoints.push(...answer.checkpoints);
    next = answer.next_size ?? null;
  }
  if (next !== null) {
    const note = await file(/** @type {"/api/v1/record/{sport}/checkpoint"} */ (`${path}/checkpoint`), { signal });
    const [, size] = (await note.text()).split("\n");
    checkpoints.push(...(await get(list, { query: { from_size: size, limit: 1 }, signal })).checkpoints);
  }
  return checkpoints;
}

/** @param {Checkpoint | null} checkpoint */
export function checkpointOf(checkpoint) {
  if (!checkpoint) {
    return [element("p", { class: "empty" }, "No checkpoint of this league is signed yet.")];
  }
  const { size, root, generation, cosigned, timestamps } = checkpoint;
  const entry = generation === null ? "" : `, the tree of entry ${generation}`;
  const rows = cosigned.map(({ name, time }) => ({
    id: `cosigned-${name}-${time}`.replace(/[^A-Za-z0-9]+/g, "-"),
    cells: [name, instant(time)],
    values: [name, time],
  }));
  const columns = [{ head: "Witness" }, { head: "Received it", line: true, hint: "By the clock of the witness." }];
  return [
    element("p", {}, `A tree of ${count(size)} leaves${entry}, signed by the publisher.`),
    hash("checkpoint-root", "Its root", root),
    table({
      caption: "Cosigners of the newest checkpoint",
      columns,
      rows,
      empty:
        timestamps.length > 0
          ? "No witness has cosigned it."
          : "No witness has cosigned it yet, so nobody but the publisher states its time.",
    }),
    timestamps.length > 0 &&
      element("p", {}, `Timestamp servers attested when they had it: ${count(timestamps.length)} of them.`),
  ];
}

/** The number of digits of a hash that are displayed before it is opened. */
const DIGITS = 8;

/**
 * Builds a hash of which the first digits are displayed, and the rest on demand.
 * @param {string} id
 * @param {string} name
 * @param {string} digits
 */
export function hash(id, name, digits) {
  return part(Hash, { id, name, digits, key: id });
}

/** @param {{ id: string, name: string, digits: string }} hash */
function Hash({ id, name, digits }) {
  const isWhole = useSignal(false);
  const whole = element("span", { id }, element("strong", {}, digits.slice(0, DIGITS)), digits.slice(DIGITS));
  const attributes = {
    type: "button",
    class: "action",
    id: `${id}-open`,
    "aria-expanded": String(isWhole.value),
    on: { click: () => (isWhole.value = !isWhole.value) },
  };
  return element(
    "div",
    { class: "hash-line" },
    element("span", {}, `${name}:`),
    element("p", { class: isWhole.value ? "hash" : "hash folded" }, whole),
    element("button", attributes, isWhole.value ? "first digits" : "in full"),
  );
}
