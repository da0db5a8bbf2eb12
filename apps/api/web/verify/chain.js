// The chain of a league's entries: each names the hash of the one before, and the head is the hash of the newest.

/**
 * @typedef {object} Entry
 * @property {number} generation
 * @property {string} sha256
 * @property {string | null} [previous] Null for the first.
 */
/**
 * @typedef {object} Chain
 * @property {number} linked The number of entries from the head on that form an unbroken chain.
 * @property {boolean} isWhole True if it leads to the first entry.
 * @property {string | null} fault Where it breaks, in one sentence.
 */

/**
 * Follows a chain from its head.
 * @param {string} head
 * @param {readonly Entry[]} entries The newest first.
 * @returns {Chain}
 */
export function followChain(head, entries) {
  /** @type {string | null} */
  let named = head;
  let above = Infinity;
  for (const [at, { generation, sha256, previous }] of entries.entries()) {
    if (sha256 !== named || generation >= above) {
      const by = at === 0 ? "the head" : `entry ${entries[at - 1].generation}`;
      const fault =
        sha256 === named
          ? `Entry ${generation} stands after entry ${above}`
          : `The hash of entry ${generation} is not the one that ${by} names`;
      return { linked: at, isWhole: false, fault };
    }
    [named, above] = [previous ?? null, generation];
  }
  return { linked: entries.length, isWhole: entries.length > 0 && named === null, fault: null };
}
