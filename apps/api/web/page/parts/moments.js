// A slider over the releases of a league: an earlier moment of its slate.

import { write } from "../address.js";
import { getIfThere } from "../api.js";
import { element } from "../dom.js";
import { instant } from "../format.js";

/** @import { Address } from "../address.js" */
/** @import { Answer } from "../api.js" */
/** @typedef {Answer<"/api/v1/releases/{sport}">["releases"][number]} Release */

const RELEASES = "/api/v1/releases/{sport}";

/** The number of releases of the slider. */
const NEWEST = 100;

/** The milliseconds from the slider's last movement to the request. */
const RESTED = 150;

/**
 * The movement that is not requested yet. It outlives its slider, since a view that appears meanwhile has a new one.
 * @type {{ from: string, generation: number | null, timer: number } | null}
 */
let movement = null;

/**
 * Returns the entry of the log that the address names, as it is spelled there, since the API judges it; null for the
 * current one.
 * @param {Address} address
 */
export function generationOf({ options }) {
  const asked = options.get("generation");
  // Requests leave empty values out, and would be for the current entry.
  return asked === "" ? " " : asked;
}

/**
 * Requests a league's newest releases, oldest first, and the one that the address names if it is older.
 * @param {Address} address
 * @param {AbortSignal} signal
 * @returns {Promise<Release[]>}
 */
export async function momentsOf(address, signal) {
  const path = { sport: address.league };
  const page = await getIfThere(RELEASES, { path, query: { limit: NEWEST }, signal });
  const releases = (page?.releases ?? []).toReversed();
  const asked = generationOf(address);
  if (asked === null || releases.some(({ generation }) => generation === Number(asked))) {
    return releases;
  }
  const older = await getIfThere(RELEASES, { path, query: { before: Number(asked) + 1, limit: 1 }, signal });
  return [...(older?.releases ?? []), ...releases];
}

/**
 * Builds the slider, and the banner of the entry that the address names.
 * @param {Address} address
 * @param {Release[]} releases Oldest first.
 */
export function moments(address, releases) {
  const asked = generationOf(address);
  if (asked === null && releases.length < 2) {
    return null;
  }
  return element(
    "div",
    { class: "moments" },
    releases.length > 1 && sliderOf(address, releases),
    asked !== null && bannerOf(address, releases, Number(asked)),
  );
}

/**
 * @param {Address} address
 * @param {Release[]} releases
 */
function sliderOf(address, releases) {
  const last = releases.length - 1;
  const asked = generationOf(address);
  const named = asked === null ? null : Number(asked);
  const shown = movement?.from === location.hash ? movement.generation : named;
  const found = releases.findIndex(({ generation }) => generation === shown);
  const output = element("output", {});
  const slider = element("input", {
    id: "moment",
    type: "range",
    min: 0,
    max: last,
    value: found < 0 ? last : found,
    "aria-label": "The slate as of a release",
  });
  const tell = (/** @type {number | null} */ generation) => {
    const text = generation === null ? "now" : `as of ${timed(releases, generation)}entry ${generation}`;
    output.textContent = text;
    slider.setAttribute("aria-valuetext", text);
  };
  // The last place is the current slate, whatever is released later.
  const chosen = () => (Number(slider.value) === last ? null : releases[Number(slider.value)].generation);
  tell(shown);
  slider.addEventListener("input", () => tell(chosen()));
  slider.addEventListener("change", () => moveTo(address, chosen()));
  return element("div", { class: "slider" }, element("label", { for: "moment" }, "Releases"), slider, output);
}

/**
 * Moves to an entry once the slider rests: a held key moves it faster than a key of the API may request. A person who
 * has left the address meanwhile stays where they are.
 * @param {Address} address
 * @param {number | null} generation
 */
function moveTo(address, generation) {
  clearTimeout(movement?.timer);
  const from = location.hash;
  const move = () => {
    movement = null;
    if (location.hash === from) {
      location.hash = write(address, {}, { generation });
    }
  };
  movement = { from, generation, timer: setTimeout(move, RESTED) };
}

/**
 * @param {Address} address
 * @param {Release[]} releases
 * @param {number} generation
 */
function bannerOf(address, releases, generation) {
  return element(
    "p",
    { class: "notice", role: "status", id: "as-of" },
    element("strong", {}, `As of ${timed(releases, generation)}entry ${generation}`),
    " of the record: what was served then. ",
    element("a", { id: "now", href: write(address, {}, { generation: null }) }, "Show the current slate"),
  );
}

/**
 * Returns the time of an entry with a comma; empty if it is not listed.
 * @param {Release[]} releases
 * @param {number} asked
 */
function timed(releases, asked) {
  const release = releases.find(({ generation }) => generation === asked);
  return release ? `${instant(release.published_at)}, ` : "";
}
