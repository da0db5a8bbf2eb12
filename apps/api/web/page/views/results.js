// A season's games with their grading and the chosen model's record, and the season as a file.

import { Refusal, file, get, getIfThere } from "../api.js";
import { write } from "../address.js";
import { hasStarted } from "../clock.js";
import { element } from "../dom.js";
import { isHit } from "../forecasts.js";
import { count, counted, day, gain, instant, interval, share } from "../format.js";
import { missingNote, modelsOf } from "../models.js";
import { figure } from "../parts/figure.js";
import { hitMark } from "../parts/hit.js";
import { keepFile } from "../parts/keep-file.js";
import { modelPicker, seasonPicker } from "../parts/pickers.js";
import { resultTable } from "../parts/result-table.js";
import { leagueStatus } from "../parts/status.js";
import { STANDARD_MODELS, matchup, modelName } from "../words.js";

/** @import { Answer } from "../api.js" */
/** @import { Address } from "../address.js" */
/** @import { Context } from "../main.js" */
/** @import { Market } from "../words.js" */
/** @typedef {Answer<"/api/v1/results/{sport}/{model_type}">} Page */
/** @import { Entry, Row } from "../parts/result-table.js" */

export const title = "Results";
export const picks = { league: true, market: true };
export const follows = true;
export const needsKey = true;

/** The number of games of a page. */
const LIMIT = 50;
/** The number of marks of a model's newest forecasts. */
const MARKS = 120;
const WHOLE_SEASON = 100_000;
const RESULTS = "/api/v1/results/{sport}/{model_type}";
const SUMMARY = "/api/v1/summary/{sport}/{model_type}";

/** @param {Context} context */
export async function show({ address, signal, offer, ofSeason }) {
  const { league: sport, market, options } = address;
  const path = { sport, model_type: market };
  const [status, league, seasons, { page, refusal }] = await Promise.all([
    get("/api/v1/data-status/{sport}", { path: { sport }, signal }),
    modelsOf(address, signal),
    get("/api/v1/results/{sport}/{model_type}/seasons", { path, signal }),
    filtered(address, signal),
  ]);
  const summary = await getIfThere(SUMMARY, { path, query: { season: page.season }, signal });
  const games = /** @type {Row[]} */ (page.results);
  const models = [...new Set([...STANDARD_MODELS, ...league.names])];
  const asked = options.get("model");
  const model = asked && asked !== "IMPLIED" && models.includes(asked) ? asked : league.headlineOf(market);
  const offered = models.filter((name) => name !== "IMPLIED" && games.some((game) => Object.hasOwn(game, name)));
  const entries = recorded(games, market, model);
  const offset = Math.min(offsetOf(options), Math.max(0, entries.length - 1));
  ofSeason(page.season);
  offer(modelPicker(address, league, offered, model), seasonPicker(address, seasons.seasons, page.season));
  return [
    leagueStatus(status),
    missingNote(address, model),
    seasonSoFar(summary, model),
    !refusal && hits(address, entries, model, queryOf(options, page.season)),
    filters(address),
    refusal && element("p", { class: "notice alert", role: "alert", id: "no-match" }, refusal),
    !refusal && element("p", { class: "note", id: "shown" }, shownOf(page, entries.length, offset)),
    downloads(address, page.season, signal),
    ...(refusal
      ? []
      : [
          resultTable({ address, signal }, page.season, entries.slice(offset, offset + LIMIT), {
            league,
            models,
            model,
          }),
          pages(address, offset, entries.length),
        ]),
  ];
}

/** Returns the number of games before the page that the address names. @param {URLSearchParams} options */
function offsetOf(options) {
  const asked = Number(options.get("offset"));
  return Number.isInteger(asked) && asked > 0 ? asked : 0;
}

/**
 * Brings games into order, played ones first and the newest of them first, and counts the model's record along the way.
 * @param {Row[]} games
 * @param {Market} market
 * @param {string} model
 * @returns {Entry[]}
 */
function recorded(games, market, model) {
  const begins = (/** @type {Row} */ game) => `${game.date} ${game.time_est ?? ""}`;
  const isComing = (/** @type {Row} */ game) =>
    game.home_score === null && !hasStarted({ date: game.date, time: game.time_est ?? "23:59:59" });
  const inTime = games.toSorted((a, b) => (begins(a) < begins(b) ? -1 : Number(begins(a) > begins(b))));
  let [won, lost] = [0, 0];
  const entries = inTime.map((game) => {
    const hit = isHit(game, market, model);
    won += Number(hit === true);
    lost += Number(hit === false);
    return { game, hit, record: hit === null ? null : `${won}–${lost}` };
  });
  const played = entries.filter(({ game }) => !isComing(game)).reverse();
  return [...played, ...entries.filter(({ game }) => isComing(game))];
}

/**
 * Describes the season of a model so far.
 * @param {Answer<typeof SUMMARY> | null} summary
 * @param {string} model
 */
function seasonSoFar(summary, model) {
  const found = summary?.summaries.find((one) => one.model === model);
  if (!found) {
    return null;
  }
  const { wins, losses, wilson_low: low, wilson_high: high, break_even: even } = found;
  const words = [
    `${count(wins)}–${count(losses)}`,
    `${share(found["win %"])} won (95\u00a0% interval ${interval(low, high)}; breaks even at ${share(even)})`,
    `return per game ${gain(found["ev roi"])}`,
  ];
  const name = element("strong", {}, `${modelName(model)} in ${summary?.season}`);
  return element("p", { class: "so-far", id: "so-far" }, name, ": ", words.join(", "), ".");
}

/**
 * Draws the newest forecasts of a model: which were right.
 * @param {Address} address
 * @param {Entry[]} entries
 * @param {string} model
 * @param {ReturnType<typeof queryOf>} query The query that the entries come from.
 */
function hits(address, entries, model, query) {
  const graded = entries.filter(({ hit }) => hit !== null).slice(0, MARKS);
  if (graded.length === 0) {
    return null;
  }
  const right = graded.filter(({ hit }) => hit).length;
  const marks = graded.map(({ game, hit }) => hitMark(game, model, Boolean(hit)));
  return figure({
    id: "hits",
    title: `${right} of ${modelName(model)}'s newest ${counted(graded.length, "graded forecast")} were right`,
    note: "One mark for each game, the newest first: filled if the model's side won, crossed if it lost.",
    drawing: [element("div", { class: "hits" }, marks)],
    numbers: () => ({
      caption: "The newest forecasts",
      columns: ["Game", "Date", modelName(model), "Forecast"].map((head, index) => ({ head, number: index === 2 })),
      rows: graded.map(({ game, hit }) => ({
        id: `hit-${game.game_id}`,
        cells: [matchup(game), day(game.date), share(game[model]), hit ? "right" : "wrong"],
        values: [matchup(game), game.date, game[model], hit ? "right" : "wrong"],
      })),
    }),
    address,
    calls: [{ template: RESULTS, path: { sport: address.league, model_type: address.market }, query }],
  });
}

/**
 * Describes the part of the season's games that is on the page.
 * @param {Page} page
 * @param {number} all
 * @param {number} offset
 */
function shownOf({ season, last_updated: published }, all, offset) {
  const range = `Games ${count(offset + 1)} to ${count(Math.min(offset + LIMIT, all))} of ${count(all)}`;
  return `${all <= LIMIT ? counted(all, "game") : range} in ${season}, the newest first. Published ${instant(published)}.`;
}

/**
 * Requests the season's games; if its filters are refused, one game and the refusal.
 * @param {Address} address
 * @param {AbortSignal} signal
 * @returns {Promise<{ page: Page, refusal?: string }>}
 */
async function filtered({ league: sport, market: model_type, options }, signal) {
  const path = { sport, model_type };
  const season = options.get("season");
  try {
    return { page: await get(RESULTS, { path, query: queryOf(options, season), signal }) };
  } catch (error) {
    const isAboutFilters = error instanceof Refusal && [400, 404].includes(error.status);
    if (!isAboutFilters || !FILTERS.some((name) => options.has(name))) {
      throw error;
    }
    const page = await get(RESULTS, { path, query: { season, limit: 1 }, signal });
    const noTeam = `There is no team “${options.get("team")}” in ${page.season}. Teams are named in full, as in the table.`;
    return { page, refusal: error.status === 404 ? noTeam : `${error.message}.` };
  }
}

const FILTERS = /** @type {const} */ (["from", "to", "team"]);

/**
 * Returns the query of a season's games that pass the filters.
 * @param {URLSearchParams} options
 * @param {string | null} season
 */
function queryOf(options, season) {
  return { season, limit: WHOLE_SEASON, ...Object.fromEntries(FILTERS.map((name) => [name, options.get(name)])) };
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
 * @param {Address} address
 * @param {number} offset
 * @param {number} all
 */
function pages(address, offset, all) {
  const link = (/** @type {string} */ text, /** @type {number | null} */ to) =>
    element("a", { id: `page-${text}`.toLowerCase(), href: write(address, {}, { offset: to }) }, text);
  return element(
    "nav",
    { class: "pages", "aria-label": "Pages" },
    offset > 0 && link("Previous", offset > LIMIT ? offset - LIMIT : null),
    offset + LIMIT < all && link("Next", offset + LIMIT),
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
