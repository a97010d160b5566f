/** Makes X.509 certificates of P-256 keys (RFC 5280): Node reads them but cannot make one. */
import { type KeyObject, randomBytes, sign } from "node:crypto";
import { bitString, explicit, implicit, integer, OID, octetString, sequence, TRUE, utcTime } from "./der.ts";
import { commonName } from "./name.ts";

export interface Certified {
  readonly name: string;
  readonly publicKey: KeyObject;
  /** Milliseconds since 1970; rounded down to seconds. Both within 1950 to 2049. */
  readonly validFrom: number;
  readonly validTo: number;
  readonly extensions: readonly Buffer[];
}

export interface Issuer {
  readonly name: string;
  /** The private one. */
  readonly key: KeyObject;
}

/** How a subject is called besides its name. An address is its 4 or 16 bytes. */
export type AlternativeName =
  | { readonly kind: "dns"; readonly name: string }
  | { readonly kind: "uri"; readonly uri: string }
  | { readonly kind: "ip"; readonly bytes: Buffer };

const VERSION_3 = integer(Buffer.from([2]));
const SIGNED_BY = sequence(OID.ecdsaWithSha256);
const SERIAL_BYTES = 16;

export const IS_AUTHORITY = extension(OID.basicConstraints, sequence(TRUE));
export const NO_AUTHORITY = extension(OID.basicConstraints, sequence());
export const SIGNS_CERTIFICATES = extension(OID.keyUsage, bitString(Buffer.from([0b0000_0100]), 2));
export const MAY_SIGN = extension(OID.keyUsage, bitString(Buffer.from([0b1000_0000]), 7));
export const FOR_SERVERS = extension(OID.extendedKeyUsage, sequence(OID.serverAuth));
export const FOR_CLIENTS = extension(OID.extendedKeyUsage, sequence(OID.clientAuth));

/** The extension, marked as critical. */
export function alternativeNames(names: readonly AlternativeName[]): Buffer {
  return extension(OID.subjectAltName, sequence(...names.map(generalName)));
}

/** The certificate in DER. */
export function certify(subject: Certified, issuer: Issuer): Buffer {
  const content = sequence(
    explicit(0, VERSION_3),
    integer(serial()),
    SIGNED_BY,
    commonName(issuer.name),
    sequence(utcTime(timeText(subject.validFrom)), utcTime(timeText(subject.validTo))),
    commonName(subject.name),
    subject.publicKey.export({ type: "spki", format: "der" }),
    explicit(3, sequence(...subject.extensions)),
  );
  return sequence(content, SIGNED_BY, bitString(sign("sha256", content, issuer.key)));
}

/** Positive, and with no zero to begin with. */
function serial(): Buffer {
  const bytes = randomBytes(SERIAL_BYTES);
  bytes[0] = 0x40 | ((bytes[0] ?? 0) & 0x3f);
  return bytes;
}

function timeText(ms: number): string {
  return `${new Date(ms).toISOString().replace(/[-:T]/g, "").slice(2, 14)}Z`;
}

function generalName(name: AlternativeName): Buffer {
  switch (name.kind) {
    case "dns":
      return implicit(2, Buffer.from(name.name));
    case "uri":
      return implicit(6, Buffer.from(name.uri));
    case "ip":
      return implicit(7, name.bytes);
  }
}

function extension(oid: Buffer, value: Buffer): Buffer {
  return sequence(oid, TRUE, octetString(value));
}
