// Tables as CSV, with figures as the API serves them.

/**
 * @param {string[]} heads
 * @param {(string | number | null | undefined)[][]} rows
 */
export function csv(heads, rows) {
  const field = (/** @type {string | number | null | undefined} */ value) => {
    const text = value === null || value === undefined ? "" : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [heads, ...rows].map((row) => `${row.map(field).join(",")}\r\n`).join("");
}
