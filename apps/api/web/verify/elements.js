// Creation of elements. Text stays text: nothing here parses markup. A page of one file that is to be read has no library for it.

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
export function element(tag, { on = {}, ...attributes } = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, value === true ? "" : String(value));
    }
  }
  Object.entries(on).forEach(([event, listener]) => made.addEventListener(event, listener));
  append(made, ...children);
  return made;
}

/**
 * @param {Node} parent
 * @param {...(Child | Child[])} children
 */
function append(parent, ...children) {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) {
      parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
    }
  }
}

/**
 * Replaces the children of an element.
 * @param {Element} parent
 * @param {...(Child | Child[])} children
 */
export function replace(parent, ...children) {
  parent.replaceChildren();
  append(parent, ...children);
}

/**
 * Returns an element of the page by its id.
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
