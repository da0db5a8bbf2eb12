/*! With Preact, its signals and d3-array: see licenses.txt beside this file. */

// Elements of the page as Preact draws them. What is drawn again changes where it differs alone: the focus, open parts and typed
// texts stay. Text stays text: nothing here parses markup.

import { Signal } from "@preact/signals";
import { h, isValidElement, render } from "preact";

/** @import { ComponentType, VNode } from "preact" */
/** @typedef {VNode<any>} Part A described element, which is on the page once it is drawn. */
/** @typedef {Part | Signal<any> | string | number | null | undefined | false} Child A signal shows its value, whenever it changes. */
/** @typedef {Child | Nested} Children Lists within lists are fine. */
/** @typedef {readonly (Child | Nested)[]} Nested */
/**
 * @typedef {Record<string, any> & { on?: Record<string, (event: any) => void>, key?: string | number }} Attributes
 *   An attribute is present if true, absent if false or null; a signal as a value sets it whenever it changes; `on` has listeners;
 *   `ref` gets the element. The key, or else the id, says which one of its siblings an element is when it is drawn again.
 */

/** @param {Attributes} attributes */
function keyOf({ key, id }) {
  return key ?? (typeof id === "string" ? id : undefined);
}

/** @param {Attributes} attributes */
function propsOf({ on, key, ...attributes }) {
  /** @type {Record<string, unknown>} */
  const props = { key: keyOf({ key, ...attributes }) };
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "spellcheck") {
      // As a property of the element it is a boolean.
      props[name] = value === "true";
    } else if (value === true && name.includes("-")) {
      props[name] = "";
    } else if (value !== false && value !== null && value !== undefined) {
      props[name] = value;
    }
  }
  Object.entries(on ?? {}).forEach(([event, listener]) => (props[`on${event}`] = listener));
  return props;
}

/**
 * Describes an element with attributes and children.
 * @param {keyof HTMLElementTagNameMap | keyof SVGElementTagNameMap} tag
 * @param {Attributes} [attributes]
 * @param {...Children} children
 * @returns {Part}
 */
export function element(tag, attributes = {}, ...children) {
  const isBound = Object.values(attributes).some((value) => value instanceof Signal);
  return isBound
    ? h(Bound, { tag, attributes, children, key: keyOf(attributes) })
    : h(tag, propsOf(attributes), ...children);
}

/**
 * An element some of whose attributes are signals. Preact itself would bind them in the first drawing of a description alone.
 * @param {{ tag: string, attributes: Attributes, children: Children[] }} props
 */
function Bound({ tag, attributes, children }) {
  const values = Object.entries(attributes).map(([name, value]) => [
    name,
    value instanceof Signal ? value.value : value,
  ]);
  return h(tag, propsOf(Object.fromEntries(values)), ...children);
}

/** Describes an element of a drawing. */
export const svg = element;

/**
 * Returns the field whose event it is.
 * @param {Event} event
 */
export function fieldOf({ currentTarget }) {
  return /** @type {HTMLInputElement | HTMLSelectElement} */ (currentTarget);
}

/**
 * Describes a part with state of its own, which lasts as long as the part is on the page.
 * @template P
 * @param {ComponentType<P>} component
 * @param {P & { key?: string | number }} props
 * @param {...Children} children
 * @returns {Part}
 */
export function part(component, props, ...children) {
  return h(/** @type {ComponentType<any>} */ (component), props, ...children);
}

/** The id of a focused element that is no longer drawn. */
let lost = "";

/**
 * Draws the children of an element of index.html. An element that had the focus, and was not there for a while, as below the
 * notice of a failure, has it again, unless another one has it by then.
 * @param {Element} parent
 * @param {...Children} children
 */
export function replace(parent, ...children) {
  const focused = document.activeElement === document.body ? lost : document.activeElement?.id;
  render(children, parent);
  if (focused && document.activeElement === document.body) {
    document.getElementById(focused)?.focus({ preventScroll: true });
  }
  lost = (document.activeElement === document.body && focused) || "";
}

/**
 * Creates the element of a part apart from the page, for a picture of it.
 * @param {Part} described
 * @returns {Element}
 */
export function created(described) {
  const place = document.createElement("div");
  render(described, place);
  return /** @type {Element} */ (place.firstElementChild);
}

/**
 * Returns the text of a child, as it would be on the page.
 * @param {Children} child
 * @returns {string}
 */
export function textOf(child) {
  if (Array.isArray(child)) {
    return child.map(textOf).join("");
  }
  if (child instanceof Signal) {
    return textOf(child.peek());
  }
  if (isValidElement(child)) {
    const { type, props } = /** @type {Part} */ (child);
    return textOf(typeof type === "function" ? /** @type {any} */ (type)(props) : props.children);
  }
  return child === null || child === undefined || child === false ? "" : String(child);
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
 * @param {...Children} children
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
