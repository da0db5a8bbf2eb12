// The tree of a league's leaves: bundles of leaves by C2SP tlog-tiles, their root by RFC 6962, and the entries that they name.

import { sha, textOf } from "./bytes.js";
import { demand } from "./refusal.js";

/** @import { Bytes } from "./bytes.js" */
/** @import { Entry } from "./chain.js" */

/** The number of leaves in a full bundle. */
const FULL = 256;

/**
 * Returns the paths of the bundles of a tree, below its `tile/`.
 * @param {number} size
 */
export function bundlesOf(size) {
  return Array.from({ length: Math.ceil(size / FULL) }, (_, number) => {
    const width = Math.min(FULL, size - number * FULL);
    const digits = String(number);
    const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/.../g) ?? [];
    const path = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join("/");
    return { path: `entries/${path}${width < FULL ? `.p/${width}` : ""}`, width };
  });
}

/**
 * Splits a bundle into its leaves, each of which follows its length in two bytes.
 * @param {Bytes} bundle
 * @param {number} width
 */
export function leavesOf(bundle, width) {
  /** @type {Bytes[]} */
  const leaves = [];
  let at = 0;
  while (at + 2 <= bundle.length) {
    const length = bundle[at] * 256 + bundle[at + 1];
    leaves.push(bundle.slice(at + 2, at + 2 + length));
    at += 2 + length;
  }
  demand(at === bundle.length && leaves.length === width, "a bundle of leaves is cut off");
  return leaves;
}

/**
 * Returns the root of a tree: its complete subtrees, the largest first, hashed from the right.
 * @param {readonly Bytes[]} leaves
 */
export async function rootOf(leaves) {
  /** @type {{ height: number, hash: Bytes }[]} */
  const edge = [];
  for (const leaf of leaves) {
    let node = { height: 0, hash: await sha([0], leaf) };
    while (edge.at(-1)?.height === node.height) {
      const left = /** @type {typeof node} */ (edge.pop());
      node = { height: node.height + 1, hash: await sha([1], left.hash, node.hash) };
    }
    edge.push(node);
  }
  let root = edge.pop()?.hash ?? (await sha());
  while (edge.length > 0) {
    root = await sha([1], /** @type {{ hash: Bytes }} */ (edge.pop()).hash, root);
  }
  return root;
}

const RELEASE = /^sports-record\/v1 (release|earlier)\n[a-z0-9_]+ ([1-9][0-9]*) [^\n]*\nsha256:([0-9a-f]{64})\n$/;
const NONE = "0".repeat(64);

/**
 * Returns the first entry of a league's list that its leaves contradict, and the number of leaves that name an entry. A leaf `release`
 * has the hash of the entry before its own, a leaf `earlier` that of an entry from before the tree.
 * @param {readonly Bytes[]} leaves
 * @param {readonly Entry[]} entries
 */
export function compareEntries(leaves, entries) {
  const known = new Map(entries.map((entry) => [entry.generation, entry]));
  let named = 0;
  for (const leaf of leaves) {
    const match = RELEASE.exec(textOf(leaf) ?? "");
    const entry = match && known.get(Number(match[2]));
    if (match && entry) {
      const stated = match[1] === "release" ? (entry.previous ?? NONE) : entry.sha256;
      if (stated !== match[3]) {
        return { named, differs: entry.generation };
      }
      named += 1;
    }
  }
  return { named, differs: null };
}
