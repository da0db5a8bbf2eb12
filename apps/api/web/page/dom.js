// Creation of elements. Text stays text: nothing here parses markup.

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Creates an element with attributes and children. An attribute is present if true, absent if false or null; `on` has
 * listeners.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown> & { on?: Record<string, (event: Event) => void> }} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      Object.entries(attributes.on ?? {}).forEach(([event, listener]) => made.addEventListener(event, listener));
    } else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(made, ...children);
  return made;
}

/**
 * @param {Node} parent
 * @param {...(Child | Child[])} children
 */
export function append(parent, ...children) {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) {
      parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
    }
  }
}

/** The id of a focused element that was replaced by others. */
let lost = "";

/**
 * Replaces the children of an element. The focus stays on the element with the same id. If there is none, as below the
 * notice of a failure, a later one gets it, unless another element has the focus by then.
 * @param {Element} parent
 * @param {...(Child | Child[])} children
 */
export function replace(parent, ...children) {
  const focused = document.activeElement === document.body ? lost : document.activeElement?.id;
  parent.replaceChildren();
  append(parent, ...children);
  if (focused && document.activeElement?.id !== focused) {
    document.getElementById(focused)?.focus({ preventScroll: true });
  }
  lost = (document.activeElement === document.body && focused) || "";
}

/**
 * Returns an element of index.html by its id.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) {
    throw new Error(`there is no element #${id}`);
  }
  return found;
}

/**
 * Creates a section with a heading, which names it.
 * @param {string} title
 * @param {...(Child | Child[])} children
 */
export function section(title, ...children) {
  const id = `section-${title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
  return element("section", { "aria-labelledby": id }, element("h2", { id }, title), ...children);
}

/**
 * Finds a figure by the name that an address has: its own, or the beginning of it, as `reliability` of `reliability-live`.
 * @param {string} name
 * @returns {HTMLElement | null}
 */
export function figureNamed(name) {
  const begins = CSS.escape(`figure-${name}`);
  return document.querySelector(`figure#${begins}`) ?? document.querySelector(`figure[id^="${begins}-"]`);
}
