// The file of a proof: its lines, the path to the root, and the signatures of its checkpoint.

import { decoded, hex, joined, same, sha, textOf, utf8 } from "./bytes.js";
import { NAME, isOf, verifies } from "./keys.js";
import { checkOpening } from "./opening.js";
import { demand } from "./refusal.js";

/** @import { Bytes } from "./bytes.js" */
/** @import { Key } from "./keys.js" */
/** @import { Opening } from "./opening.js" */
/**
 * A signed checkpoint, whose signatures are not verified.
 * @typedef {object} Checkpoint
 * @property {string} origin
 * @property {bigint} size
 * @property {Bytes} root
 * @property {Bytes} text The three lines that are signed.
 * @property {string[]} signatures
 */
/** @typedef {Opening & { index: bigint, path: Bytes[], checkpoint: Checkpoint }} Proof */
/** @typedef {{ time: bigint, place: number }} Heard The second that a voice states, and its place in the list. */

/** The length of the longest proof that is read, in bytes. */
export const LIMIT = 1 << 20;
const PATH_LIMIT = 64;
const OTHER_LINES = 16;
const LARGEST = (1n << 63n) - 1n;
const NUMBER = /^(?:0|[1-9][0-9]{0,18})$/;
const LINE = new RegExp(`^\u2014 (${NAME}) ([^ ]+)$`, "u");

/** @param {string} digits */
const isNumber = (digits) => NUMBER.test(digits) && BigInt(digits) <= LARGEST;

/**
 * Reads a proof. Its opening and its path hold then; nothing is signed yet.
 * @param {Bytes} bytes
 * @returns {Promise<Proof>}
 */
export async function readProof(bytes) {
  demand(bytes.length <= LIMIT, "the proof is longer than 1 MiB");
  const text = textOf(bytes);
  demand(text !== null, "the proof is not UTF-8 text");
  const lines = text.split("\n");
  demand(text !== "", "the file is empty");
  demand(lines[0] === "c2sp.org/tlog-proof@v1", "the file does not begin with c2sp.org/tlog-proof@v1");
  const blank = lines.indexOf("", 3);
  demand(blank >= 0 && blank < lines.length - 1, "the blank line before the checkpoint is missing");
  demand(lines[1].startsWith("extra "), "the second line is not `extra` and base64");
  const opening = await checkOpening(lines[1].slice(6));
  const isIndex = lines[2].startsWith("index ") && isNumber(lines[2].slice(6));
  demand(isIndex, "the third line is not `index` and a number");
  demand(blank - 3 <= PATH_LIMIT, "the path has more than 64 lines");
  const path = lines.slice(3, blank).map(decoded);
  const areHashes = path.every((hash) => hash?.length === 32);
  demand(areHashes, "a line of the path is not a hash in base64");
  const proof = {
    ...opening,
    index: BigInt(lines[2].slice(6)),
    path: /** @type {Bytes[]} */ (path),
    checkpoint: readCheckpoint(lines.slice(blank + 1)),
  };
  await checkPath(proof);
  return proof;
}

/**
 * Reads the lines of a signed checkpoint.
 * @param {string[]} note
 * @returns {Checkpoint}
 */
export function readCheckpoint(note) {
  const form = "the signed checkpoint is not three lines, a blank line and lines of signatures";
  // eslint-disable-next-line no-control-regex -- the note may have none of them
  demand(!/[\u0000-\u0009\u000b-\u001f\u0080-\u009f]/.test(note.join("")), form);
  const [origin, size, rootText, separator, ...rest] = note;
  const isNote = separator === "" && rest.length > 1 && rest.at(-1) === "" && !rest.slice(0, -1).includes("");
  demand(isNote, form);
  const root = decoded(rootText);
  const isCheckpoint = new RegExp(`^${NAME}$`, "u").test(origin) && isNumber(size);
  demand(isCheckpoint && root?.length === 32, form);
  const text = utf8(`${origin}\n${size}\n${rootText}\n`);
  return { origin, size: BigInt(size), root, text, signatures: rest.slice(0, -1) };
}

/**
 * Follows the path from the leaf to the root, by RFC 9162, 2.1.3.2.
 * @param {Proof} proof
 */
async function checkPath({ leaf, index, path, checkpoint: { size, root } }) {
  demand(index < size, `the tree of ${size} leaves has no leaf ${index}`);
  let [node, last] = [index, size - 1n];
  let found = await sha([0], leaf);
  for (const sibling of path) {
    demand(last > 0n, "the path has another length than that of the leaf");
    const isRight = node % 2n === 1n || node === last;
    while (isRight && node > 0n && node % 2n === 0n) {
      [node, last] = [node / 2n, last / 2n];
    }
    found = await (isRight ? sha([1], sibling, found) : sha([1], found, sibling));
    [node, last] = [node / 2n, last / 2n];
  }
  demand(last === 0n, "the path has another length than that of the leaf");
  demand(same(found, root), "the path leads from the leaf to another root than the checkpoint's");
}

/**
 * Reads a line of a signature; its data is empty if it is malformed.
 * @param {string} line
 */
function readLine(line) {
  const match = LINE.exec(line);
  return { name: match?.[1] ?? "", data: (match && decoded(match[2])) ?? new Uint8Array() };
}

/**
 * Returns those of some keys that signed a checkpoint, by the names and ids of its lines alone.
 * @param {Checkpoint} checkpoint
 * @param {readonly Key[]} keys
 */
export function signersOf({ signatures }, keys) {
  const lines = signatures.map(readLine);
  return keys.filter((key) => lines.some((line) => line.data.length > 4 && isOf(key, line)));
}

/**
 * Returns time and place of each known witness that cosigned, among the lines that are read and with a time.
 * @param {Checkpoint} checkpoint
 * @param {Key} log
 * @param {readonly Key[]} witnesses
 */
export async function checkSignatures({ origin, text, signatures }, log, witnesses) {
  demand(origin === log.name, `the checkpoint is one of ${origin}, not of ${log.name}`);
  /** @type {Heard[]} */
  const cosigned = [];
  let [isSigned, others] = [false, 0];
  for (const { name, data } of signatures.map(readLine)) {
    if (data.length > 4 && isOf(log, { name, data })) {
      demand(!isSigned, `the checkpoint has two signatures of ${name}`);
      const holds = log.key !== null && (await verifies(log.key, text, data.slice(4)));
      demand(holds, `the signature of ${name} does not hold`);
      isSigned = true;
    } else if (others < OTHER_LINES) {
      others += 1;
      demand(data.length > 4, "a line of a signature is malformed");
      const place = witnesses.findIndex((key) => isOf(key, { name, data }));
      const key = witnesses[place]?.key;
      if (key) {
        const time = await timeOf(key, text, data);
        demand(time !== null, `the signature of ${name} does not hold`);
        // By C2SP, a time of 0 states nothing about time.
        if (time > 0n) {
          cosigned.push({ time, place });
        }
      }
    }
  }
  demand(isSigned, `the checkpoint is not signed by ${log.name}`);
  return cosigned;
}

/**
 * Returns the time of a cosignature; null if it does not hold.
 * @param {Bytes} key
 * @param {Bytes} text
 * @param {Bytes} data
 */
async function timeOf(key, text, data) {
  const time = BigInt("0x" + hex(data.slice(4, 12)).padStart(1, "0"));
  const message = joined(utf8(`cosignature/v1\ntime ${time}\n`), text);
  const isForm = data.length === 76 && time <= LARGEST;
  return isForm && (await verifies(key, message, data.slice(12))) ? time : null;
}
