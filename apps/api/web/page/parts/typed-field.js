// A field that follows the address.

import { useLayoutEffect, useRef } from "preact/hooks";
import { element, part } from "../dom.js";

/** @import { Attributes } from "../dom.js" */

/**
 * Builds a field with the value of the address. What is typed in it, and not sent yet, stays until the address has another value.
 * @param {Attributes} attributes
 * @param {string | number} value
 */
export function typedField(attributes, value) {
  return part(TypedField, { attributes, value: String(value) });
}

/** @param {{ attributes: Attributes, value: string }} props */
function TypedField({ attributes, value }) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useLayoutEffect(() => {
    if (field.current && field.current.value !== value) {
      field.current.value = value;
    }
  }, [value]);
  return element("input", { ...attributes, defaultValue: value, ref: field });
}
