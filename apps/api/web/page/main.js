// The page: the view of the address, and the parts around it.

import { signal as state } from "@preact/signals";
import { Fragment } from "preact";
import { GAME, carried, read, write } from "./address.js";
import { Refusal } from "./api.js";
import { synchronize } from "./clock.js";
import { byId, element, figureNamed, part, replace } from "./dom.js";
import { isEmbed, showEmbed } from "./embed.js";
import { enter } from "./entry.js";
import { ofOf } from "./followed.js";
import { hasKey, key, onChange, onRefusal } from "./key.js";
import { entryOf } from "./models.js";
import { failure, isPassing, retryLater } from "./parts/failure.js";
import { keyForm, keyNeeded } from "./parts/key-form.js";
import { leadingLeague } from "./parts/lead.js";
import { leaguePicker, marketPicker } from "./parts/pickers.js";
import { fadeEnds, showCurrent } from "./parts/tabs.js";
import { whatAKeyAdds } from "./parts/what-a-key-adds.js";
import { keepPlace, placeOf } from "./scroll.js";
import { openLeagues, publicRecord, publishedLeagues, site } from "./site.js";
import * as account from "./views/account.js";
import * as freshness from "./views/freshness.js";
import * as game from "./views/game.js";
import * as overview from "./views/overview.js";
import * as record from "./views/record.js";
import * as results from "./views/results.js";
import * as strategies from "./views/strategies.js";
import * as teams from "./views/teams.js";
import * as today from "./views/today.js";
import * as trackRecord from "./views/track-record.js";
import { LEAGUE_NAMES, MARKET_NAMES } from "./words.js";

/** @import { Address } from "./address.js" */
/** @import { Signal } from "@preact/signals" */
/** @import { Children } from "./dom.js" */
/** @import { League } from "./words.js" */
/**
 * The context of a view.
 * @typedef {object} Context
 * @property {Address} address
 * @property {readonly League[]} leagues The leagues with data.
 * @property {AbortSignal} signal Aborted when the view is left.
 * @property {() => Promise<void>} again Rebuilds the view.
 * @property {<T>(name: string, initial: T) => Signal<T>} keep Returns the view's own state of that name, which lasts until another
 *   view is shown.
 * @property {(...menus: Children[]) => void} offer Adds the view's own menus to those of league and market.
 * @property {(season: string) => void} ofSeason Names the season in the title.
 * @property {(title: string, words: string[]) => void} entitle Gives the view another title, and words after it.
 * @property {boolean} [finishedAlone] True if answers about all seasons are not open.
 */
/**
 * @typedef {object} View
 * @property {string} title
 * @property {boolean} [isUnlisted] True if it is not among the links to views.
 * @property {{ league?: boolean, market?: boolean }} [picks] The pickers of the view.
 * @property {boolean} [needsKey]
 * @property {boolean} [follows] True if it speaks of picks or bets, as the address says.
 * @property {(context: Context) => Promise<Children[]>} show
 */

/** @type {Record<string, View>} */
const VIEWS = {
  overview,
  today,
  "track-record": trackRecord,
  strategies,
  teams,
  results,
  freshness,
  record,
  account,
  [GAME]: game,
};

let leaving = new AbortController();

/** True once a person has changed the view: the first view does not take the focus. */
let hasMoved = false;

/** The displayed view, and its game if it is that of a game; and the state of that view. */
let shownPlace = "";
/** @type {Map<string, Signal<any>>} */
let kept = new Map();

/**
 * Returns a state of the displayed view.
 * @template T
 * @param {string} name
 * @param {T} initial
 * @returns {Signal<T>}
 */
function keep(name, initial) {
  const found = kept.get(name) ?? state(initial);
  kept.set(name, found);
  return found;
}

async function show() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const { hash } = location;
  const main = byId("main");
  delete main.dataset.shown;
  delete main.dataset.season;
  const leagues = await publishedLeagues();
  const lead = await leadingLeague(leagues);
  if (signal.aborted) {
    return;
  }
  const asked = read(hash, lead ? [lead, ...leagues] : leagues);
  const name = entryOf(VIEWS, asked.view) ? asked.view : "overview";
  const address = { ...asked, view: name };
  const view = VIEWS[name];
  const place = [name, asked.game && asked.league, asked.game].filter(Boolean).join("/");
  const isNew = shownPlace !== place;
  links(address);
  main.setAttribute("aria-busy", "true");
  if (view.follows) {
    main.dataset.of = ofOf(address);
  } else {
    delete main.dataset.of;
  }
  const { around, offer, ofSeason, entitle } = surroundings(view, address, leagues);
  // Each view has elements of its own; those of the same view stay as far as it says the same at another address.
  const draw = (/** @type {Children[]} */ ...content) => replace(main, part(Fragment, { key: place }, around, content));
  if (isNew) {
    shownPlace = place;
    kept = new Map();
    main.dataset.view = name;
    draw(element("p", { class: "note" }, "Loading…"));
  }
  const content = await contentOf(view, { address, leagues, signal, again: show, keep, offer, ofSeason, entitle });
  if (signal.aborted) {
    return;
  }
  draw(...content);
  // What is drawn may draw itself once more, as a figure with what reads it, before it has its height.
  await null;
  if (signal.aborted) {
    return;
  }
  main.removeAttribute("aria-busy");
  main.dataset.shown = hash;
  if (isNew && hasMoved) {
    byId("title").focus();
  }
  scrollTo(address, isNew);
}

/**
 * Scrolls to where the person was, to the figure of the address, or to the top of a new view.
 * @param {Address} address
 * @param {boolean} isNew
 */
function scrollTo({ options }, isNew) {
  const figure = options.get("figure");
  const place = placeOf();
  if (place !== null) {
    window.scrollTo(0, place);
  } else if (figure) {
    figureNamed(figure)?.scrollIntoView();
  } else if (isNew && hasMoved) {
    window.scrollTo(0, 0);
  }
}

/**
 * Builds the heading and the menus of a view.
 * @param {View} view
 * @param {Address} address
 * @param {readonly League[]} leagues
 */
function surroundings({ title, picks = {} }, address, leagues) {
  const places = [picks.league && LEAGUE_NAMES[address.league], picks.market && MARKET_NAMES[address.market]];
  const [name, of, own] = [state(title), state(""), state(/** @type {Children} */ ([]))];
  const heading = element("h1", { tabindex: "-1", id: "title" }, name, " ", element("span", { class: "of" }, of));
  const bar = element(
    "div",
    { class: "bar" },
    picks.league && leaguePicker(address, leagues),
    picks.market && marketPicker(address),
    element("div", { class: "own" }, own),
  );
  const entitle = (/** @type {string} */ text, /** @type {(string | false | undefined)[]} */ parts) => {
    const words = parts.filter(Boolean);
    document.title = [text, ...words].join(" · ") + ` – ${byId("site-name").textContent}`;
    name.value = text;
    of.value = words.join(" · ");
  };
  entitle(title, places);
  return {
    around: [heading, (picks.league || picks.market) && bar],
    entitle,
    offer: (/** @type {Children[]} */ ...menus) => (own.value = menus),
    ofSeason: (/** @type {string} */ season) => {
      byId("main").dataset.season = season;
      entitle(title, [...places, season]);
    },
  };
}

/**
 * @param {View} view
 * @param {Context} context
 * @returns {Promise<Children[]>}
 */
async function contentOf(view, context) {
  const open = view.needsKey && key() === null ? await publicRecord(context.address.league) : null;
  if (view.needsKey && key() === null && !(open && view.picks?.league)) {
    return [await keyNeeded(carried(context.address))];
  }
  try {
    const shown = await view.show(open?.public === "finished" ? ofFinished(context, open.seasons) : context);
    return open ? [...shown, await whatAKeyAdds(open)] : shown;
  } catch (error) {
    if (context.signal.aborted) {
      return [];
    }
    if (open && error instanceof Refusal && error.status === 401) {
      return [await keyNeeded(carried(context.address), error.message)];
    }
    if (isPassing(error)) {
      retryLater(context.signal, show, error);
    }
    return [
      failure(error, show),
      error instanceof Refusal &&
        error.status === 404 &&
        element("p", {}, "Another league or market may have what this one lacks."),
    ];
  }
}

/**
 * Names the newest finished season in an address that names none.
 * @param {Context} context
 * @param {string[]} seasons Newest first.
 * @returns {Context}
 */
function ofFinished(context, [newest]) {
  const options = new URLSearchParams(context.address.options);
  if (newest && !options.has("season")) {
    options.set("season", newest);
  }
  return { ...context, address: { ...context.address, options }, finishedAlone: true };
}

/** @param {Address} address */
function links(address) {
  const elsewhere = carried(address);
  const listed = Object.entries(VIEWS).filter(([, { isUnlisted }]) => !isUnlisted);
  const items = listed.map(([name, { title }]) => {
    const href = write(elsewhere, { view: name });
    const link = element("a", { id: `view-${name}`, href, "aria-current": name === address.view && "page" }, title);
    return element("li", {}, link);
  });
  replace(byId("views"), items);
  showCurrent(byId("tabs"));
}

/** Displays the server's description of itself. */
async function showServer() {
  const { simulated, version, commit } = await site();
  byId("simulated").hidden = !simulated;
  byId("build").textContent = `Version ${version}, commit ${commit}.`;
}

function showKey() {
  replace(byId("key"), keyForm("key-field"));
}

byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("title").focus();
});
if (isEmbed()) {
  showEmbed();
} else {
  await enter();
}
fadeEnds(byId("tabs"));
keepPlace();
addEventListener("hashchange", () => {
  hasMoved = true;
  void show();
});
onChange(() => {
  // What a view has kept is of the key before.
  kept = new Map();
  showKey();
  void show();
});
onRefusal(showKey);
showKey();
// If the server does not answer, the view reports it.
const unneeded = () => {};
void showServer().catch(unneeded);
if (!hasKey()) {
  // The first view needs them; here they are on the way with the time.
  void openLeagues();
}
await synchronize().catch(unneeded);
await show();
