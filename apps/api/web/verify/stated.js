// What the file of a proof states, as tables.

import { element } from "./elements.js";
import { readForecast } from "./opening.js";
import { easternInWords, easternStart, readStart } from "./start.js";
import { marketNamed, named, teamNamed } from "./words.js";

/** @import { Proof } from "./proof.js" */

/**
 * Builds a row for each statement of a file, with the one who vouches for it.
 * @param {Proof} proof
 * @param {boolean} isSigned True if the signature of the log holds.
 */
export function factsOf({ game, payload, index, checkpoint }, isSigned) {
  const stated = readForecast(payload)?.stated;
  const log = isSigned ? "The log, by its signature" : "Nobody yet: the file’s own words";
  const words = isSigned ? "The publisher’s own words, which the log signed" : log;
  const start = game.time && easternStart(game.date, game.time);
  const match = `${teamNamed(game.away)} at ${teamNamed(game.home)}${game.number === null ? "" : `, game ${game.number}`}`;
  const clock = stated?.get("clock") === "set" ? ", set by hand, as in a simulation" : "";
  /** @type {[string, string, string, string][]} */
  const facts = [
    ["league", "League", game.sport.toUpperCase(), log],
    ["market", "Market", marketNamed(game.market), log],
    ["season", "Season", game.season, log],
    ["game", "Game", match, log],
    ["start", "Start", start ? easternInWords(readStart(start)) : `${game.date}, without a time`, words],
    ["published", "Published", stated?.get("published_at") ?? "–", `${words}: a clock of the publisher${clock}`],
    ["origin", "Log", checkpoint.origin, isSigned ? "The key of the log that was given" : log],
    ["place", "Place", `Leaf ${index} of ${checkpoint.size}`, "Hashes, computed on this page"],
  ];
  return facts.map(([id, name, value, voucher]) =>
    element(
      "tr",
      { id: `stated-${id}` },
      element("th", { scope: "row" }, name),
      element("td", {}, value),
      element("td", { class: "vouched" }, voucher),
    ),
  );
}

/**
 * Builds the tables of a forecast, its numbers as they are written.
 * @param {string} payload
 */
export function forecastTable(payload) {
  const forecast = readForecast(payload);
  if (forecast === null) {
    return element("p", {}, "It is not in the form that this page knows; below it is as it was committed.");
  }
  const { lines, probabilities } = forecast;
  const rows = (/** @type {Map<string, string>} */ numbers, /** @type {(name: string) => string} */ write) =>
    [...numbers].map(([name, number]) =>
      element("tr", {}, element("th", { scope: "row" }, write(name)), element("td", { class: "number" }, number)),
    );
  const part = (/** @type {string} */ head, /** @type {string} */ of, /** @type {HTMLElement[]} */ body) =>
    body.length > 0 &&
    element(
      "table",
      {},
      element("caption", {}, head),
      element(
        "thead",
        {},
        element("tr", {}, element("th", { scope: "col" }, of), element("th", { scope: "col" }, "Stated")),
      ),
      element("tbody", {}, body),
    );
  return element(
    "div",
    {},
    part("Probabilities (home team, or over)", "Model", rows(probabilities, String)),
    part("Lines and prices then", "Line", rows(lines, named)),
  );
}
