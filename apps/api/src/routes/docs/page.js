// The entered key is kept for this tab and always sent in a header, so that it is in no address.

const DOCUMENT = "../openapi.json";
const KEPT = "api-key";
const IN_THE_QUERY = "api_key";

const keptForTheTab = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (authorize) => (schemes) => {
          const [key] = Object.values(schemes).map((scheme) => scheme.value).filter(Boolean);
          if (key) sessionStorage.setItem(KEPT, key);
          return authorize(schemes);
        },
        logout: (logout) => (schemes) => {
          sessionStorage.removeItem(KEPT);
          return logout(schemes);
        },
      },
    },
  },
});

const withoutKeyInTheAddress = (request) => {
  const address = new URL(request.url, location.href);
  const key = address.searchParams.get(IN_THE_QUERY);
  if (key !== null) {
    address.searchParams.delete(IN_THE_QUERY);
    request.url = address.href;
    request.headers["X-API-Key"] = key;
  }
  return request;
};

// The text in the filter is searched in paths and summaries, and the areas with a match are unfolded.

const mentions = (operation, text) => {
  const summary = operation.getIn(["operation", "summary"]) ?? "";
  return `${operation.get("method")} ${operation.get("path")} ${summary}`.toLowerCase().includes(text);
};

const filteredByOperation = () => ({
  fn: {
    opsFilter: (areas, phrase) => {
      const text = phrase.trim().toLowerCase();
      const matching = (area, name) =>
        name.toLowerCase().includes(text)
          ? area
          : area.update("operations", (all) => all.filter((operation) => mentions(operation, text)));
      return areas.map(matching).filter((area) => area.get("operations").size > 0);
    },
  },
  statePlugins: {
    layout: {
      wrapActions: {
        updateFilter: (update, system) => (phrase) => {
          const isTyped = typeof phrase === "string" && phrase.trim() !== "";
          system.specSelectors.taggedOperations().keySeq().forEach((name) => {
            system.layoutActions.show(["operations-tag", name], isTyped);
          });
          return update(phrase);
        },
      },
    },
  },
});

// The library's resolver of references reads the whole document for each operation that is opened, which takes seconds. Every
// reference of this document is to one of its own components. The result is the library's: `allOf` is one schema, and `$$ref`
// names the component.

const at = (spec, path) => path.reduce((part, name) => part[name], spec);

const united = (schemas) =>
  schemas.reduce((all, schema) => ({
    ...all,
    ...schema,
    required: [...(all.required ?? []), ...(schema.required ?? [])],
    properties: { ...all.properties, ...schema.properties },
  }));

const resolved = (node, spec, within = []) => {
  if (Array.isArray(node)) return node.map((item) => resolved(item, spec, within));
  if (node === null || typeof node !== "object" || within.includes(node.$ref)) return node;
  const { $ref: reference, ...others } = node;
  const parts = Object.entries(others).map(([name, part]) => [name, resolved(part, spec, within)]);
  const { allOf, ...rest } = Object.fromEntries(parts);
  const own = allOf ? { ...united(allOf), ...rest } : rest;
  if (typeof reference !== "string") return own;
  const component = at(spec, reference.slice("#/".length).split("/"));
  return { ...resolved(component, spec, [...within, reference]), ...own, $$ref: new URL(DOCUMENT + reference, location.href).href };
};

const resolvedHere = () => ({
  fn: { resolveSubtree: async (spec, path) => ({ spec: resolved(at(spec, path), spec), errors: [] }) },
});

const dark = matchMedia("(prefers-color-scheme: dark)");
const useScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", useScheme);
useScheme();

// What the library leaves without a name gets one, its headings their levels, and a button has no link in it.

const nameOf = (select) =>
  select.id === "servers"
    ? "Server"
    : (select.closest("tr")?.querySelector(".parameter__name")?.firstChild?.textContent ?? "Media type");

const LEVELS = { H3: 2, H4: 3, H5: 4 };

const name = (root) => {
  const each = (selector, change) => root.querySelectorAll(selector).forEach(change);
  each("select:not([aria-label])", (select) => select.setAttribute("aria-label", nameOf(select)));
  each(":is(h3, h4, h5):not([aria-level])", (heading) => heading.setAttribute("aria-level", LEVELS[heading.tagName]));
  each(".models h4", (heading) => heading.setAttribute("aria-level", "2"));
  each(".responses-table[role=region]:not([aria-label])", (table) => {
    const path = table.closest(".opblock")?.querySelector(".opblock-summary-control")?.textContent ?? "";
    table.setAttribute("aria-label", `Responses of ${path}`);
  });
  each("pre.microlight:not([tabindex])", (example) => example.setAttribute("tabindex", "0"));
  each(".opblock-summary-control a[href]", (link) => link.removeAttribute("href"));
};

// The current view is in sight in a narrow window, too.
document.querySelector("header ul").scrollLeft = document.querySelector("header [aria-current]").offsetLeft;

const operations = document.querySelector("#operations");
let isNaming = false;
new MutationObserver(() => {
  if (isNaming) return;
  isNaming = true;
  requestAnimationFrame(() => {
    isNaming = false;
    name(operations);
  });
}).observe(operations, { childList: true, subtree: true });

const page = SwaggerUIBundle({
  dom_id: "#operations",
  url: DOCUMENT,
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  tryItOutEnabled: true,
  plugins: [keptForTheTab, filteredByOperation, resolvedHere],
  requestInterceptor: withoutKeyInTheAddress,
  onComplete: () => {
    const key = sessionStorage.getItem(KEPT);
    if (key) page.preauthorizeApiKey("api_key_header", key);
  },
});
