// What the address of a view says: which view, of which league and market, and with which options.

import { LEAGUES, MARKETS } from "./words.js";

/**
 * @typedef {object} Address
 * @property {string} view
 * @property {import("./words.js").League} league
 * @property {import("./words.js").Market} market
 * @property {URLSearchParams} options Season, model and the like; what is not there has its default.
 */

const FIRST_VIEW = "freshness";

/**
 * Reads an address such as `#/results/nfl/won_on_spread?season=2023-24`. What it leaves out, or has wrong, is the first
 * there is.
 * @param {string} hash
 * @returns {Address}
 */
export function read(hash) {
  const [path, query] = hash.replace(/^#\/?/, "").split("?", 2);
  const [view, league, market] = path.split("/");
  return {
    view: view || FIRST_VIEW,
    league: LEAGUES.find((known) => known === league) ?? "nfl",
    market: MARKETS.find((known) => known === market) ?? "won_on_points",
    options: new URLSearchParams(query),
  };
}

/** What other views, leagues and markets have, too. */
const CARRIED = ["season", "model", "models", "accounting"];

/**
 * An address with those of its options that go along to another view.
 * @param {Address} address
 * @returns {Address}
 */
export function carried(address) {
  const options = [...address.options].filter(([name]) => CARRIED.includes(name));
  return { ...address, options: new URLSearchParams(options) };
}

/**
 * The address of the same view with some of it changed. An option that is null is left out.
 * @param {Address} address
 * @param {{ view?: string, league?: string, market?: string }} [place]
 * @param {Record<string, string | number | null>} [options]
 * @returns {string}
 */
export function write(address, place = {}, options = {}) {
  const query = new URLSearchParams(address.options);
  for (const [name, value] of Object.entries(options)) {
    if (value === null || value === "") {
      query.delete(name);
    } else {
      query.set(name, String(value));
    }
  }
  const { view, league, market } = { ...address, ...place };
  return `#/${view}/${league}/${market}${query.size > 0 ? `?${query}` : ""}`;
}
