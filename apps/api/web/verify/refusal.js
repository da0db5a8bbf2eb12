// The reasons for which something is not proven.

/** A reason for the exit code 1 (not proven) or 2 (bad input), in one sentence. */
export class Refused extends Error {
  /**
   * @param {1 | 2} code
   * @param {string} sentence
   */
  constructor(code, sentence) {
    super(sentence);
    this.code = code;
  }
}

/**
 * Refuses with a sentence unless something holds.
 * @param {unknown} holds
 * @param {string} sentence
 * @param {1 | 2} [code]
 * @returns {asserts holds}
 */
export function demand(holds, sentence, code = 1) {
  if (!holds) {
    throw new Refused(code, sentence);
  }
}
