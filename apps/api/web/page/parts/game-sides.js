// Both sides of a game: their prices with value, and what became of the model's pick and bet.

import { rounded } from "../course.js";
import { element } from "../dom.js";
import { PRICES, expectedValue, gradeOf, taken } from "../followed.js";
import { gain, price, share } from "../format.js";
import { lastName, standingName } from "../game.js";
import { entryOf } from "../models.js";
import { POSTED, capitalised, modelName, sides } from "../words.js";
import { named } from "./marks.js";

/** @import { Child } from "../dom.js" */
/** @import { Of, Grade, Taken } from "../followed.js" */
/** @import { Maybe } from "../format.js" */
/** @import { Game } from "../game.js" */
/** @import { Market } from "../words.js" */
/** @import { Figure } from "./marks.js" */
/** @typedef {Record<string, Maybe>} Lines */
/** @type {[Of, string][]} */
const FOLLOWED = [
  ["picks", "pick"],
  ["bets", "bet"],
];

/**
 * Builds the pick and the bet of a model, each with its grade.
 * @param {Game} game
 * @param {Market} market
 * @param {string} model
 */
export function followedOf(game, market, model) {
  const name = modelName(model);
  return element(
    "dl",
    { class: "followed" },
    FOLLOWED.map(([of, word]) => {
      const { side, grade, words } = resultOf(of, game, market, model);
      const figures = {
        class: "followed-one",
        "data-game": game.id,
        "data-model": model,
        "data-of": of,
        "data-side": side ?? "none",
        "data-grade": game.state === "final" ? grade : null,
      };
      const said = element("dd", {}, words, " ", chipOf(grade));
      return element("div", figures, element("dt", {}, `${name}'s ${word}`), said);
    }),
  );
}

/** @type {Record<Grade, string>} */
const TONES = { won: "fresh", lost: "stale", pushed: "note", none: "note" };

/**
 * Returns what a model takes of a game, its grade, and both in words.
 * @param {Of} of
 * @param {Game} game
 * @param {Market} market
 * @param {string} model
 */
function resultOf(of, game, market, model) {
  const { standing, row } = game;
  const lines = standing?.lines ?? {};
  const found = taken(of, market, {
    probability: entryOf(standing?.models, model),
    prices: PRICES[market].map((field) => lines[field]),
  });
  const { side } = found;
  const grade = row ? gradeOf(side, market, row) : /** @type {Grade} */ ("none");
  return { side, grade, words: side === null ? noneOf(of, found) : sideWords(game, market, side, found) };
}

/**
 * @param {Game} game
 * @param {Market} market
 * @param {string} side
 * @param {Taken} found
 * @returns {Child[]}
 */
function sideWords(game, market, side, { value }) {
  const at = game.standing?.lines[PRICES[market][sides(market).indexOf(side)]];
  const words = [at && `at ${price(at)}`, typeof value === "number" && `value ${gain(value)}`]
    .filter(Boolean)
    .join(", ");
  return [
    element("strong", { class: "side" }, sideOf(game, market, side, game.standing?.lines ?? {})),
    words && ` ${words}`,
  ];
}

/**
 * @param {Of} of
 * @param {Taken} found
 * @returns {Child[]}
 */
function noneOf(of, { reason, value }) {
  const best = of === "bets" && reason === "no bet" && typeof value === "number" ? ` (${gain(value)} at best)` : "";
  return [`${reason}${best}`];
}

/**
 * Returns a side in words: a team with its spread, or over and the total.
 * @param {Game} game
 * @param {Market} market
 * @param {string} side
 * @param {Lines} lines
 */
export function sideOf(game, market, side, lines) {
  const own = lineOf(market, side, lines);
  if (market === "over_under") {
    return `${capitalised(side)}${own && ` ${own}`}`;
  }
  const team = side === "home" ? game.home : game.away;
  return market === "won_on_spread" && own ? `${team} ${own}` : team;
}

/**
 * Returns the line of a side as text; empty without one.
 * @param {Market} market
 * @param {string} side
 * @param {Lines} lines
 */
function lineOf(market, side, lines) {
  const field = market === "over_under" ? "over_under" : `${side}_point_spread`;
  const line = POSTED[market].find((posted) => posted.field === field);
  return line && typeof lines[field] === "number" ? line.write(lines[field]) : "";
}

/**
 * Builds a card for each side: its probabilities, and its prices with their values.
 * @param {Game} game
 * @param {Market} market
 * @param {string} model
 * @param {Lines | null} last The lines now, or the close.
 */
export function sideCards(game, market, model, last) {
  // The away team comes first, as in the game's name.
  const order = market === "over_under" ? sides(market) : sides(market).toReversed();
  return element(
    "div",
    { class: "side-cards" },
    order.map((side) => cardOf(side, game, market, model, last)),
  );
}

/**
 * @param {string} side
 * @param {Game} game
 * @param {Market} market
 * @param {string} model
 * @param {Lines | null} last
 */
function cardOf(side, game, market, model, last) {
  const { id, standing, row, state } = game;
  const grade = row ? gradeOf(side, market, row) : "none";
  const chances = [model, "IMPLIED"].map((name) => chanceOf(entryOf(standing?.models, name), side, market));
  const shown = standing && lineOf(market, side, standing.lines) ? standing.lines : (last ?? {});
  const words = [model, "IMPLIED"].flatMap((name, index) => {
    const value = chances[index];
    return value === null
      ? []
      : [entry(name === model ? modelName(model) : "Book", share(value), { value, game: id, model: name })];
  });
  return element(
    "article",
    { class: "side-card", "data-game": id, "data-side": side, "data-grade": state === "final" ? grade : null },
    element("h3", {}, sideOf(game, market, side, shown), " ", chipOf(grade)),
    element(
      "dl",
      {},
      words,
      offersOf(side, game, market, last).map(({ name, at, isOfSide }) => {
        const value = isOfSide ? valueOf(chances[0], at) : null;
        const worth = value !== null && [element("small", {}, "value "), gain(value)];
        return entry(name, price(at), { value: at, game: id }, worth, { value, game: id, model });
      }),
    ),
  );
}

/**
 * Returns the prices of a side. A price of another line than the forecast's is not that of the model's probability.
 * @param {string} side
 * @param {Game} game
 * @param {Market} market
 * @param {Lines | null} last
 * @returns {{ name: string, at: Maybe, isOfSide: boolean }[]}
 */
function offersOf(side, game, market, last) {
  const { standing } = game;
  const field = PRICES[market][sides(market).indexOf(side)];
  const offers = standing ? [{ name: standingName(game), at: standing.lines[field], isOfSide: true }] : [];
  if (!last) {
    return offers;
  }
  const line = lineOf(market, side, last);
  const isOfSide = line === lineOf(market, side, standing?.lines ?? {});
  const name = lastName(game);
  return [...offers, { name: isOfSide || !line ? name : `${name}, ${line}`, at: last[field], isOfSide }];
}

/**
 * Returns the probability of a side.
 * @param {Maybe} probability That of the positive side.
 * @param {string} side
 * @param {Market} market
 */
function chanceOf(probability, side, market) {
  if (typeof probability !== "number") {
    return null;
  }
  return side === sides(market)[0] ? probability : rounded(1 - probability);
}

/**
 * Returns the expected value of one unit; null without a probability or a price.
 * @param {number | null} chance
 * @param {Maybe} at
 */
function valueOf(chance, at) {
  return chance === null || !at ? null : rounded(expectedValue(chance, at));
}

/**
 * @param {string} name
 * @param {string} text
 * @param {Figure} figure
 * @param {Child[] | false} [more] What else belongs to the entry.
 * @param {Figure} [figureOfMore]
 */
function entry(name, text, figure, more = false, figureOfMore = { value: null }) {
  return element(
    "div",
    {},
    element("dt", {}, name),
    element("dd", named(figure), text),
    more && element("dd", named(figureOfMore), more),
  );
}

/** @param {Grade} grade */
function chipOf(grade) {
  return grade !== "none" && element("span", { class: "chip", "data-tone": TONES[grade] }, grade);
}
