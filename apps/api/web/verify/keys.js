// The keys of logs and witnesses, and signatures of Ed25519.

import { decoded, hex, same, sha, utf8 } from "./bytes.js";
import { demand } from "./refusal.js";

/** @import { Bytes } from "./bytes.js" */
/**
 * @typedef {object} Key
 * @property {string} name
 * @property {Bytes} id
 * @property {Bytes | null} key Null for a key of ML-DSA-44, which is not verified here.
 * @property {string} vkey
 */

/** A name as a part of a regular expression. */
export const NAME = "[^\\x00- +\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+";

/** The types of keys. */
export const [LOG, WITNESS] = [1, 4];
const ML_DSA_WITNESS = { type: 6, length: 1313 };

const CURVE = (1n << 255n) - 19n;
// The coordinates of the points of order 8, under which anybody can sign.
const ORDER_8 = [
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
];

/**
 * Reads a vkey of a log or a witness; without its key one of ML-DSA-44.
 * @param {string} text
 * @param {number} type
 * @returns {Promise<Key>}
 */
export async function readKey(text, type) {
  const [name, stated, ...rest] = text.split("+");
  const key = decoded(rest.join("+"));
  const isForm = new RegExp(`^${NAME}$`, "u").test(name);
  demand(isForm && key !== null && key.length > 0, "a vkey is NAME+ID+KEY, with a key in base64", 2);
  const id = (await sha(utf8(name + "\n"), key)).slice(0, 4);
  demand(stated === hex(id), `the id of ${name} does not match its key`, 2);
  if (type === WITNESS && key[0] === ML_DSA_WITNESS.type && key.length === ML_DSA_WITNESS.length) {
    return { name, id, key: null, vkey: text };
  }
  const isKind = key.length === 33 && key[0] === type;
  demand(isKind, `the key of ${name} is not one of Ed25519 of type ${type}`, 2);
  const y = BigInt("0x" + hex(key.slice(1).reverse())) & ((1n << 255n) - 1n);
  const isWeak = y <= 1n || y >= CURVE - 1n || ORDER_8.includes(y);
  demand(!isWeak, `the key of ${name} is not one that can be trusted`, 2);
  return { name, id, key: key.slice(1), vkey: text };
}

/** @param {string} vkey */
export const publicKeyOf = (vkey) => vkey.split("+").slice(2).join("+");

/**
 * Returns whether a line of a signature is of a key.
 * @param {Key} key
 * @param {{ name: string, data: Uint8Array }} line
 */
export const isOf = (key, { name, data }) => key.name === name && same(key.id, data.slice(0, 4));

/**
 * @param {Bytes} key
 * @param {Bytes} message
 * @param {Bytes} signature
 */
export async function verifies(key, message, signature) {
  let usable;
  try {
    usable = await crypto.subtle.importKey("raw", key, { name: "Ed25519" }, false, ["verify"]);
  } catch (error) {
    const isUnknown = error instanceof Error && error.name === "NotSupportedError";
    demand(!isUnknown, "this browser has no Ed25519: use verify.py or sportsctl", 2);
    return false;
  }
  return crypto.subtle.verify({ name: "Ed25519" }, usable, signature, message);
}
