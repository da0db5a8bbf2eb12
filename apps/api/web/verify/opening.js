// The opening of a forecast: the leaf of the log, the salt, and the payload that the leaf commits to.

import { decoded, hex, sha, textOf, unhex, utf8 } from "./bytes.js";
import { demand } from "./refusal.js";

/** @import { Bytes } from "./bytes.js" */
/**
 * The game of a leaf.
 * @typedef {object} Game
 * @property {string} sport
 * @property {string} market
 * @property {string} season
 * @property {string} date
 * @property {string | null} time Eastern; null if the game has none.
 * @property {string} away
 * @property {string} home
 * @property {string | null} number
 */
/** @typedef {{ leaf: Bytes, game: Game, payload: string }} Opening */

const ENTRY = new RegExp(
  "^sports-record/v1 forecast\\n([a-z0-9_]+) ([a-z0-9_]+) ([0-9]{4}(?:-[0-9]{2})?) [1-9][0-9]*\\n" +
    "([0-9]{4}-[0-9]{2}-[0-9]{2}) (-|[0-9]{2}:[0-9]{2}:[0-9]{2}) ([a-z0-9_]+) ([a-z0-9_]+)" +
    "(?: #([1-9][0-9]*))?\\nsha256:([0-9a-f]{64})\\n$",
);
const LONGEST_LEAF = 65_535;

/**
 * Reads an object of exactly three strings; null for anything else, or a name twice.
 * @param {string} json
 */
function readObject(json) {
  // eslint-disable-next-line no-control-regex -- a string of JSON has none of them
  const token = /[ \t\n\r]*([{}:,]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")[ \t\n\r]*/y;
  const form = "{s:s,s:s,s:s}";
  /** @type {string[]} */
  const strings = [];
  for (const expected of form) {
    const match = token.exec(json);
    if (match === null || (match[1][0] === '"' ? "s" : match[1]) !== expected) {
      return null;
    }
    if (expected === "s") {
      strings.push(JSON.parse(match[1]));
    }
  }
  const isWhole = token.lastIndex === json.length && strings.every((text) => !/\p{Surrogate}/u.test(text));
  const fields = new Map([0, 2, 4].map((at) => [strings[at], strings[at + 1]]));
  return isWhole && fields.size === 3 ? fields : null;
}

/**
 * Checks that the payload of an opening is what its leaf commits to, and of the leaf's game and market.
 * @param {string} extra
 * @returns {Promise<Opening>}
 */
export async function checkOpening(extra) {
  const json = textOf(decoded(extra) ?? new Uint8Array([0xff]));
  const fields = json === null ? null : readObject(json);
  const [entry, salt, payload] = ["entry", "salt", "payload"].map((name) => fields?.get(name));
  const isOpening = entry !== undefined && payload !== undefined && salt !== undefined && /^[0-9a-f]{64}$/.test(salt);
  const form = "`extra` is not the base64 of an object of exactly the three strings `entry`, `salt` and `payload`";
  demand(isOpening, form);
  const match = ENTRY.exec(entry);
  demand(match && utf8(entry).length <= LONGEST_LEAF, "the entry is not the leaf of a forecast");
  const [sport, market, season, date, time, away, home, number, commitment] = match.slice(1);
  const found = await sha(utf8("sports-forecast/v1\n"), unhex(salt), utf8(payload));
  demand(hex(found) === commitment, "salt and payload do not give the commitment of the leaf");
  const start =
    `{"form":"sports-forecast/v1","sport":"${sport}","model_type":"${market}","season":"${season}",` +
    `"date":"${date}","time_est":${time === "-" ? "null" : `"${time}"`},"away_team":"${away}",` +
    `"home_team":"${home}"${number === undefined ? "" : `,"game_number":${number}`},"release_id":"`;
  demand(payload.startsWith(start), "the payload is not one of the game and the market of the leaf");
  // eslint-disable-next-line no-control-regex -- the payload may have none of them
  demand(!/[\u0000-\u001f\u0080-\u009f]/.test(payload), "the payload has a control character");
  const game = { sport, market, season, date, time: time === "-" ? null : time, away, home, number: number ?? null };
  return { leaf: utf8(entry), game, payload };
}

/**
 * What a payload states, its numbers as they are written.
 * @typedef {object} Forecast
 * @property {Map<string, string>} stated Release, time and clock.
 * @property {Map<string, string>} lines
 * @property {Map<string, string>} probabilities
 */

const NUMBER = "-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?";
const NUMBERS = `\\{(?:"[^"\\\\]+":${NUMBER}(?:,"[^"\\\\]+":${NUMBER})*)?\\}`;
const FORECAST = new RegExp(
  `"release_id":"([^"\\\\]*)","published_at":"([^"\\\\]*)","clock":"([^"\\\\]*)",` +
    `"lines":(${NUMBERS}),"probabilities":(${NUMBERS})\\}$`,
);

/**
 * Reads the payload of an opening that holds; null if it is of another form than sports-forecast/v1 has, or names a number
 * twice.
 * @param {string} payload
 * @returns {Forecast | null}
 */
export function readForecast(payload) {
  const match = FORECAST.exec(payload);
  // What stands before the release is what the leaf states.
  if (match === null || payload.indexOf('"release_id":"') !== match.index) {
    return null;
  }
  const [release, published, clock, ...objects] = match.slice(1);
  const [lines, probabilities] = objects.map((object) => {
    const pairs = [...object.matchAll(new RegExp(`"([^"]+)":(${NUMBER})`, "g"))];
    const numbers = new Map(pairs.map(([, name, number]) => [name, number]));
    return numbers.size === pairs.length ? numbers : null;
  });
  const stated = new Map([
    ["release_id", release],
    ["published_at", published],
    ["clock", clock],
  ]);
  return lines && probabilities && { stated, lines, probabilities };
}
