// A slider over the releases of a league: an earlier moment of its slate.

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { write } from "../address.js";
import { getIfThere } from "../api.js";
import { element, fieldOf, part } from "../dom.js";
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
    releases.length > 1 && part(Slider, { address, releases }),
    asked !== null && bannerOf(address, releases, Number(asked)),
  );
}

/**
 * The slider of the releases. It moves to an entry once it rests: a held key moves it faster than a key of the API may request.
 * A person who has left the address meanwhile stays where they are.
 * @param {{ address: Address, releases: Release[] }} props
 */
function Slider({ address, releases }) {
  const last = releases.length - 1;
  const asked = generationOf(address);
  const named = asked === null ? null : Number(asked);
  /** The place to which a person has moved it, until the slate of that place is there. */
  const moved = useSignal(/** @type {number | null} */ (null));
  /** True from a movement until it is asked for: what is displayed meanwhile is of a former one. */
  const isMoving = useRef(false);
  const timer = useRef(0);
  useLayoutEffect(() => {
    if (!isMoving.current) {
      moved.value = null;
    }
  }, [write(address)]);
  useEffect(() => () => clearTimeout(timer.current), []);
  // The last place is the current slate, whatever is released later.
  const at = (/** @type {number} */ place) => (place === last ? null : releases[place].generation);
  const found = releases.findIndex(({ generation }) => generation === named);
  const place = moved.value ?? (found < 0 ? last : found);
  const shown = moved.value === null ? named : at(place);
  const text = shown === null ? "now" : `as of ${timed(releases, shown)}entry ${shown}`;
  const input = (/** @type {Event} */ event) => {
    isMoving.current = true;
    moved.value = Number(fieldOf(event).value);
  };
  const change = (/** @type {Event} */ event) => {
    input(event);
    clearTimeout(timer.current);
    const [from, generation] = [location.hash, at(moved.value ?? last)];
    const move = () => {
      isMoving.current = false;
      const to = write(address, {}, { generation });
      if (location.hash === from && to !== from) {
        location.hash = to;
      } else {
        moved.value = null;
      }
    };
    timer.current = setTimeout(move, RESTED);
  };
  const slider = element("input", {
    ...{ id: "moment", type: "range", min: 0, max: last, value: place, on: { input, change } },
    ...{ "aria-label": "The slate as of a release", "aria-valuetext": text },
  });
  return element(
    "div",
    { class: "slider" },
    element("label", { for: "moment" }, "Releases"),
    slider,
    element("output", {}, text),
  );
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
