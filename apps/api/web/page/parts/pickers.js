// Pickers of league, market, season and models: links, each to its own address.

import { carried, write } from "../address.js";
import { element } from "../dom.js";
import { LEAGUES, LEAGUE_NAMES, MARKETS, MARKET_NAMES, modelName } from "../words.js";

/** @import { Address } from "../address.js" */
/** @typedef {{ text: string, href: string, isChosen: boolean }} Choice */

/**
 * @param {string} name The name of the choice.
 * @param {Choice[]} choices
 */
function picker(name, choices) {
  const links = choices.map(({ text, href, isChosen }) => {
    const id = `pick-${name}-${text}`.toLowerCase().replace(/[^a-z0-9]+/g, "-");
    return element("li", {}, element("a", { id, href, "aria-current": isChosen && "true" }, text));
  });
  return element(
    "nav",
    { class: "picker", "aria-label": name },
    element("span", { "aria-hidden": "true" }, name),
    element("ul", {}, links),
  );
}

/** @param {Address} address */
export function leaguePicker(address) {
  const elsewhere = carried(address);
  const choices = LEAGUES.map((league) => ({
    text: LEAGUE_NAMES[league],
    // Leagues have seasons of their own.
    href: write(elsewhere, { league }, { season: null }),
    isChosen: league === address.league,
  }));
  return picker("League", choices);
}

/** @param {Address} address */
export function marketPicker(address) {
  const choices = MARKETS.map((market) => ({
    text: MARKET_NAMES[market],
    href: write(address, { market }, { strategy: null, offset: null }),
    isChosen: market === address.market,
  }));
  return picker("Market", choices);
}

/**
 * Builds the picker of seasons, newest first.
 * @param {Address} address
 * @param {string[]} seasons
 * @param {string | null} served The displayed season.
 */
export function seasonPicker(address, seasons, served) {
  const choices = seasons.map((season) => ({
    text: season,
    href: write(address, {}, { season, offset: null }),
    isChosen: season === served,
  }));
  return picker("Season", choices);
}

/**
 * Builds the picker of one value of an option.
 * @param {Address} address
 * @param {string} name
 * @param {string} option
 * @param {[string, string][]} values Codes and their words.
 * @param {string} chosen
 */
export function optionPicker(address, name, option, values, chosen) {
  const choices = values.map(([value, text]) => ({
    text,
    href: write(address, {}, { [option]: value, offset: null }),
    isChosen: value === chosen,
  }));
  return picker(name, choices);
}

/**
 * Builds the picker of any number of models.
 * @param {Address} address
 * @param {string[]} models
 * @param {string[]} chosen
 */
export function modelsPicker(address, models, chosen) {
  const choices = models.map((model) => {
    const others = chosen.filter((other) => other !== model);
    const next = chosen.includes(model) ? others : [...others, model];
    return {
      text: modelName(model),
      href: write(address, {}, { models: next.join(",") || null }),
      isChosen: chosen.includes(model),
    };
  });
  return picker("Models", choices);
}
