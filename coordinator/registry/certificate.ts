/** Makes X.509 certificates of P-256 keys (RFC 5280): Node reads them but cannot make one. */
import { createPublicKey, type KeyObject, randomBytes, sign } from "node:crypto";
import { bitString, explicit, integer, OID, octetString, sequence, set, TRUE, utcTime, utf8String } from "./der.ts";

export interface Named {
  readonly name: string;
  readonly key: KeyObject;
}

/** Fixed, and as wide as can be: a clock that is behind must not refuse one, and what ends tokens is their own expiry. */
const VALID = sequence(utcTime("200101000000Z"), utcTime("491231235959Z"));
const VERSION_3 = integer(Buffer.from([2]));
const SIGNED_BY = sequence(OID.ecdsaWithSha256);
const SERIAL_BYTES = 16;
const AUTHORITY = [
  extension(OID.basicConstraints, sequence(TRUE)),
  extension(OID.keyUsage, bitString(Buffer.from([0b0000_0100]), 2)),
];
const SIGNER = [
  extension(OID.basicConstraints, sequence()),
  extension(OID.keyUsage, bitString(Buffer.from([0b1000_0000]), 7)),
];

/** The certificate, in DER, with which an authority vouches for itself. `key` is its private one. */
export function authorityCertificate(authority: Named): Buffer {
  return certify(authority, authority, AUTHORITY);
}

/** The certificate, in DER, by which an authority vouches for another's key. Both keys are private ones. */
export function signerCertificate(signer: Named, authority: Named): Buffer {
  return certify(signer, authority, SIGNER);
}

function certify(subject: Named, issuer: Named, extensions: readonly Buffer[]): Buffer {
  const content = sequence(
    explicit(0, VERSION_3),
    integer(serial()),
    SIGNED_BY,
    nameOf(issuer),
    VALID,
    nameOf(subject),
    createPublicKey(subject.key).export({ type: "spki", format: "der" }),
    explicit(3, sequence(...extensions)),
  );
  return sequence(content, SIGNED_BY, bitString(sign("sha256", content, issuer.key)));
}

/** Positive, and with no zero to begin with. */
function serial(): Buffer {
  const bytes = randomBytes(SERIAL_BYTES);
  bytes[0] = 0x40 | ((bytes[0] ?? 0) & 0x3f);
  return bytes;
}

function nameOf({ name }: Named): Buffer {
  return sequence(set(sequence(OID.commonName, utf8String(name))));
}

function extension(oid: Buffer, value: Buffer): Buffer {
  return sequence(oid, TRUE, octetString(value));
}
