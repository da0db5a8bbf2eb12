// Files that the page makes, as downloads.

/**
 * @param {Blob} content
 * @param {string} name
 */
export function keepFile(content, name) {
  const href = URL.createObjectURL(content);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  // By then the browser has read the address.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
