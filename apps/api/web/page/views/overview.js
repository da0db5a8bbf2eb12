// The front page: one league's record and what proves it, what it values most today, and the day in every league.

import { write } from "../address.js";
import { Refusal } from "../api.js";
import { byId, element } from "../dom.js";
import { ofOf } from "../followed.js";
import { hasKey, key } from "../key.js";
import { chapters } from "../parts/chapters.js";
import { dayOf, everywhere } from "../parts/everywhere.js";
import { renewed } from "../parts/failure.js";
import { frontOf, frontPage } from "../parts/front.js";
import { howToGetAKey } from "../parts/key-form.js";
import { later } from "../parts/later.js";
import { followSwitch } from "../parts/of-switch.js";
import { whatAKeyAdds } from "../parts/what-a-key-adds.js";
import { whenSeen } from "../parts/when-seen.js";
import { followLeagues, publicRecord } from "../site.js";
import { LEAGUE_NAMES } from "../words.js";

/** @import { Child } from "../dom.js" */
/** @import { Context } from "../main.js" */
/** @import { Front } from "../parts/front.js" */

export const title = "Overview";
export const follows = true;

const RENEWED = 60_000;

/** The figures of every league, by their ids. */
const OF_ALL = ["night", "values-everywhere"];

/** @param {Context} context */
export async function show(context) {
  const { address, leagues, signal } = context;
  followLeagues(RENEWED, context);
  if (leagues.length === 0) {
    return [element("p", { class: "empty" }, "Nothing was published here yet.")];
  }
  const of = ofOf(address);
  const name = byId("site-name").textContent;
  const front = await renewed(
    RENEWED,
    signal,
    () => openIfRefused(() => frontOf(address, signal)),
    (answer) => frontPage(address, answer, of, name),
  );
  const isOpen = !hasKey();
  const contact = isOpen ? await howToGetAKey() : null;
  const ask = () => Promise.all(leagues.map((sport) => dayOf(sport, signal)));
  const display = (/** @type {Awaited<ReturnType<typeof ask>>} */ days) => everywhere(address, days, of, contact);
  const more = leagues.length > 1 ? "Last night, every league" : "Last night";
  const isWanted = !isOpen || OF_ALL.includes(address.options.get("figure") ?? "");
  const rest = isWanted ? later(context, ask, display) : whenSeen(context, `Show ${more.toLowerCase()}`, ask, display);
  const added = isOpen && (await forVisitors(context, contact));
  return [
    bar(context),
    chapters(address, [
      { id: "front", name: "The season and today", figures: [], content: [front, added] },
      { id: "leagues", name: more, figures: OF_ALL, content: [rest] },
    ]),
  ];
}

/**
 * Repeats a request without the key, if the server has refused it: the public picture stays.
 * @param {() => Promise<Front>} ask
 */
async function openIfRefused(ask) {
  const hadKey = hasKey();
  try {
    return await ask();
  } catch (error) {
    if (hadKey && key() !== null && error instanceof Refusal && error.status === 401) {
      return ask();
    }
    throw error;
  }
}

/** Builds the links to the other leagues' front pages, and the switch. @param {Context} context */
function bar({ address, leagues }) {
  const links = leagues.map((league) =>
    element(
      "a",
      {
        id: `front-${league}`,
        href: write(address, { league }, { season: null, model: null }),
        "aria-current": league === address.league && "page",
      },
      LEAGUE_NAMES[league],
    ),
  );
  return element(
    "div",
    { class: "bar" },
    leagues.length > 1 && element("nav", { class: "leagues", "aria-label": "Leagues" }, links),
    followSwitch(address),
  );
}

/**
 * Says what a key adds, or how to get one.
 * @param {Context} context
 * @param {Child} contact
 */
async function forVisitors({ address }, contact) {
  const open = await publicRecord(address.league);
  if (open) {
    return whatAKeyAdds(open);
  }
  const text = `The record of ${LEAGUE_NAMES[address.league]} and all history need a key. `;
  return element("p", { class: "note", id: "closed" }, text, contact);
}
