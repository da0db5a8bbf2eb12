// A season's games with their grading and the chosen model's record, and the season as a file.

import { Refusal, file, get, getIfThere } from "../api.js";
import { write } from "../address.js";
import { hasStarted } from "../clock.js";
import { element } from "../dom.js";
import { isHit, outcomeOf } from "../forecasts.js";
import { count, counted, day, gain, instant, interval, share, start } from "../format.js";
import { entryOf, missingNote, modelsOf } from "../models.js";
import { figure } from "../parts/figure.js";
import { hitMark } from "../parts/hit.js";
import { keepFile } from "../parts/keep-file.js";
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
  teamName,
  ungraded,
} from "../words.js";

/** @import { Answer } from "../api.js" */
/** @import { Address } from "../address.js" */
/** @import { Row as Graded } from "../forecasts.js" */
/** @import { Context } from "../main.js" */
/** @import { Models } from "../models.js" */
/** @import { Market } from "../words.js" */
/** @typedef {Answer<"/api/v1/results/{sport}/{model_type}">} Page */
/** @typedef {Graded & { away_team: string, home_team: string }} Row */
/** @typedef {{ game: Row, hit: boolean | null, record: string | null }} Entry A game, and the model's record after it. */

export const title = "Results";
export const picks = { league: true, market: true };
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
  const model = asked && asked !== "IMPLIED" && models.includes(asked) ? asked : league.headline;
  const offered = models.filter((name) => name !== "IMPLIED" && games.some((game) => Object.hasOwn(game, name)));
  const entries = recorded(games, market, model);
  const offset = Math.min(Number(options.get("offset") ?? 0), Math.max(0, entries.length - 1));
  ofSeason(page.season);
  offer(modelPicker(address, league, offered, model), seasonPicker(address, seasons.seasons, page.season));
  return [
    leagueStatus(status),
    missingNote(address, model),
    seasonSoFar(summary, model),
    !refusal && hits(address, entries, model, page.season),
    filters(address),
    refusal && element("p", { class: "notice alert", role: "alert", id: "no-match" }, refusal),
    !refusal && element("p", { class: "note", id: "shown" }, shownOf(page, entries.length, offset)),
    downloads(address, page.season, signal),
    ...(refusal
      ? []
      : [
          gameTable(page, entries.slice(offset, offset + LIMIT), league, models, model),
          pages(address, offset, entries.length),
        ]),
  ];
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
 * @param {string} season
 */
function hits(address, entries, model, season) {
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
    calls: [{ template: RESULTS, path: { sport: address.league, model_type: address.market }, query: { season } }],
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
    const query = { season, limit: WHOLE_SEASON, ...filtersOf(options) };
    return { page: await get(RESULTS, { path, query, signal }) };
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
 * The head of the outcome's column, by market.
 * @type {Record<Market, string>}
 */
const OUTCOME_HEADS = { over_under: "Went over", won_on_points: "Won", won_on_spread: "Covered" };

/**
 * @param {Page} page
 * @param {Entry[]} entries
 * @param {Models} league
 * @param {string[]} models The columns of models.
 * @param {string} model The displayed model.
 */
function gameTable({ model_type: market, season }, entries, league, models, model) {
  const number = true;
  const columns = [
    { head: "Game" },
    { head: "Start (ET)", line: true },
    { head: "Score", number, hint: "The away team's first." },
    ...POSTED[market].map(({ name }) => ({ head: name, number })),
    { head: modelName(model), number },
    { head: modelName("IMPLIED"), number },
    { head: OUTCOME_HEADS[market] },
    { head: "Forecast", hint: `Right if the side won to which ${modelName(model)} gave more than one half.` },
    {
      head: "Record",
      number,
      hint: `${modelName(model)}'s right and wrong forecasts up to this game, of the games shown.`,
    },
    { head: "Grading" },
  ];
  const rows = entries.map(({ game, hit, record }) => {
    const forecast = hit === null ? "–" : hit ? "right" : "wrong";
    const grading = game.graded ? "graded" : ungraded(game.ungraded_reason);
    return {
      id: `result-${[game.date, game.time_est, game.away_team, game.home_team, game.game_number].join("-").replace(/[^A-Za-z0-9]+/g, "-")}`,
      cells: [
        matchup(game),
        `${day(game.date)}, ${start(game.time_est)}`,
        game.home_score === null ? "–" : `${game.away_score}–${game.home_score}`,
        ...POSTED[market].map(({ field, write: written }) => written(game[field])),
        share(entryOf(game, model)),
        share(game.IMPLIED),
        winner(game, market),
        hit === null ? forecast : element("span", { class: "forecast" }, hitMark(game, model, hit), " ", forecast),
        record ?? "–",
        grading,
      ],
      values: [
        matchup(game),
        `${game.date} ${game.time_est ?? ""}`,
        game.home_score === null ? null : game.away_score + game.home_score,
        ...POSTED[market].map(({ field }) => game[field]),
        entryOf(game, model),
        game.IMPLIED,
        winner(game, market),
        hit === null ? null : forecast,
        record,
        grading,
      ],
      detail: () => detail(game, league, models, market),
    };
  });
  return table({ caption: `Games of ${season}`, columns, rows, empty: "There are no such games." });
}

/**
 * Returns the outcome in the words of its column: whether the total went over, or the team that won or covered.
 * @param {Row} game
 * @param {Market} market
 */
function winner(game, market) {
  const outcome = outcomeOf(game, market);
  if (outcome === null) {
    return game.push ? "push" : "–";
  }
  if (market === "over_under") {
    return outcome ? "yes" : "no";
  }
  return teamName(outcome ? game.home_team : game.away_team);
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
