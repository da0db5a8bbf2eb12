// The games to come in which a model's side is worth most at the posted price.

import { easternTime, hasStarted, now } from "../clock.js";
import { element, svg } from "../dom.js";
import { taken } from "../followed.js";
import { day, gain, points, price, share, start } from "../format.js";
import { STANDARD_MODEL, entryOf } from "../models.js";
import { LEAGUE_NAMES, modelName } from "../words.js";
import { figure } from "./figure.js";
import { legendOf } from "./dumbbell.js";
import { mark, span } from "./marks.js";
import { placeOn } from "./svg.js";

/** @import { Answer } from "../api.js" */
/** @import { Address } from "../address.js" */
/** @import { Of } from "../followed.js" */
/** @import { Models } from "../models.js" */
/** @import { League } from "../words.js" */
/** @typedef {Answer<typeof PICKS>} Picks */
/** @typedef {{ sport: League, picks: Picks | null, league: Models }} Slate The free picks of a league. */
/**
 * @typedef {object} Valued
 * @property {League} sport
 * @property {Picks["games"][number]} game
 * @property {string} model
 * @property {import("./tones.js").Tone} tone
 * @property {"home" | "away"} side
 * @property {number} forecast The model's probability that the home team wins.
 * @property {number} book The book's.
 * @property {number} at The price of the side.
 * @property {number} value What one unit on the side gains on average.
 */

export const PICKS = "/api/v1/public/ml-picks/{sport}/{market}";

/** The market of the free picks. */
const MARKET = "won_on_points";

/**
 * Returns the games that have not begun and in which a side is taken, the largest value first.
 * @param {Slate[]} slates
 * @param {Of} of
 * @returns {Valued[]}
 */
export function valuesOf(slates, of) {
  const games = slates.flatMap(({ sport, picks, league }) => {
    const model = picks?.model ?? STANDARD_MODEL;
    const tone = league.tone(model);
    return (picks?.games ?? [])
      .filter((game) => !hasStarted({ ...game, time: game.time }))
      .flatMap((game) => {
        const [home, away] =
          "home_money_line" in game.lines ? [game.lines.home_money_line, game.lines.away_money_line] : [];
        const [forecast, book] = [entryOf(game.models, model), game.implied_probability];
        const { side, value } = taken(of, MARKET, { probability: forecast, prices: [home, away] });
        const at = side === "home" ? home : away;
        const isWhole = [forecast, book, at, value].every((figure) => typeof figure === "number");
        return side !== null && isWhole
          ? [/** @type {Valued} */ ({ sport, game, model, tone, side, forecast, book, at, value })]
          : [];
      });
  });
  return games.toSorted((a, b) => b.value - a.value);
}

/**
 * @typedef {object} Content
 * @property {string} id
 * @property {Address} address
 * @property {Slate[]} slates
 * @property {Of} of
 * @property {number} most The number of games.
 * @property {string} [where] The leagues, if they are several.
 */

/**
 * Draws the games with the largest values.
 * @param {Content} content
 */
export function values({ id, address, slates, of, most, where }) {
  const all = valuesOf(slates, of);
  const shown = all.slice(0, most);
  const noun = of === "picks" ? "pick" : "bet";
  if (shown.length === 0) {
    const text = `No game to come has a ${noun} with a price.`;
    return element("p", { class: "empty", id: `no-${id}` }, text);
  }
  const [first] = shown;
  const models = new Map(shown.map(({ model, tone }) => [JSON.stringify([model, tone]), { model, tone }]));
  const isNamed = new Set(shown.map(({ sport }) => sport)).size > 1 || slates.length > 1;
  return figure({
    id,
    title: `The ${noun} worth most${where ? ` ${where}` : ""}: ${teamOf(first)} ${price(first.at)}, ${gain(first.value)}`,
    note: `The ${shown.length === 1 ? "game" : `${shown.length} games`} to come in which the ${noun} has the largest value: what one unit gains on average at the price, if the model is right. The chances are those of the named team.`,
    legend: legendOf([...models.values()], false),
    drawing: [
      element(
        "ol",
        { class: "values" },
        shown.map((one) => rowOf(one, { isNamed, isMixed: models.size > 1 })),
      ),
    ],
    numbers: () => numbersOf(id, shown),
    address,
    calls: slates.map(({ sport }) => ({ template: PICKS, path: { sport, market: "moneyline" }, isPublic: true })),
  });
}

/** @param {Valued} of */
function teamOf({ side, game }) {
  return side === "home" ? game.home_team : game.away_team;
}

/**
 * @param {Valued} of
 * @param {{ isNamed: boolean, isMixed: boolean }} words True if the row names its league, and its model.
 */
function rowOf(of, { isNamed, isMixed }) {
  const { sport, game, model, tone, side, forecast, book, at, value } = of;
  const ofSide = (/** @type {number} */ home) => (side === "home" ? home : 1 - home);
  const against = side === "home" ? `against ${game.away_team}` : `at ${game.home_team}`;
  const [date] = easternTime(now()).split(" ");
  const when = [game.date !== date && day(game.date), start(game.time)];
  const words = [isNamed && LEAGUE_NAMES[sport], against, ...when, isMixed && modelName(model)]
    .filter(Boolean)
    .join(", ");
  const [ours, theirs] = [ofSide(forecast), ofSide(book)];
  const place = placeOn([0, 1]);
  const marks = [
    svg("line", { class: "grid", x1: 0, x2: "100%", y1: "50%", y2: "50%" }),
    svg("line", { class: "base", x1: "50%", x2: "50%", y1: "15%", y2: "85%" }),
    span(place(Math.min(ours, theirs)), place(Math.max(ours, theirs)), "bar"),
    mark("book", place(theirs), { value: book, game: game.game_id, model: "IMPLIED" }),
    mark("model", place(ours), { value: forecast, game: game.game_id, model }, tone),
  ];
  const label = `${teamOf(of)}: ${modelName(model)} ${share(ours)}, book ${share(theirs)}`;
  return element(
    "li",
    { class: "value-row", id: `value-${game.game_id}`, "data-game": game.game_id, "data-side": side },
    element(
      "span",
      { class: "who" },
      element("a", { href: `#/game/${sport}/${game.game_id}` }, teamOf(of)),
      " ",
      element("strong", {}, price(at)),
      element("small", {}, words),
    ),
    svg("svg", { class: "track", role: "img", "aria-label": label }, marks),
    element(
      "span",
      { class: "chances" },
      `${share(ours)}, book ${share(theirs)}`,
      element("small", {}, `edge ${points(ours - theirs)}`),
    ),
    element("strong", { class: "worth" }, gain(value)),
  );
}

/**
 * @param {string} id
 * @param {Valued[]} shown
 */
function numbersOf(id, shown) {
  const heads = ["Side", "Game", "League", "Model", "Model: home wins", "Book: home wins", "Price", "Value"];
  return {
    caption: "Games with the largest values",
    columns: heads.map((head, index) => ({ head, number: index > 3 })),
    rows: shown.map((one) => {
      const { sport, game, model, forecast, book, at, value } = one;
      const name = `${game.away_team} at ${game.home_team}`;
      return {
        id: `${id}-row-${game.game_id}`,
        cells: [
          teamOf(one),
          name,
          LEAGUE_NAMES[sport],
          modelName(model),
          share(forecast),
          share(book),
          price(at),
          gain(value),
        ],
        values: [teamOf(one), name, sport, model, forecast, book, at, value],
      };
    }),
  };
}
