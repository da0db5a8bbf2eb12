// The part of the vendored library that tokens.js uses.

interface Extension {
  extnID: string;
  critical: boolean;
  parsedValue?: { keyPurposes?: string[]; cA?: boolean };
}

export class Certificate {
  static fromBER(bytes: Uint8Array): Certificate;
  extensions?: Extension[];
  notBefore: { value: Date };
  notAfter: { value: Date };
}

interface OctetString {
  getValue(): ArrayBuffer;
}

export class SignedData {
  constructor(of: { schema: unknown });
  encapContentInfo: { eContentType: string; eContent: OctetString };
  signerInfos: unknown[];
  verify(terms: {
    signer: number;
    data: ArrayBuffer;
    checkDate: Date;
    checkChain: boolean;
    trustedCerts: Certificate[];
    extendedMode: true;
  }): Promise<{ signatureVerified: boolean; signerCertificate: Certificate }>;
}

export class TSTInfo {
  static fromBER(bytes: ArrayBuffer): TSTInfo;
  genTime: Date;
  accuracy?: { seconds?: number; millis?: number; micros?: number };
  messageImprint: { hashAlgorithm: { algorithmId: string }; hashedMessage: OctetString };
}

export class TimeStampResp {
  static fromBER(bytes: Uint8Array): TimeStampResp;
  status: { status: number };
  timeStampToken: { content: unknown };
}
