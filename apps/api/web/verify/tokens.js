// Timestamps by RFC 3161: what they are of, and whose.

import { decoded, same, textOf } from "./bytes.js";
import { Refused, demand } from "./refusal.js";

/** @import { Bytes } from "./bytes.js" */
/** @import { Certificate, SignedData } from "./pkijs.js" */
/** @import { Heard } from "./proof.js" */
/** @import { File } from "./verdict.js" */
/** @typedef {typeof import("./pkijs.js")} Library */
/** @typedef {{ name: string, certificates: Certificate[] }} Authority */
/** @typedef {{ signed: SignedData, time: Date, latest: bigint }} Token The last second by which the checkpoint was there. */

/** The length of the longest token that is read, in bytes. */
const LIMIT = 256 << 10;
const TOKEN_TYPE = "1.2.840.113549.1.9.16.1.4";
const TIME_STAMPING = "1.3.6.1.5.5.7.3.8";
const EXTENDED_KEY_USAGE = "2.5.29.37";
const BASIC_CONSTRAINTS = "2.5.29.19";
/** @type {Record<string, string>} */
const DIGESTS = {
  "2.16.840.1.101.3.4.2.1": "SHA-256",
  "2.16.840.1.101.3.4.2.2": "SHA-384",
  "2.16.840.1.101.3.4.2.3": "SHA-512",
};

/**
 * Runs a function of the library, which throws for what it cannot read.
 * @template T
 * @param {() => T} read
 * @param {string} sentence
 */
function parsed(read, sentence) {
  try {
    return read();
  } catch {
    throw new Refused(2, sentence);
  }
}

/**
 * @param {Certificate} certificate
 * @param {string} id
 */
const extension = (certificate, id) => certificate.extensions?.find(({ extnID }) => extnID === id);

/** @param {Certificate} certificate */
const usages = (certificate) => extension(certificate, EXTENDED_KEY_USAGE)?.parsedValue?.keyPurposes;

/**
 * Reads the certificates of an authority.
 * @param {Library} library
 * @param {File} file
 * @returns {Authority}
 */
function readAuthority({ Certificate }, { name, bytes }) {
  const blocks = (textOf(bytes) ?? "").match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g);
  const none = `${name} cannot be used: it has no certificate: expected one or more in PEM`;
  demand(blocks, none, 2);
  const der = (/** @type {string} */ block) =>
    decoded(block.replace(/-----[A-Z ]*-----/g, "").replace(/\s/g, "")) ?? new Uint8Array();
  const certificates = parsed(() => blocks.map((block) => Certificate.fromBER(der(block))), none);
  const isUsable = (/** @type {Certificate} */ certificate) =>
    usages(certificate)?.includes(TIME_STAMPING) ?? extension(certificate, BASIC_CONSTRAINTS)?.parsedValue?.cA ?? false;
  const other = `${name} cannot be used: it is for something else than timestamps: name the authority's root`;
  demand(certificates.every(isUsable), other, 2);
  return { name, certificates };
}

/**
 * Reads a token of a checkpoint, and the second by which the checkpoint was there.
 * @param {Library} library
 * @param {File} file
 * @param {Bytes} checkpoint
 * @returns {Promise<Token>}
 */
async function readToken({ SignedData, TSTInfo, TimeStampResp }, { name, bytes }, checkpoint) {
  const long = `--token ${name}: it has more than 256 KiB, and a timestamp has less than 10`;
  demand(bytes.length <= LIMIT, long, 2);
  const none = `--token ${name}: it is not the reply of a timestamp authority (RFC 3161, a .tsr file)`;
  const [signed, info] = parsed(() => {
    const reply = TimeStampResp.fromBER(bytes);
    const token = new SignedData({ schema: reply.timeStampToken.content });
    const { eContentType, eContent } = token.encapContentInfo;
    const isToken = reply.status.status <= 1 && eContentType === TOKEN_TYPE && token.signerInfos.length === 1;
    return isToken ? [token, TSTInfo.fromBER(eContent.getValue())] : [null, null];
  }, none);
  const digest = DIGESTS[info?.messageImprint.hashAlgorithm.algorithmId ?? ""];
  demand(signed && info && digest, none, 2);
  const found = new Uint8Array(await crypto.subtle.digest(digest, checkpoint));
  const isOwn = same(found, new Uint8Array(info.messageImprint.hashedMessage.getValue()));
  demand(isOwn, `--token ${name}: it is a timestamp of another checkpoint: name one of those of this proof`, 2);
  const { seconds = 0, millis = 0, micros = 0 } = info.accuracy ?? {};
  const latest = Math.ceil((info.genTime.getTime() + seconds * 1000 + millis + micros / 1000) / 1000);
  return { signed, time: info.genTime, latest: BigInt(latest) };
}

/**
 * Returns the reason for which a token is none of an authority, at the time of the token; null if it is one.
 * @param {Token} token
 * @param {Authority} authority
 * @param {Bytes} checkpoint
 */
async function foreign({ signed, time }, authority, checkpoint) {
  const isValid = (/** @type {Certificate} */ { notBefore, notAfter }) =>
    notBefore.value <= time && time <= notAfter.value;
  const trustedCerts = authority.certificates.filter(isValid);
  const terms = { signer: 0, data: checkpoint.slice().buffer, checkDate: time, checkChain: true, trustedCerts };
  try {
    const { signatureVerified, signerCertificate } = await signed.verify({ ...terms, extendedMode: true });
    const isForStamps =
      extension(signerCertificate, EXTENDED_KEY_USAGE)?.critical && usages(signerCertificate)?.join() === TIME_STAMPING;
    const reason = signatureVerified ? "its certificate is not one for timestamps alone" : "its signature fails";
    return signatureVerified && isForStamps ? null : reason;
  } catch (error) {
    // The library throws objects that are no errors.
    return /** @type {{ message?: string }} */ (error).message ?? "it cannot be verified";
  }
}

/**
 * Returns time and place of the first authority that each token is of, and a sentence for each that is of none.
 * @param {Library} library
 * @param {File[]} files
 * @param {Authority[]} authorities
 * @param {Bytes} checkpoint
 */
async function hearTokens(library, files, authorities, checkpoint) {
  /** @type {Heard[]} */
  const stamped = [];
  /** @type {string[]} */
  const notes = [];
  for (const file of files) {
    const token = await readToken(library, file, checkpoint);
    const reasons = [];
    for (const [place, authority] of authorities.entries()) {
      const reason = await foreign(token, authority, checkpoint);
      if (reason === null) {
        stamped.push({ time: token.latest, place });
        break;
      }
      reasons.push(`${authority.name}: ${reason}`);
    }
    if (reasons.length === authorities.length) {
      notes.push(`not counted: ${file.name}: ${reasons.join("; ")}`);
    }
  }
  return { stamped, notes };
}

/**
 * Returns the functions for timestamps with their library.
 * @param {Library} library
 */
export function timestamps(library) {
  return {
    readAuthority: (/** @type {File} */ file) => readAuthority(library, file),
    hearTokens: (
      /** @type {File[]} */ files,
      /** @type {Authority[]} */ authorities,
      /** @type {Bytes} */ checkpoint,
    ) => hearTokens(library, files, authorities, checkpoint),
  };
}
