// The embed of one figure on a page of somebody else: `/explore/?embed#/…?figure=reliability`. It shows public data alone,
// asks for no key and sends none.

import { append, byId, element, figureNamed } from "./dom.js";

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
  const link = element("a", { target: "_blank", rel: "noopener" }, byId("site-name").textContent);
  const missing = element("span", { class: "missing" }, "This figure is not open to everybody here. ");
  append(document.body, element("p", { class: "source" }, missing, link, " ", byId("simulated")));
  const choose = () => {
    const asked = new URLSearchParams(location.hash.split("?")[1]).get("figure") ?? "";
    link.href = new URL(location.pathname + location.hash, location.href).href;
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
