// The clipboard, which a browser gives to pages that it trusts alone: over https, or on this machine.

const MISSING = "This page cannot use the clipboard here: browsers allow it over https and on this machine alone.";

/** @param {unknown} error */
function refusal(error) {
  return `Nothing was copied: ${error instanceof Error ? error.message : error}.`;
}

/**
 * Copies a text; returns what became of it, in words.
 * @param {string} text
 */
export async function copyText(text) {
  if (!navigator.clipboard) {
    return MISSING;
  }
  try {
    await navigator.clipboard.writeText(text);
    return "Copied.";
  } catch (error) {
    return refusal(error);
  }
}

/**
 * Copies a picture; returns what became of it, in words. The picture may still be made: a browser allows the copy only
 * at the click itself.
 * @param {Promise<Blob>} picture
 */
export async function copyPicture(picture) {
  if (!navigator.clipboard?.write || typeof ClipboardItem === "undefined") {
    return `${MISSING} Save it as PNG instead.`;
  }
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
    return "Copied.";
  } catch (error) {
    return refusal(error);
  }
}
