// The embed of one figure on a page of somebody else: `/explore/?embed#/…?figure=reliability`. It shows public data alone,
// asks for no key and sends none.

import { byId, element, figureNamed, replace } from "./dom.js";

/** Returns true if the page shows one figure alone. */
export function isEmbed() {
  return new URLSearchParams(location.search).has("embed");
}

/** The class of the figure that is shown; the style sheet hides all else. */
const SHOWN = "embedded";

/** Shows the figure of the address alone, as soon as its view has it. */
export function showEmbed() {
  document.documentElement.classList.add("embed");
  const main = byId("main");
  const source = document.createElement("p");
  source.className = "source";
  const words = document.createElement("span");
  source.append(words, byId("simulated"));
  document.body.append(source);
  const choose = () => {
    const asked = new URLSearchParams(location.hash.split("?")[1]).get("figure") ?? "";
    const { href } = new URL(location.pathname + location.hash, location.href);
    replace(
      words,
      element("span", { class: "missing" }, "This figure is not open to everybody here. "),
      element("a", { href, target: "_blank", rel: "noopener" }, byId("site-name").textContent),
      " ",
    );
    const found = figureNamed(asked);
    main.querySelectorAll(`.${SHOWN}`).forEach((figure) => figure.classList.toggle(SHOWN, figure === found));
    found?.classList.add(SHOWN);
  };
  choose();
  new MutationObserver(choose).observe(main, { childList: true, subtree: true });
  addEventListener("hashchange", choose);
  // A link leads to the page, which has room for a view.
  main.addEventListener("click", (event) => {
    const followed = event.target instanceof Element ? event.target.closest("a[href^='#']") : null;
    if (followed) {
      event.preventDefault();
      window.open(location.pathname + followed.getAttribute("href"), "_blank", "noopener");
    }
  });
}
