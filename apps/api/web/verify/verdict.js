// The verdict on a proof: who had its checkpoint when, and whether that was before the start.

import { Refused, demand } from "./refusal.js";
import { LOG, WITNESS, publicKeyOf, readKey } from "./keys.js";
import { checkSignatures, readProof } from "./proof.js";
import { readStart, written } from "./start.js";
import { timestamps } from "./tokens.js";
import { words } from "./bytes.js";

/** @import { Bytes } from "./bytes.js" */
/** @import { Heard, Proof } from "./proof.js" */
/** @import { Library } from "./tokens.js" */
/** @typedef {{ name: string, bytes: Bytes }} File */
/**
 * @typedef {object} Asked
 * @property {Bytes} proof
 * @property {string} log A vkey.
 * @property {string} start An instant by RFC 3339.
 * @property {string} witnesses Vkeys.
 * @property {string} quorum A number; all voices if it is empty.
 * @property {File[]} tokens
 * @property {File[]} authorities
 */
/** @typedef {"proven" | "logged" | "not_proven"} Verdict */
/**
 * @typedef {object} Voice
 * @property {string} name
 * @property {"witness" | "authority"} kind
 * @property {bigint} time The first second that it states.
 */
/**
 * @typedef {object} Report
 * @property {0 | 1 | 2 | 3} code That of `sportsctl record check`.
 * @property {Verdict | null} verdict Null for bad input.
 * @property {string} sentence
 * @property {string[]} notes
 * @property {Proof | null} proof
 * @property {Voice[]} voices The earliest first.
 * @property {bigint | null} start
 * @property {bigint | null} by The second by which the quorum had the proof's tree; null without a quorum before the start.
 */

/**
 * Checks a proof by the keys, the start and the voices that a person gives.
 * @param {Asked} asked
 * @param {() => Promise<Library>} library Loads the library for timestamps, which is large; most proofs have none.
 * @returns {Promise<Report>}
 */
export async function check(asked, library) {
  try {
    demand(globalThis.crypto?.subtle, "this page needs to be opened from disk or by https", 2);
    const hasStamps = asked.tokens.length + asked.authorities.length > 0;
    return await report(asked, hasStamps ? timestamps(await library()) : null);
  } catch (error) {
    if (!(error instanceof Refused)) {
      throw error;
    }
    return refusal(error);
  }
}

/**
 * @param {Refused} error
 * @returns {Report}
 */
export function refusal({ code, message }) {
  const verdict = code === 1 ? "not_proven" : null;
  const sentence = `${verdict ?? "bad_input"}: ${message}`;
  return { code, verdict, sentence, notes: [], proof: null, voices: [], start: null, by: null };
}

/**
 * @param {Asked} asked
 * @param {ReturnType<typeof timestamps> | null} stamps
 * @returns {Promise<Report>}
 */
async function report(asked, stamps) {
  const log = await readKey(words(asked.log).join(" "), LOG);
  const witnesses = await Promise.all(words(asked.witnesses).map((text) => readKey(text, WITNESS)));
  const authorities = stamps ? asked.authorities.map(stamps.readAuthority) : [];
  const names = [...witnesses, ...authorities].map(({ name }) => name);
  const isOnce = new Set(witnesses.map(({ vkey }) => publicKeyOf(vkey))).size === witnesses.length;
  demand(isOnce, "a witness is named twice: one is one voice", 2);
  const needed = readQuorum(asked.quorum.trim(), names.length);
  const isComplete = authorities.length > 0 || asked.tokens.length === 0;
  demand(isComplete, "a timestamp needs the certificate of its authority", 2);
  const start = readStart(asked.start);
  const proof = await readProof(asked.proof);
  const cosigned = await checkSignatures(proof.checkpoint, log, witnesses);
  const { stamped, notes } = stamps
    ? await stamps.hearTokens(asked.tokens, authorities, proof.checkpoint.text)
    : { stamped: [], notes: [] };
  const heard = [...cosigned, ...stamped.map(({ time, place }) => ({ time, place: witnesses.length + place }))];
  const voices = firstWords(heard).map(({ time, place }) => ({
    name: names[place],
    kind: /** @type {Voice["kind"]} */ (place < witnesses.length ? "witness" : "authority"),
    time,
  }));
  const judged = judge(voices, names.length, needed, start);
  const silent = witnesses
    .filter(({ key }) => key === null)
    .map(({ name }) => `not heard: ${name} has a key of ML-DSA-44, which sportsctl verifies`);
  return { ...judged, notes: [...judged.notes, ...silent, ...notes], proof, voices, start };
}

/**
 * Returns the number of voices that have to agree.
 * @param {string} text
 * @param {number} named
 */
function readQuorum(text, named) {
  demand(/^[0-9]*$/.test(text), "the quorum is a number, or empty", 2);
  const needed = text === "" ? Math.max(named, 1) : Number(text);
  demand(needed > 0, "a quorum of 0 would prove anything: type 1 or more", 2);
  const above = `a quorum of ${needed} is above the ${named} that are named: name more, or type a smaller number`;
  demand(needed <= named || text === "", above, 2);
  return needed;
}

/**
 * Returns what each voice stated first, the earliest first.
 * @param {Heard[]} heard
 */
function firstWords(heard) {
  /** @type {Map<number, bigint>} */
  const first = new Map();
  for (const { time, place } of heard) {
    const known = first.get(place);
    first.set(place, known !== undefined && known < time ? known : time);
  }
  const all = [...first].map(([place, time]) => ({ place, time }));
  return all.sort((a, b) => Number(a.time - b.time) || a.place - b.place);
}

/** @param {Voice} voice */
function says({ name, kind, time }) {
  return `${name} ${kind === "witness" ? "received the checkpoint at" : "stamped the checkpoint by"} ${written(time)}`;
}

/**
 * Returns the verdict on what the voices state.
 * @param {Voice[]} voices
 * @param {number} named
 * @param {number} needed
 * @param {bigint} start
 * @returns {Pick<Report, "code" | "verdict" | "sentence" | "notes" | "by">}
 */
function judge(voices, named, needed, start) {
  const before = voices.filter(({ time }) => time < start);
  const sayings = `${before.map(says).join(", ")}, before ${written(start)}`;
  if (before.length >= needed) {
    const late = voices.filter(({ time }) => time >= start);
    const notes = late.map((voice) => `contradiction: ${says(voice)}, not before the start`);
    return { code: 0, verdict: "proven", sentence: `proven: ${sayings}`, notes, by: before[needed - 1].time };
  }
  const none = `no known witness received the checkpoint before ${written(start)}`;
  const few = `${before.length} of ${named} are no quorum: ${sayings}`;
  const sentence = `logged: ${before.length > 0 ? few : none}`;
  return { code: 3, verdict: "logged", sentence, notes: [], by: null };
}
