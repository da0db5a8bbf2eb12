// Bytes, their texts, and their hashes.

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

const encoder = new TextEncoder();

/**
 * Encodes a text as UTF-8.
 * @param {string} text
 */
export const utf8 = (text) => encoder.encode(text);

/** @param {...ArrayLike<number>} parts */
export function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 */
export const same = (a, b) => a.length === b.length && a.every((byte, at) => byte === b[at]);

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} digits */
export const unhex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {...ArrayLike<number>} parts */
export const sha = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", joined(...parts)));

/**
 * Decodes standard base64 with padding in its canonical form; null for anything else.
 * @param {string} text
 */
export function decoded(text) {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) {
    return null;
  }
  try {
    const binary = atob(text);
    return btoa(binary) === text ? Uint8Array.from(binary, (symbol) => symbol.charCodeAt(0)) : null;
  } catch {
    return null;
  }
}

/**
 * Encodes bytes for an address: base64 with `-` and `_`, without padding.
 * @param {Uint8Array} bytes
 */
export function forAddress(bytes) {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * Decodes bytes from an address; null for anything else.
 * @param {string} text
 */
export function fromAddress(text) {
  const plain = text.replaceAll("-", "+").replaceAll("_", "/");
  return decoded(plain + "=".repeat((4 - (plain.length % 4)) % 4));
}

/**
 * Decodes UTF-8, with a byte order mark as a symbol; null for anything else.
 * @param {Uint8Array} bytes
 */
export function textOf(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Splits at the white space of ASCII alone: other characters are parts of a name.
 * @param {string} text
 */
export const words = (text) => text.split(/[ \t\r\n]+/).filter((word) => word !== "");
