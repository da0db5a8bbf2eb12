// The way in with one click: a token in the address is exchanged for the key, once.

import { change } from "./api.js";
import { keep } from "./key.js";

const BEGINS = "#token=";

/** The path of the exchange, which the document of the API leaves out. */
const EXCHANGE = /** @type {any} */ ("/explore/key");

/** Exchanges the token of the address, if it has one; the address loses it at once. */
export async function enter() {
  const { hash } = location;
  if (!hash.startsWith(BEGINS)) {
    return;
  }
  history.replaceState(null, "", location.pathname + location.search);
  const token = hash.slice(BEGINS.length);
  try {
    const { api_key: key } = await change("POST", EXCHANGE, { body: { token } });
    keep(key);
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
}

/** @type {string | null} */
let problem = null;

/** Returns the reason that a token was not exchanged, until there is a key. */
export function entryProblem() {
  return problem;
}
