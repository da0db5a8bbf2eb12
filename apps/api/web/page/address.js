// The address of a view: its name, its league and market, and its options.

import { LEAGUES, MARKETS } from "./words.js";

/** @import { League } from "./words.js" */
/**
 * @typedef {object} Address
 * @property {string} view
 * @property {League} league
 * @property {import("./words.js").Market} market
 * @property {URLSearchParams} options Season, model and the like; a missing option has its default.
 * @property {string} [game] The id of the game, in the view of one game.
 * @property {string} [noLeague] The league of a game's address as it is spelled there, if there is no such league.
 */

const FIRST_VIEW = "overview";

/** The view of one game: the id of the game takes the place of the market, which is an option there. */
export const GAME = "game";

/** The market of an address that names none. */
const FIRST_MARKET = "won_on_points";

/**
 * Parses an address such as `#/results/nfl/won_on_spread?season=2023-24` or
 * `#/game/nfl/nfl-2026-01-11-buffalo_bills-miami_dolphins?market=over_under`. A missing or unknown part gets the first
 * value of its list; the league, the first one with data.
 * @param {string} hash
 * @param {readonly League[]} leagues The leagues with data.
 * @returns {Address}
 */
export function read(hash, leagues) {
  const [path, query] = hash.replace(/^#\/?/, "").split("?", 2);
  const [view, league, third] = path.split("/");
  const options = new URLSearchParams(query);
  const isGame = view === GAME;
  const named = LEAGUES.find((known) => known === league);
  const asked = isGame ? options.get("market") : third;
  if (isGame) {
    options.delete("market");
  }
  return {
    view: view || FIRST_VIEW,
    league: named ?? leagues[0] ?? "nfl",
    market: MARKETS.find((known) => known === asked) ?? FIRST_MARKET,
    options,
    ...(isGame && { game: decoded(third ?? "") }),
    ...(isGame && !named && { noLeague: league ?? "" }),
  };
}

/** Returns the text of a part of an address; the part itself if it is no such text. @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The options that other views, leagues and markets have, too. */
const CARRIED = ["season", "model", "models", "of", "accounting", "horizon", "taken", "close_within"];

/**
 * Returns the address with only the options that are kept in another view. Other views have one season.
 * @param {Address} address
 * @returns {Address}
 */
export function carried(address) {
  const isSeveral = (/** @type {string} */ season) => season === "all" || season.includes(",");
  const options = [...address.options].filter(
    ([name, value]) => CARRIED.includes(name) && !(name === "season" && isSeveral(value)),
  );
  return { ...address, options: new URLSearchParams(options) };
}

/**
 * Returns the address of the same view with some parts changed. An option that is null is removed, and so is the figure
 * that the address names.
 * @param {Address} address
 * @param {{ view?: string, league?: string, market?: string, game?: string }} [place]
 * @param {Record<string, string | number | null>} [options]
 * @returns {string}
 */
export function write(address, place = {}, options = {}) {
  const query = new URLSearchParams(address.options);
  query.delete("figure");
  for (const [name, value] of Object.entries(options)) {
    if (value === null || value === "") {
      query.delete(name);
    } else {
      query.set(name, String(value));
    }
  }
  const { view, league, market, game = "" } = { ...address, ...place };
  const isGame = view === GAME;
  if (isGame && market !== FIRST_MARKET) {
    query.set("market", market);
  }
  const third = isGame ? encodeURIComponent(game) : market;
  return `#/${view}/${league}/${third}${query.size > 0 ? `?${query}` : ""}`;
}

/**
 * Returns the address of a game's own view, which keeps what other views have, too.
 * @param {Address} address
 * @param {string} game The id of the game.
 */
export function toGame(address, game) {
  return write(carried(address), { view: GAME, game });
}

/**
 * Returns the path of a figure, below the root of the server: `figure/curves/track-record/nba/won_on_points?season=2026-27`. The
 * server answers it with tags for those who show a preview, and leads to the address of the figure on the page; what follows a
 * `#` is never sent.
 * @param {Address} address
 * @param {string} figure
 */
export function figureLink(address, figure) {
  return `figure/${encodeURIComponent(figure)}/${write(address).slice("#/".length)}`;
}
