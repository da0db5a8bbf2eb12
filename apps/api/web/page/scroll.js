// The place on the page, which each entry of the browser's history keeps.

/** The time after the last movement until the place is kept. */
const RESTED = 100;

/** @type {number | null} */
let wanted = null;

/** Keeps the place of every entry, and remembers that of an entry to which the person goes back. */
export function keepPlace() {
  history.scrollRestoration = "manual";
  wanted = history.state?.place ?? null;
  let rest = 0;
  addEventListener("scroll", () => {
    clearTimeout(rest);
    rest = setTimeout(() => {
      // While a view loads, the page is short: that is no place of the person.
      if (!document.querySelector("main[aria-busy]")) {
        history.replaceState({ place: Math.round(scrollY) }, "");
      }
    }, RESTED);
  });
  addEventListener("popstate", ({ state }) => {
    clearTimeout(rest);
    wanted = state?.place ?? null;
  });
}

/** Returns the place to which the page has to scroll, once; null if there is none. */
export function placeOf() {
  const place = wanted;
  wanted = null;
  return place;
}
