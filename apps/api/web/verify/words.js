// The words of a verdict, for people.

import { lasting } from "./start.js";

/** @import { Report } from "./verdict.js" */

/**
 * The likely cause of a refusal, by its sentence.
 * @type {[RegExp, string][]}
 */
const CAUSES = [
  [/the file is empty/, "There is nothing in it: get the proof again."],
  [/does not begin with/, "This is another kind of file, or the answer of a server that refused: get the proof again."],
  [
    /blank line|second line|third line|three lines|another length|line of the path|`extra`|not UTF-8|malformed/,
    "The file is no whole proof: it was cut off or altered. Get it again.",
  ],
  [/salt and payload|of the game and the market/, "The forecast in the file is not the one that the log committed to."],
  [/path leads|has no leaf/, "The file was altered: its hashes do not lead to the tree that is signed."],
  [/is one of .*, not of/, "The key is that of another log: take the key of this league’s log."],
  [
    /the signature of/,
    "The file was altered after it was signed, or the key is another than the one under the same name that signed it.",
  ],
  [/of another game/, "It may hold, and says nothing about this game."],
  [/states no key/, "The list of keys of this server is not that of the log."],
  [
    /is not signed by/,
    "Another key signed it: the publisher may have changed keys. Take the one that was in use then.",
  ],
];

/**
 * Returns the headline of a report.
 * @param {Report} report
 */
export function headlineOf({ code, start, by }) {
  if (code === 0 && start !== null && by !== null) {
    return `Proven: ${lasting(start - by)} before the start`;
  }
  const others = [
    "Proven",
    "Not proven",
    "Something that was given cannot be used",
    "Logged, without proof of the time",
  ];
  return others[code];
}

/**
 * Returns what the reader may conclude from a report, or do next.
 * @param {Report} report
 * @param {{ hasVoices: boolean, isByAddress: boolean }} given True if a witness or an authority was named; and if keys came with
 *   the address of the page.
 */
export function meaningOf({ code, sentence }, { hasVoices, isByAddress }) {
  if (code === 0) {
    const where = isByAddress ? ", which came with the address of this page: compare them" : "";
    return `The log signed a tree with this forecast, and those who vouch for the time had that tree before the start. This is worth as much as your trust in these keys${where}.`;
  }
  if (code === 3) {
    return hasVoices
      ? "The log signed this forecast, but those whose keys were given do not state that it was there before the start."
      : "The log signed this forecast, but a log can sign after a game, too: only a witness or a timestamp authority that you trust can state when it was there.";
  }
  const cause = CAUSES.find(([of]) => of.test(sentence));
  return code === 1 ? (cause?.[1] ?? "Something in the file does not hold.") : "Correct it, and the check runs again.";
}

/** @type {Record<string, string>} */
const MARKETS = { over_under: "Total", won_on_points: "Moneyline", won_on_spread: "Spread" };

/**
 * Writes the code of a market for people.
 * @param {string} code
 */
export const marketNamed = (code) => MARKETS[code] ?? named(code);

/**
 * Writes a code for people: `home_money_line` is `Home money line`.
 * @param {string} code
 */
export function named(code) {
  const text = code.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Writes the code of a team for people: `pittsburgh_steelers` is `Pittsburgh Steelers`.
 * @param {string} code
 */
export const teamNamed = (code) => code.split("_").map(named).join(" ");
