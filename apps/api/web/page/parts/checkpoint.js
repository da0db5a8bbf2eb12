// The newest signed checkpoint of a league, and who received it when.

import { file, get } from "../api.js";
import { element } from "../dom.js";
import { count, instant } from "../format.js";
import { table } from "./table.js";

/** @import { Answer } from "../api.js" */
/** @typedef {Answer<"/api/v1/record/{sport}/checkpoints">["checkpoints"][number]} Checkpoint */

/**
 * Requests the newest checkpoint; null if none is signed.
 * @param {string} sport
 * @param {AbortSignal} signal
 * @returns {Promise<Checkpoint | null>}
 */
export async function newestCheckpoint(sport, signal) {
  const listed = (/** @type {string | number} */ from) =>
    get("/api/v1/record/{sport}/checkpoints", { path: { sport }, query: { from_size: from, limit: 1 }, signal });
  const first = await listed(1);
  if (first.next_size === null) {
    return first.checkpoints[0] ?? null;
  }
  const note = await file("/api/v1/record/{sport}/checkpoint", { path: { sport }, signal });
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
      empty: "No witness has cosigned it yet, so nobody but the publisher states its time.",
    }),
    timestamps.length > 0 && element("p", {}, `Timestamp servers attested it, too: ${count(timestamps.length)}.`),
  ];
}
