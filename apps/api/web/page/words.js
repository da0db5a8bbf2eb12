// The display texts of the API's codes.

import { count, price, spread, total } from "./format.js";

/** @import { Maybe } from "./format.js" */

/** @typedef {typeof LEAGUES[number]} League */
/** @typedef {typeof MARKETS[number]} Market */

export const LEAGUES = /** @type {const} */ (["mlb", "nba", "nfl", "nhl", "ncaaf", "ncaab"]);
export const MARKETS = /** @type {const} */ (["over_under", "won_on_points", "won_on_spread"]);

/** @type {Record<League, string>} */
export const LEAGUE_NAMES = {
  mlb: "MLB",
  nba: "NBA",
  nfl: "NFL",
  nhl: "NHL",
  ncaaf: "College football",
  ncaab: "College basketball",
};

/** @type {Record<Market, string>} */
export const MARKET_NAMES = { over_under: "Total", won_on_points: "Moneyline", won_on_spread: "Spread" };

/**
 * The names of markets in the public feed.
 * @type {Record<Market, "over_under" | "moneyline" | "spread">}
 */
export const PUBLIC_MARKETS = { over_under: "over_under", won_on_points: "moneyline", won_on_spread: "spread" };

/**
 * The event of a market's probabilities.
 * @type {Record<Market, string>}
 */
export const POSITIVE_EVENTS = {
  over_under: "the game goes over",
  won_on_points: "the home team wins",
  won_on_spread: "the home team covers",
};

/**
 * Returns the event as the head of a column: `Home team wins`.
 * @param {Market} market
 */
export function eventHead(market) {
  return capitalised(POSITIVE_EVENTS[market].replace(/^the /, ""));
}

/**
 * The lines of a market: fields of games, and their formats.
 * @typedef {object} Posted
 * @property {string} name
 * @property {string} [full] Its name among the lines of all markets.
 * @property {string} field
 * @property {string} [opener]
 * @property {(value: Maybe) => string} write
 */
/**
 * @type {Record<Market, Posted[]>}
 */
export const POSTED = {
  over_under: [
    { name: "Total", field: "over_under", opener: "open_over_under", write: total },
    { name: "Over price", field: "over_line", write: price },
    { name: "Under price", field: "under_line", write: price },
  ],
  won_on_points: [
    {
      name: "Away price",
      full: "Away moneyline",
      field: "away_money_line",
      opener: "open_away_money_line",
      write: price,
    },
    {
      name: "Home price",
      full: "Home moneyline",
      field: "home_money_line",
      opener: "open_home_money_line",
      write: price,
    },
  ],
  won_on_spread: [
    { name: "Away spread", field: "away_point_spread", opener: "open_away_point_spread", write: spread },
    { name: "Away price", full: "Away spread price", field: "away_point_spread_line", write: price },
    { name: "Home spread", field: "home_point_spread", opener: "open_home_point_spread", write: spread },
    { name: "Home price", full: "Home spread price", field: "home_point_spread_line", write: price },
  ],
};

/**
 * The two openers of a game, as columns: the API's fields of each begin alike.
 * @type {{ opened: { head: string, hint: string }, first: { head: string, hint: string } }}
 */
export const OPENERS = {
  opened: { head: "Opened (open_…)", hint: "The opener that the source of the odds gave." },
  first: {
    head: "First here (first_…)",
    hint: "The first line that this log published, which the chart marks as the first.",
  },
};

/**
 * Returns the two sides of a market, as the fields of answers name them.
 * @param {Market} market
 * @returns {[string, string]} The positive side first.
 */
export function sides(market) {
  return market === "over_under" ? ["over", "under"] : ["home", "away"];
}

/** @type {Record<string, string>} */
const STATUSES = {
  fresh: "Fresh",
  off_day: "Off-day",
  pending: "Pending",
  updating: "Updating",
  partial: "Partial",
  stale: "Stale",
  unknown: "Unknown",
};

/** @type {Record<string, string>} */
const STATUS_MEANINGS = {
  fresh: "today's run and all of its data are here",
  off_day: "no slate is due: today's run found no games, or today is no slate day of the league",
  pending: "today's run has not begun, and the deadline has not passed",
  updating: "some of today's data is here, and the deadline has not passed",
  partial: "only part of today's data was here by the deadline",
  stale: "today's run or data is missing after the deadline",
  unknown: "the store gives no trustworthy sign",
};

/** @type {Record<string, string>} */
const DEGRADATIONS = {
  source_stale: "The posted odds are more than four hours old while games of today are still to come.",
  predictions_stale: "Newer odds arrived, and the predictions were not rebuilt with them in time.",
  results_awaiting_settlement: "Games that were played are still without a final.",
  daily_output_stale: "Today's data is late or incomplete.",
  release_missing: "Nothing was ever published for this league.",
  release_unavailable: "What is published cannot be read at the moment.",
};

/** @type {Record<string, string>} */
const UNGRADED = {
  no_final: "no final score yet",
  no_line: "no line was posted",
  push: "push: the final is exactly on the line",
  no_prediction: "no model took a side",
};

/** @type {Record<string, string>} */
const EXCLUSIONS = {
  missing_price: "no price on record for the side that is bet",
  unverified_finality: "its final is not verified",
  no_stake: "Kelly's formula stakes nothing",
};

/**
 * The reasons for which picks have no closing-line value: a head and a sentence each.
 * @type {Record<string, { head: string, meaning: string }>}
 */
const CLV_EXCLUSIONS = {
  no_close: { head: "No close", meaning: "No odds with a price were published before the start." },
  stale_close: { head: "Close too old", meaning: "The source of the close was read too long before the start." },
  no_later_odds: {
    head: "No later odds",
    meaning: "The close was published with the forecast or before it: the price would be compared with itself.",
  },
  no_line: { head: "No line", meaning: "There was no total or spread when the pick was taken, or at the close." },
  no_price: {
    head: "No price",
    meaning: "A price was missing when the pick was taken, or at the close. The move of the line has the pick.",
  },
  line_moved: {
    head: "Line moved",
    meaning: "The line at the close was another one. The move of the line has the pick.",
  },
};

/** @type {Record<string, string>} */
const SOURCES = {
  live: "recorded before the game",
  walk_forward: "recomputed later, from earlier games only",
};

/** @type {Record<string, string>} */
const HORIZONS = {
  first: "the first one of each game",
  "24h": "24\u00a0h before the start",
  "6h": "6\u00a0h before the start",
  "1h": "1\u00a0h before the start",
  standing: "the standing one of each game",
};

/** @type {Record<string, string>} */
const PROBABILITY_SOURCES = {
  recorded: "recorded before the game",
  walk_forward: "recomputed later, from earlier games only",
  reconstructed_oos: "recomputed later, by models that had not seen the game",
};

/** @type {Record<string, string>} */
const VERDICTS = {
  model_better: "model better",
  market_better: "market better",
  undecided: "undecided",
};

/** @type {Record<string, string>} */
const PRICE_BASES = {
  "flat_-110": "flat \u2212110",
  recorded: "as recorded",
  recorded_moneyline: "recorded moneylines",
};

/** @type {Record<string, string>} */
const MODELS = {
  IMPLIED: "Market",
  BLEND: "BLEND",
  ENSEMBLE: "Ensemble",
};

/** @type {Record<string, string>} */
const MODELS_IN_FULL = {
  IMPLIED: "what the book's prices imply, without its margin",
  BLEND: "the publisher's blend of its models",
  CATB: "CatBoost",
  RF: "random forest",
  LGB: "LightGBM",
  LOGR: "logistic regression",
  XGB: "XGBoost",
  XT: "extra trees",
};

/** The columns of standard models and the market, in the API's order. */
export const STANDARD_MODELS = ["IMPLIED", "AI", "BLEND", "CATB", "RF", "LGB", "LOGR", "XGB", "XT"];

/** Words of schools' slugs that are initials. */
const INITIALS = new Set(
  "byu iupui lsu nc njit se siu smu tcu uaa uab uc ucf ucla uic ul umbc unc unlv usc ut utep utsa vcu vmi".split(" "),
);

/**
 * Schools whose name is not their slug's words with capitals.
 * @type {Record<string, string>}
 */
const SCHOOLS = {
  alabama_a_m: "Alabama A&M",
  alabama_am: "Alabama A&M",
  bethune_cookman: "Bethune-Cookman",
  depaul: "DePaul",
  florida_a_m: "Florida A&M",
  florida_am: "Florida A&M",
  gardner_webb: "Gardner-Webb",
  mcneese: "McNeese",
  mcneese_state: "McNeese State",
  miami_florida: "Miami (FL)",
  miami_oh: "Miami (OH)",
  miami_ohio: "Miami (OH)",
  mount_st_marys: "Mount St. Mary's",
  north_carolina_a_t: "North Carolina A&T",
  prairie_view_a_m: "Prairie View A&M",
  saint_josephs: "Saint Joseph's",
  saint_marys: "Saint Mary's",
  saint_peters: "Saint Peter's",
  st_francis_pa: "St. Francis (PA)",
  st_johns: "St. John's",
  texas_a_m: "Texas A&M",
  texas_a_m_commerce: "Texas A&M-Commerce",
  texas_a_m_corpus_christi: "Texas A&M-Corpus Christi",
  texas_am: "Texas A&M",
  uconn: "UConn",
  william_and_mary: "William & Mary",
};

/**
 * Returns the text for a code; the code itself if it is unknown to this page.
 * @param {Record<string, string>} words
 * @returns {(code: string) => string}
 */
function known(words) {
  return (code) => words[code] ?? code.replaceAll("_", " ");
}

export const statusWord = known(STATUSES);
export const statusMeaning = known(STATUS_MEANINGS);
export const degradation = known(DEGRADATIONS);
export const ungraded = known(UNGRADED);
export const exclusion = known(EXCLUSIONS);
/** Returns the head and the meaning of a reason; those of its code if it is unknown to this page. @param {string} code */
export function clvExclusion(code) {
  const head = code.replaceAll("_", " ");
  return CLV_EXCLUSIONS[code] ?? { head, meaning: head };
}

export const forecastSource = known(SOURCES);
const scoredAt = known(HORIZONS);

/**
 * Describes the forecasts of a block of scores: their source and, if they have one, their horizon.
 * @param {{ forecast_source: string, horizon?: string }} block
 */
export function scoredForecasts({ forecast_source: source, horizon }) {
  return horizon === undefined ? forecastSource(source) : `${forecastSource(source)}, ${scoredAt(horizon)}`;
}

/**
 * @typedef {{ recorded: number, imported: number, walk_forward: number }} ForecastGames The numbers of games by the kind of their
 *   forecast.
 */

/** Describes where the forecasts of a season are from. @param {ForecastGames} games */
export function forecastSplit({ recorded, imported, walk_forward: reconstructed }) {
  return `Forecasts of the season: ${count(recorded)} recorded here before play, ${count(imported)} imported as live, ${count(reconstructed)} walk-forward.`;
}

export const probabilitySource = known(PROBABILITY_SOURCES);
export const marketVerdict = known(VERDICTS);
export const priceBasis = known(PRICE_BASES);
/** Returns the default name of a field: `quote_source` is `Quote source`. */
export const plainly = (/** @type {string} */ name) => capitalised(name.replaceAll("_", " "));

/**
 * Returns the display name of a model.
 * @param {string} column
 */
export function modelName(column) {
  return Object.hasOwn(MODELS, column) ? MODELS[column] : column;
}

/**
 * Returns the explanation of a model's name, if the name needs one.
 * @param {string} column
 */
export function modelInFull(column) {
  return Object.hasOwn(MODELS_IN_FULL, column) ? MODELS_IN_FULL[column] : "";
}

/** @param {string} text */
export function capitalised(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Returns a team's slug as a name: `green_bay_packers` is `Green Bay Packers`, `nc_state` is `NC State`.
 * @param {string} slug
 */
export function teamName(slug) {
  return Object.hasOwn(SCHOOLS, slug) ? SCHOOLS[slug] : slug.split("_").map(teamWord).join(" ");
}

/** @param {{ away_team: string, home_team: string }} game */
export function matchup({ away_team: away, home_team: home }) {
  return `${teamName(away)} at ${teamName(home)}`;
}

/** @param {string} word */
function teamWord(word) {
  if (word === "st") {
    return "St.";
  }
  if (["of", "the", "and"].includes(word)) {
    return word;
  }
  return INITIALS.has(word) ? word.toUpperCase() : capitalised(word);
}
