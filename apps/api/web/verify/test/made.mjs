// A small log with a witness, made for the tests.

import { webcrypto as crypto } from "node:crypto";

import { hex, joined, sha, utf8 } from "../bytes.js";

export const base64 = (bytes) => Buffer.from(bytes).toString("base64");

/** Makes a key; type 1 is a log's, 4 a witness's. */
export async function makeKey(name, type) {
  const { publicKey, privateKey } = await crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"]);
  const key = joined([type], new Uint8Array(await crypto.subtle.exportKey("raw", publicKey)));
  const id = (await sha(utf8(`${name}\n`), key)).slice(0, 4);
  const sign = async (message) => new Uint8Array(await crypto.subtle.sign({ name: "Ed25519" }, privateKey, message));
  return { name, id, vkey: `${name}+${hex(id)}+${base64(key)}`, sign };
}

export const PAYLOAD =
  '{"form":"sports-forecast/v1","sport":"nfl","model_type":"won_on_points","season":"2023-24","date":"2024-01-06",' +
  '"time_est":"16:30:00","away_team":"pittsburgh_steelers","home_team":"baltimore_ravens",' +
  '"release_id":"2024-01-06.20240106T150000000Z.a54aac9ef36b","published_at":"2024-01-06T15:00:00.000Z","clock":"set",' +
  '"lines":{"home_money_line":130,"away_money_line":-155},"probabilities":{"BLEND":0.5661}}';
const SALT = "8f45592e4bc851941780012960144068a4a46510561759319f6766215cd78bd0";
const COMMITMENT = "b004fc89ae340b3c2956a1cc71e01d07ed93c8248de2e234a47c5d210d59b1c4";
const ENTRY =
  "sports-record/v1 forecast\nnfl won_on_points 2023-24 1\n2024-01-06 16:30:00 pittsburgh_steelers baltimore_ravens\n" +
  `sha256:${COMMITMENT}\n`;
const NO_HASH = "0".repeat(64);

/** The leaves of the vector in the design of the record. */
export const LEAVES = [`sports-record/v1 release\nnfl 1 2024-01-06T15:00:00.000Z set\nsha256:${NO_HASH}\n`, ENTRY].map(
  utf8,
);
export const ROOT = "EQAfTIqJjlg34NfvZmQ0X/C+bpzRq8eiiLfUM6hI/Zc=";
/** 2024-01-06T15:00:01Z. */
export const COSIGNED = 1_704_553_201n;

const LOG = await makeKey("example.com/api/v1/record/nfl", 1);
const WITNESS = await makeKey("witness.example.com/w1", 4);
export { LOG, WITNESS };

/** Makes the proof of the second leaf, signed by a log and cosigned at a time. */
export async function makeProof({ log = LOG, time = COSIGNED, payload = PAYLOAD } = {}) {
  const checkpoint = `${log.name}\n2\n${ROOT}\n`;
  const signature = joined(log.id, await log.sign(utf8(checkpoint)));
  const stamp = new Uint8Array(8);
  new DataView(stamp.buffer).setBigUint64(0, time);
  const cosigned = await WITNESS.sign(utf8(`cosignature/v1\ntime ${time}\n${checkpoint}`));
  const extra = JSON.stringify({ entry: ENTRY, salt: SALT, payload });
  return [
    "c2sp.org/tlog-proof@v1",
    `extra ${base64(utf8(extra))}`,
    "index 1",
    base64(await sha([0], LEAVES[0])),
    "",
    `${checkpoint}`,
    `\u2014 ${log.name} ${base64(signature)}`,
    `\u2014 ${WITNESS.name} ${base64(joined(WITNESS.id, stamp, cosigned))}`,
    "",
  ].join("\n");
}
