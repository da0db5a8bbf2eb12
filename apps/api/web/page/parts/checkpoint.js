// The newest signed checkpoint of a league, and who received it when.

import { file, get } from "../api.js";
import { element } from "../dom.js";
import { count, instant } from "../format.js";
import { table } from "./table.js";

/** @import { Answer } from "../api.js" */
/** @typedef {Answer<"/api/v1/record/{sport}/checkpoints">["checkpoints"][number]} Checkpoint */

/**
 * Requests the newest checkpoint of a league; null if none is signed. A record that began anew has a path of its own.
 * @param {string} sport
 * @param {AbortSignal} signal
 * @returns {Promise<Checkpoint | null>}
 */
export async function newestCheckpoint(sport, signal) {
  const { keys } = await get("/api/v1/record/keys", { signal });
  const paths = new Set(keys.filter((key) => key.sport === sport).map(({ path }) => path));
  const numberOf = (/** @type {string} */ path) => Number(path.split("/").at(-2)) || 1;
  for (const path of [...paths].sort((a, b) => numberOf(b) - numberOf(a))) {
    const newest = await newestAt(path, signal);
    if (newest !== null) {
      return newest;
    }
  }
  return null;
}

/**
 * Requests the newest checkpoint of the record at a path.
 * @param {string} path
 * @param {AbortSignal} signal
 * @returns {Promise<Checkpoint | null>}
 */
async function newestAt(path, signal) {
  const list = /** @type {"/api/v1/record/{sport}/checkpoints"} */ (`${path}/checkpoints`);
  const listed = (/** @type {string | number} */ from) => get(list, { query: { from_size: from, limit: 1 }, signal });
  const first = await listed(1);
  if (first.next_size === null) {
    return first.checkpoints[0] ?? null;
  }
  const note = await file(/** @type {"/api/v1/record/{sport}/checkpoint"} */ (`${path}/checkpoint`), { signal });
  const [, size] = (await note.text()).split("\n");
  return (await listed(size)).checkpoints[0] ?? null;
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
    element("p", { class: "hash", id: "checkpoint-root" }, element("code", {}, root)),
    element("p", {}, `The root of ${count(size)} leaves${entry}, signed by the publisher.`),
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
