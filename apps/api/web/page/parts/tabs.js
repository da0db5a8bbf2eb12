// The row of views, which is wider than a narrow window: the current one is in sight, and an end that goes on fades out.

/** The part of a tab in pixels that may be out of sight. */
const HIDDEN = 4;

/**
 * Fades the ends of a row of tabs that go on.
 * @param {HTMLElement} row
 */
export function fadeEnds(row) {
  const tell = () => {
    const after = row.scrollWidth - row.clientWidth - row.scrollLeft;
    row.dataset.more = [row.scrollLeft > HIDDEN && "before", after > HIDDEN && "after"].filter(Boolean).join(" ");
  };
  row.addEventListener("scroll", tell, { passive: true });
  new ResizeObserver(() => {
    showCurrent(row);
    tell();
  }).observe(row);
}

/**
 * Scrolls a row of tabs to the current one, and the page nowhere.
 * @param {HTMLElement} row
 */
export function showCurrent(row) {
  const current = row.querySelector("[aria-current]");
  if (current) {
    const [tab, all] = [current.getBoundingClientRect(), row.getBoundingClientRect()];
    row.scrollLeft += tab.left + tab.width / 2 - (all.left + all.width / 2);
  }
}
