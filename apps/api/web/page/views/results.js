// A season's games with their grading, and the season as a file.

import { Refusal, file, get } from "../api.js";
import { write } from "../address.js";
import { element } from "../dom.js";
import { count, counted, day, instant, share, start } from "../format.js";
import { entryOf, missingNote, modelsOf } from "../models.js";
import { modelPicker, seasonPicker } from "../parts/pickers.js";
import { leagueStatus } from "../parts/status.js";
import { modelTable, table } from "../parts/table.js";
import {
  MARKETS,
  POSTED,
  STANDARD_MODELS,
  forecastSource,
  matchup,
  modelName,
  plainly,
  probabilitySource,
  sides,
  ungraded,
} from "../words.js";

/** @import { Answer } from "../api.js" */
/** @import { Address } from "../address.js" */
/** @import { Context } from "../main.js" */
/** @import { Models } from "../models.js" */
/** @import { Market } from "../words.js" */
/** @typedef {Answer<"/api/v1/results/{sport}/{model_type}">} Page */
/** @typedef {Record<string, any> & { away_team: string, home_team: string }} Row */

export const title = "Results";
export const picks = { league: true, market: true };
export const needsKey = true;

const LIMIT = 50;
const WHOLE_SEASON = 100_000;
const RESULTS = "/api/v1/results/{sport}/{model_type}";

/** @param {Context} context */
export async function show({ address, signal }) {
  const { league: sport, market: model_type } = address;
  const path = { sport, model_type };
  const [status, league, seasons, { page, refusal }] = await Promise.all([
    get("/api/v1/data-status/{sport}", { path: { sport }, signal }),
    modelsOf(address, signal),
    get("/api/v1/results/{sport}/{model_type}/seasons", { path, signal }),
    filtered(address, signal),
  ]);
  const games = /** @type {Row[]} */ (page.results);
  const models = [...new Set([...STANDARD_MODELS, ...league.names])];
  const asked = address.options.get("model");
  const model = asked && asked !== "IMPLIED" && models.includes(asked) ? asked : league.headline;
  const offered = models.filter((name) => name !== "IMPLIED" && games.some((game) => Object.hasOwn(game, name)));
  return [
    leagueStatus(status),
    seasonPicker(address, seasons.seasons, page.season),
    missingNote(address, model),
    modelPicker(address, league, offered, model),
    !refusal && element("p", { class: "note" }, shownOf(page, address)),
    filters(address),
    refusal && element("p", { class: "notice alert", role: "alert", id: "no-match" }, refusal),
    downloads(address, page.season, signal),
    ...(refusal ? [] : [gameTable(page, league, models, model), pages(address, page)]),
  ];
}

/**
 * Describes the part of the season's games that is on the page.
 * @param {Page} page
 * @param {Address} address
 */
function shownOf({ offset, returned, total, season, last_updated: published }, { options }) {
  const order = options.get("season") ? "oldest first" : "newest first";
  const range = `Games ${count(offset + 1)} to ${count(offset + returned)} of ${count(total)}`;
  return `${returned === total ? counted(total, "game") : range} in ${season}, ${order}. Published ${instant(published)}.`;
}

/**
 * Requests a page of the season; if its filters are refused, a page of the whole season and the refusal.
 * @param {Address} address
 * @param {AbortSignal} signal
 * @returns {Promise<{ page: Page, refusal?: string }>}
 */
async function filtered(address, signal) {
  try {
    return { page: await pageOf(address, signal) };
  } catch (error) {
    const isAboutFilters = error instanceof Refusal && [400, 404].includes(error.status);
    if (!isAboutFilters || !FILTERS.some((name) => address.options.has(name))) {
      throw error;
    }
    const season = address.options.get("season");
    const page = await pageOf({ ...address, options: new URLSearchParams(season ? { season } : {}) }, signal);
    const noTeam = `There is no team “${address.options.get("team")}” in ${page.season}. Teams are named in full, as in the table.`;
    return { page, refusal: error.status === 404 ? noTeam : `${error.message}.` };
  }
}

/**
 * The snapshots of paged seasons, by the address of the season.
 * @type {Map<string, string>}
 */
const snapshots = new Map();

/**
 * Requests a page of the season. Later pages of a named season have the first page's snapshot; if the season was
 * republished meanwhile, the new snapshot.
 * @param {Address} address
 * @param {AbortSignal} signal
 * @returns {Promise<Page>}
 */
async function pageOf({ league: sport, market: model_type, options }, signal) {
  const [season, offset] = [options.get("season"), Number(options.get("offset") ?? 0)];
  const path = { sport, model_type };
  const query = { season, limit: LIMIT, ...filtersOf(options) };
  if (!season || offset === 0) {
    return get(RESULTS, { path, query: { ...query, offset }, signal });
  }
  const place = [sport, model_type, season].join(" ");
  const snapshot = snapshots.get(place) ?? (await get(RESULTS, { path, query, signal })).snapshot;
  snapshots.set(place, snapshot);
  try {
    return await get(RESULTS, { path, query: { ...query, offset, snapshot }, signal });
  } catch (error) {
    if (error instanceof Refusal && error.status === 409) {
      snapshots.delete(place);
    }
    throw error;
  }
}

const FILTERS = /** @type {const} */ (["from", "to", "team"]);

/** @param {URLSearchParams} options */
function filtersOf(options) {
  return Object.fromEntries(FILTERS.map((name) => [name, options.get(name)]));
}

/**
 * Builds the form of the filters.
 * @param {Address} address
 */
function filters(address) {
  const field = (
    /** @type {typeof FILTERS[number]} */ name,
    /** @type {string} */ text,
    /** @type {string} */ type,
  ) => [
    element("label", { for: `filter-${name}` }, text),
    element("input", { id: `filter-${name}`, name, type, value: address.options.get(name) ?? "" }),
  ];
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const typed = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    const wanted = Object.fromEntries(FILTERS.map((name) => [name, String(typed.get(name)).trim() || null]));
    location.hash = write(address, {}, { ...wanted, offset: null });
  };
  const none = Object.fromEntries(FILTERS.map((name) => [name, null]));
  return element(
    "form",
    { class: "filters", "aria-label": "Filters", on: { submit } },
    ...field("from", "From", "date"),
    ...field("to", "To", "date"),
    ...field("team", "Team", "text"),
    element("button", { type: "submit", id: "filter" }, "Filter"),
    element("a", { id: "filter-none", href: write(address, {}, { ...none, offset: null }) }, "All games"),
  );
}

/**
 * The column of the outcome, by market.
 * @type {Record<Market, string>}
 */
const OUTCOMES = { over_under: "over", won_on_points: "won_on_points", won_on_spread: "won_on_spread" };

/**
 * @param {Page} page
 * @param {Models} league
 * @param {string[]} models The columns of models.
 * @param {string} model The displayed model.
 */
function gameTable({ results, model_type: market, season }, league, models, model) {
  const games = /** @type {Row[]} */ (results);
  const columns = [
    { head: "Game" },
    { head: "Start (ET)", line: true },
    { head: "Score", number: true, hint: "The away team's first." },
    ...POSTED[market].map(({ name }) => ({ head: name, number: true })),
    { head: modelName(model), number: true },
    { head: modelName("IMPLIED"), number: true },
    { head: "Won" },
    { head: "Grading" },
  ];
  const rows = games.map((game) => ({
    id: `result-${[game.date, game.time_est, game.away_team, game.home_team, game.game_number].join("-").replace(/[^A-Za-z0-9]+/g, "-")}`,
    cells: [
      matchup(game),
      `${day(game.date)}, ${start(game.time_est)}`,
      game.home_score === null ? "–" : `${game.away_score}–${game.home_score}`,
      ...POSTED[market].map(({ field, write: written }) => written(game[field])),
      share(entryOf(game, model)),
      share(game.IMPLIED),
      winner(game, market),
      game.graded ? "graded" : ungraded(game.ungraded_reason),
    ],
    detail: () => detail(game, league, models, market),
  }));
  return table({ caption: `Games of ${season}`, columns, rows, empty: "There are no such games." });
}

/**
 * Returns the side that won. A push has no winner, although its outcome column is 0.
 * @param {Row} game
 * @param {Market} market
 */
function winner(game, market) {
  if (game.push !== false) {
    return game.push ? "push" : "–";
  }
  const [positive, negative] = sides(market);
  return game[OUTCOMES[market]] ? positive : negative;
}

/** The fields that are displayed in the row of a game, or with its models and lines. */
const SHOWN = new Set(
  "date time_est season away_team home_team away_score home_score over won_on_points won_on_spread push graded".split(
    " ",
  ),
);

/** The formats of fields that are neither words nor formatted figures. */
const WRITTEN = /** @type {Record<string, (value: any) => string>} */ ({
  ungraded_reason: ungraded,
  forecast_source: forecastSource,
  model_probability_source: probabilitySource,
  forecast_published_at: instant,
});

/**
 * Builds the list of all recorded fields of a game.
 * @param {Row} game
 * @param {Models} league
 * @param {string[]} models The columns of models.
 * @param {Market} market
 */
function detail(game, league, models, market) {
  const name = `${matchup(game)}, ${day(game.date)}`;
  const id = (/** @type {string} */ field) =>
    `field-${game.date}-${game.away_team}-${game.home_team}-${field}`.replace(/[^A-Za-z0-9]+/g, "-");
  const given = models.filter((column) => typeof game[column] === "number");
  const lines = MARKETS.flatMap((of) =>
    POSTED[of].map(({ name: line, full = line, field, opener, write: written }) => ({
      id: id(field),
      cells: [full, written(opener ? game[opener] : null), written(game[field])],
    })),
  );
  const fields = MARKETS.flatMap((of) => POSTED[of].flatMap(({ field, opener }) => [field, opener]));
  const named = new Set([...SHOWN, ...models, ...fields]);
  const rest = Object.entries(game)
    .filter(([field, value]) => !named.has(field) && value !== null)
    .map(([field, value]) => ({ id: id(field), cells: [plainly(field), (WRITTEN[field] ?? String)(value)] }));
  const number = true;
  return element(
    "div",
    { class: "detail columns" },
    modelTable(name, Object.fromEntries(given.map((column) => [column, game[column]])), league, market),
    table({
      caption: `${name}: lines and prices`,
      columns: [{ head: "Line" }, { head: "Opened", number }, { head: "Last before the start", number }],
      rows: lines,
    }),
    table({
      caption: `${name}: on record`,
      columns: [{ head: "About" }, { head: "Recorded" }],
      rows: rest,
    }),
  );
}

/**
 * @param {Address} address
 * @param {Page} page
 */
function pages(address, { offset, next_offset: next }) {
  const link = (/** @type {string} */ text, /** @type {number | null} */ to) =>
    element("a", { id: `page-${text}`.toLowerCase(), href: write(address, {}, { offset: to }) }, text);
  return element(
    "nav",
    { class: "pages", "aria-label": "Pages" },
    offset > 0 && link("Previous", offset > LIMIT ? offset - LIMIT : null),
    next !== null && link("Next", next),
  );
}

/**
 * @param {Address} address
 * @param {string} season
 * @param {AbortSignal} signal
 */
function downloads({ league: sport, market: model_type }, season, signal) {
  const progress = element("span", { role: "status" });
  const button = (/** @type {string} */ text, /** @type {string} */ format) => {
    const click = async () => {
      progress.textContent = ` Fetching the ${text} file…`;
      try {
        const query = { season, format, limit: WHOLE_SEASON };
        const content = await file(RESULTS, { path: { sport, model_type }, query, signal });
        const name = `${sport}-${model_type}-${season}.${format}`;
        keepFile(content, name);
        progress.textContent = ` ${name} is in your downloads.`;
      } catch (error) {
        progress.textContent = ` ${error instanceof Error ? error.message : error}.`;
      }
    };
    return element("button", { type: "button", id: `download-${format}`, on: { click } }, text);
  };
  return element(
    "p",
    { class: "downloads" },
    `The whole season ${season} as a file: `,
    button("CSV", "csv"),
    " ",
    button("Parquet", "parquet"),
    progress,
  );
}

/**
 * @param {Blob} content
 * @param {string} name
 */
function keepFile(content, name) {
  const href = URL.createObjectURL(content);
  element("a", { href, download: name }).click();
  // By then the browser has read the address.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
