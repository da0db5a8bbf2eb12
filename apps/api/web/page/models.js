// The models of a league: their order, titles and retirement, as the publisher declared them.

import { Refusal, getIfThere } from "./api.js";
import { element } from "./dom.js";
import { instant } from "./format.js";
import { toneOf } from "./parts/tones.js";
import { LEAGUE_NAMES, STANDARD_MODELS, modelName } from "./words.js";

/** @import { Answer } from "./api.js" */
/** @import { Child } from "./dom.js" */
/** @import { Address } from "./address.js" */
/** @import { League, Market } from "./words.js" */
/** @typedef {Answer<"/api/v1/models/{sport}">} Listed */
/** @typedef {Listed["models"][number]} Entry */

/** The model of an answer that names none, which a server of an earlier version sends. */
export const STANDARD_MODEL = "BLEND";

/** The declarations of a league; without them, models have only their names, and own models the order of an answer. */
export class Models {
  /** @type {Map<string, Entry>} */
  #entries;
  /** @type {string[]} */
  #own;

  /**
   * @param {Listed | null} listed
   * @param {string[]} [names] The models of an answer, if there are no declarations.
   */
  constructor(listed, names = []) {
    const entries = listed?.models ?? [];
    /** The default model of each market. */
    this.headlines = listed?.headlines;
    /** The default model of a market that a server of an earlier version sends. */
    this.headline = listed?.headline ?? STANDARD_MODEL;
    this.#entries = new Map(entries.map((entry) => [entry.model, entry]));
    this.#own = listed
      ? entries.filter(({ kind }) => kind === "own").map(({ model }) => model)
      : names.filter((name) => !STANDARD_MODELS.includes(name));
  }

  /**
   * Returns the default model of requests for a market.
   * @param {Market} market
   */
  headlineOf(market) {
    return this.headlines?.[market] ?? this.headline;
  }

  /** Returns the names of all models, in order of declaration. */
  get names() {
    return [...this.#entries.keys()];
  }

  /**
   * Returns names in order of declaration, each once, and the retired models last.
   * @param {string[]} names
   */
  ordered(names) {
    const places = new Map(this.names.map((name, place) => [name, place + 1]));
    const place = (/** @type {string} */ name) => (this.isRetired(name) ? places.size : 0) + (places.get(name) ?? 0);
    return [...new Set(names)].sort((a, b) => place(a) - place(b));
  }

  /** @param {string} name */
  isRetired(name) {
    return Boolean(this.#entries.get(name)?.retired_at);
  }

  /**
   * Returns the publisher's title of a model; empty if the title is its name.
   * @param {string} name
   */
  title(name) {
    const title = this.#entries.get(name)?.title ?? name;
    return title === name ? "" : title;
  }

  /** @param {string} name */
  tone(name) {
    return toneOf(name, this.#own.indexOf(name));
  }

  /**
   * Builds the name of a model with its title, for a cell.
   * @param {string} name
   * @param {string} [otherwise] The text in place of a missing title.
   */
  label(name, otherwise = "") {
    const title = this.title(name) || otherwise;
    const words = title && element("small", {}, element("bdi", {}, title));
    return element("span", { class: "model" }, modelName(name), title && " ", words);
  }

  /**
   * Returns the publisher's words on each model of its own, each in its own direction of writing.
   * @returns {[string, Child[]][]}
   */
  described() {
    const declared = [...this.#entries.values()].filter(({ kind }) => kind === "own");
    return declared.map(({ model, title, description, url, versions, retired_at: retired }) => {
      const version = versions[0] && `Version ${versions[0].version}.`;
      const words = [`${title}.`, description, url, version, retired && `Retired ${instant(retired)}.`];
      return [model, words.filter(Boolean).flatMap((word) => [element("bdi", {}, word), " "])];
    });
  }
}

/**
 * Requests the declarations of a league, which need a key.
 * @param {{ league: League }} of
 * @param {AbortSignal} signal
 */
export async function modelsOf({ league: sport }, signal) {
  return new Models(await getIfThere("/api/v1/models/{sport}", { path: { sport }, signal }));
}

/**
 * Sends requests for the model of the address; if the league lacks it, for the default model.
 * @template T
 * @param {Address} address
 * @param {(model: string | null) => Promise<T>} ask
 */
export async function ofModel({ options }, ask) {
  const model = options.get("model");
  try {
    return await ask(model);
  } catch (error) {
    if (!model || !(error instanceof Refusal) || ![400, 404].includes(error.status)) {
      throw error;
    }
    return ask(null);
  }
}

/**
 * Builds the note on a model of the address that is not shown; nothing without such a model.
 * @param {Address} address
 * @param {string} shown
 * @param {string} [place] The place that lacks the model, if it is not the league.
 */
export function missingNote({ options, league }, shown, place = LEAGUE_NAMES[league]) {
  const asked = options.get("model") || shown;
  const text = `${place} has no model ${asked}; the figures are those of ${modelName(shown)}.`;
  return asked !== shown && element("p", { class: "notice", role: "status", id: "no-model" }, text);
}

/**
 * Builds the note of an answer in which the model has no value although others have.
 * @param {{ message?: string }} answer
 */
export function valueNote({ message }) {
  return message && element("p", { class: "notice", role: "status", id: "no-value" }, `${message}.`);
}

/**
 * Returns the entry of a name; names such as `constructor` have no entry unless the entries have it.
 * @template T
 * @param {Record<string, T> | null | undefined} entries
 * @param {string} name
 * @returns {T | undefined}
 */
export function entryOf(entries, name) {
  return entries && Object.hasOwn(entries, name) ? entries[name] : undefined;
}
