// The slate of a league: model, book and prediction market side by side.

import { computed, signal as state } from "@preact/signals";
import { carried } from "../address.js";
import { get, ifThere } from "../api.js";
import { hasStarted } from "../clock.js";
import { element } from "../dom.js";
import { instant } from "../format.js";
import { key } from "../key.js";
import { follow } from "../live.js";
import { missingNote } from "../models.js";
import { failure, renewed } from "../parts/failure.js";
import { keyNeeded } from "../parts/key-form.js";
import { generationOf, moments, momentsOf } from "../parts/moments.js";
import { newsOf, servedBy } from "../parts/news.js";
import { followSwitch } from "../parts/of-switch.js";
import { modelPicker } from "../parts/pickers.js";
import { slateBoard } from "../parts/slate-board.js";
import { leagueStatus } from "../parts/status.js";
import { followLeagues } from "../site.js";
import { markHeld, slateOf } from "../slate.js";
import { MARKET_NAMES, modelName } from "../words.js";

/** @import { Signal } from "@preact/signals" */
/** @import { Children, Part } from "../dom.js" */
/** @import { Context } from "../main.js" */
/** @import { Place } from "../parts/later.js" */
/** @import { Release } from "../parts/moments.js" */
/** @import { LeagueStatus } from "../parts/status.js" */
/** @import { Slate } from "../slate.js" */
/** @import { Market } from "../words.js" */

export const title = "Today";
export const picks = { league: true, market: true };
export const follows = true;

/** The interval of requests for the league's data status, which are not counted. */
const RENEWED = 60_000;

/** @param {Context} context */
export async function show(context) {
  const { address, signal } = context;
  const generation = generationOf(address);
  if (generation !== null && key() === null) {
    return [await keyNeeded(carried(address), "Earlier moments need an API key")];
  }
  followLeagues(RENEWED, context);
  /** What was served when the slate was requested, and the date then. */
  let shown = { served: "", date: "" };
  /** True until the newest release is shown: what lands later waits until somebody asks for it. */
  let isWanted = true;
  const news = state(/** @type {Part | null} */ (null));
  let renew = async () => {};
  const apply = () => {
    isWanted = true;
    void renew();
  };
  /** @type {Slate | null} */
  let slate;
  /** @type {Release[]} */
  let releases = [];
  /** Where the parts of the slate are requested: those of another slate are requested anew. */
  let place = { address, signal };
  const ask = async () => {
    const query = { generation };
    const status = await get("/api/v1/data-status/{sport}", { path: { sport: address.league }, query, signal });
    const { date } = status;
    const served = servedBy(status);
    if (isWanted || date !== shown.date) {
      [slate, releases] = await Promise.all([
        generation === null ? slateOf(address, signal) : ifThere(slateOf(address, signal)),
        key() === null ? [] : momentsOf(address, signal),
      ]);
      [shown, isWanted, place] = [{ served, date }, false, { address, signal }];
      news.value = null;
    } else if (served !== shown.served) {
      const before = shown;
      const told = await newsOf(news.peek(), address, releases.at(-1)?.generation ?? null, signal, apply);
      // Meanwhile somebody may have asked for it.
      if (shown === before && !isWanted) {
        news.value = told;
      }
    }
    return { status, slate, started: slate?.games.map(hasStarted) };
  };
  const show = (/** @type {Awaited<ReturnType<typeof ask>>} */ { status }) =>
    boardOf(context, slate, status, releases, place);
  const board = await renewed(RENEWED, signal, ask, show, (again) => {
    renew = again;
    if (generation === null) {
      follow([address.league], signal, { onRelease: again, onStatus: again });
    }
  });
  return [element("div", { role: "status" }, news), board];
}

/**
 * @param {Context} context
 * @param {Slate | null} slate Null if none was served at the moment of the address.
 * @param {LeagueStatus} status
 * @param {Release[]} releases
 * @param {Place} place Where the parts of the slate are requested.
 * @returns {Children}
 */
function boardOf({ address, again, keep, offer }, slate, status, releases, place) {
  if (slate === null) {
    const nothing = element("p", { class: "empty" }, "No slate was served then.");
    return [leagueStatus(status), moments(address, releases), nothing];
  }
  const { league, model, games, isFree } = slate;
  markHeld(games, status, address.market);
  const models = slate.models.filter((name) => name !== "IMPLIED");
  const last = isLast(status, address.market) ? "Today's slate is missing: these are the games of the last one." : "";
  const board = games.length > 0 ? slateBoard(place, slate, last, keep("searched", "")) : null;
  const [slider, areOpen] = [moments(address, releases), keep("filters-open", false)];
  const shown = computed(() => (areOpen.value ? "open" : null));
  const filters = element("div", { id: FILTERS, class: shown }, slider, board?.tools);
  offer(
    models.length > 0 && modelPicker(address, league, models, model),
    followSwitch(address),
    (slider || board) && filtersButton(areOpen),
  );
  const of = isFree ? "The free slate" : undefined;
  const empty = isFree
    ? `The slate has no games of today or later with a pick of ${modelName(model)}.`
    : "The slate has no games of today or later.";
  return [
    slate.refusal && failure(slate.refusal, again),
    leagueStatus(status),
    status.markets[address.market].expected === false &&
      element(
        "p",
        { class: "note" },
        `The league has no ${MARKET_NAMES[address.market]} market: this slate is its last one.`,
      ),
    filters,
    missingNote(address, model, of),
    board ? board.drawn : element("p", { class: "empty" }, empty),
    board && element("p", { class: "note" }, notes(slate)),
  ];
}

const FILTERS = "today-filters";

/**
 * Builds the button that a narrow window has in place of the filters.
 * @param {Signal<boolean>} areOpen
 */
function filtersButton(areOpen) {
  const attributes = {
    ...{ type: "button", id: "filters-open", "aria-controls": FILTERS },
    "aria-expanded": computed(() => String(areOpen.value)),
  };
  return element("button", { ...attributes, on: { click: () => (areOpen.value = !areOpen.value) } }, "Filters");
}

/**
 * Returns whether a market's slate is that of an earlier day although today's is due. One market can have today's slate
 * while the league lacks others.
 * @param {LeagueStatus} status
 * @param {Market} market
 */
function isLast({ operational, date, markets }, market) {
  // The name of a release begins with its slate date.
  return !operational && (markets[market].release_id ?? "") < date;
}

/** Builds the notes on the slate's figures. @param {Slate} slate */
function notes({ games, model, published, quoted, isFree, isPast }) {
  const isPosted = games.some((game) => game.posted);
  return [
    `Predictions of ${instant(published)}.`,
    "A pick is the side above one half; a bet is the side of greater expected value, if that is above zero.",
    `Values are ${modelName(model)}'s, for one unit at the price of the forecast.`,
    isPosted && `Lines are those posted ${isPast ? "then" : "now"}; open a game for its opener and the forecast's.`,
    quoted && `Prices of the prediction market as of ${instant(quoted)}.`,
    isFree && "Odds posted since, their movement and the prediction market need a key.",
  ]
    .filter(Boolean)
    .join(" ");
}
