// A slider over the releases of a league: an earlier moment of its slate.

import { write } from "../address.js";
import { getIfThere } from "../api.js";
import { element } from "../dom.js";
import { instant } from "../format.js";

/** @import { Address } from "../address.js" */
/** @import { Release } from "./days.js" */

const RELEASES = "/api/v1/releases/{sport}";

/** The number of releases of the slider. */
const NEWEST = 100;

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
 * Builds the slider, and the banner of an earlier moment.
 * @param {Address} address
 * @param {Release[]} releases Oldest first.
 */
export function moments(address, releases) {
  const asked = generationOf(address);
  const last = releases.length - 1;
  if (last < 1) {
    return null;
  }
  const found = releases.findIndex(({ generation }) => generation === Number(asked));
  const chosen = found < 0 ? last : found;
  const output = element("output", {});
  const slider = element("input", {
    id: "moment",
    type: "range",
    min: 0,
    max: last,
    value: chosen,
    "aria-label": "The slate as of a release",
  });
  const tell = () => {
    const place = Number(slider.value);
    const { published_at: at, generation } = releases[place];
    const text = place === last ? "now" : `as of ${instant(at)}, entry ${generation}`;
    output.textContent = text;
    slider.setAttribute("aria-valuetext", text);
  };
  tell();
  slider.addEventListener("input", tell);
  slider.addEventListener("change", () => {
    const place = Number(slider.value);
    location.hash = write(address, {}, { generation: place === last ? null : releases[place].generation });
  });
  const now = element("a", { id: "now", href: write(address, {}, { generation: null }) }, "Show the current slate");
  return element(
    "div",
    { class: "moments" },
    element("div", { class: "slider" }, element("label", { for: "moment" }, "Releases"), slider, output),
    found >= 0 && found < last
      ? element(
          "p",
          { class: "notice", role: "status", id: "as-of" },
          element("strong", {}, `As of ${instant(releases[found].published_at)}`),
          `, entry ${asked} of the record: what was served then. `,
          now,
        )
      : null,
  );
}
