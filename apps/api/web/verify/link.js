// The address of /verify that carries a proof and the keys by which it is to be checked. What follows `#` is never sent.

import { forAddress, fromAddress } from "./bytes.js";

/** @import { Bytes } from "./bytes.js" */
/**
 * @typedef {object} Carried
 * @property {Bytes | null} proof
 * @property {string} log
 * @property {string[]} witnesses
 * @property {string} start Empty for the start that the file states.
 * @property {string} quorum
 * @property {Bytes[]} tokens
 * @property {boolean} bundled True if the public timestamp authorities whose certificates ship with the page are a voice.
 */

/**
 * Writes the part of an address after its path.
 * @param {Partial<Carried>} carried
 */
export function writeLink({ proof, log, witnesses = [], start, quorum, tokens = [], bundled }) {
  const fields = new URLSearchParams();
  const add = (/** @type {string} */ name, /** @type {string | undefined} */ value) =>
    value && fields.append(name, value);
  add("log", log);
  witnesses.forEach((witness) => add("witness", witness));
  add("authority", bundled ? "bundled" : undefined);
  add("quorum", quorum);
  add("start", start);
  tokens.forEach((token) => add("token", forAddress(token)));
  add("proof", proof ? forAddress(proof) : undefined);
  return `#${fields}`;
}

/**
 * Reads what an address carries, after `#` or after `?`.
 * @param {{ search: string, hash: string }} address
 * @returns {Carried}
 */
export function readLink({ search, hash }) {
  const fields = new URLSearchParams(`${search.slice(1)}&${hash.slice(1)}`);
  const bytes = fields.getAll("token").map(fromAddress);
  return {
    proof: fromAddress(fields.get("proof") ?? "*"),
    log: fields.get("log") ?? "",
    witnesses: fields.getAll("witness"),
    start: fields.get("start") ?? "",
    quorum: fields.get("quorum") ?? "",
    tokens: bytes.filter((token) => token !== null),
    bundled: fields.get("authority") === "bundled",
  };
}
