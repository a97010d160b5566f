/**
 * A request for a certificate (PKCS #10, RFC 2986) in the one form that is made and taken here: a common name, a P-256
 * key, no attributes, signed with ECDSA and SHA-256. `openssl req -new -subj /CN=<name>` makes the same.
 */
import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { bitString, integer, OID, sequence } from "./der.ts";
import { commonName } from "./name.ts";
import { type Element, readElements, readWithin } from "./read-der.ts";

export interface SigningRequest {
  readonly name: string;
  readonly publicKey: KeyObject;
  /** The key as it stands in certificates. */
  readonly publicKeyDer: Buffer;
}

/** What is wrong with a request, to end a sentence that names it. */
export class SigningRequestError extends Error {
  override readonly name = "SigningRequestError";
}

const VERSION_1 = integer(Buffer.from([0]));
const SIGNED_BY = sequence(OID.ecdsaWithSha256);
const NO_ATTRIBUTES = Buffer.from([0xa0, 0]);
const SEQUENCE = 0x30;
const BIT_STRING = 0x03;
/** A few times what such a request takes. */
const REQUEST_BYTES_MAX = 1024;

/** In DER. `key` is the private one. */
export function makeSigningRequest(name: string, publicKey: KeyObject, key: KeyObject): Buffer {
  const spki = publicKey.export({ type: "spki", format: "der" });
  const content = sequence(VERSION_1, commonName(name), spki, NO_ATTRIBUTES);
  return sequence(content, SIGNED_BY, bitString(sign("sha256", content, key)));
}

/** Throws a SigningRequestError for what is in another form, or not signed with the key that it names. */
export function readSigningRequest(der: Buffer): SigningRequest {
  if (der.length > REQUEST_BYTES_MAX) throw new SigningRequestError(`is longer than ${REQUEST_BYTES_MAX} bytes`);
  try {
    return readStrictly(der);
  } catch (error) {
    if (error instanceof SigningRequestError) throw error;
    throw new SigningRequestError(FORM);
  }
}

const FORM = "is not one for a common name and a P-256 key, without attributes, signed with ECDSA and SHA-256";

function readStrictly(der: Buffer): SigningRequest {
  const [content, signedBy, signature] = exactly(3, readWithin(der, SEQUENCE)) as [Element, Element, Element];
  const parts = exactly(4, readWithin(content.encoded, SEQUENCE)) as [Element, Element, Element, Element];
  const [version, subject, spki, attributes] = parts.map(({ encoded }) => encoded) as [Buffer, Buffer, Buffer, Buffer];
  const name = nameOf(subject);
  const publicKey = createPublicKey({ key: spki, type: "spki", format: "der" });
  const isInForm =
    version.equals(VERSION_1) &&
    commonName(name).equals(subject) &&
    attributes.equals(NO_ATTRIBUTES) &&
    signedBy.encoded.equals(SIGNED_BY) &&
    signature.tag === BIT_STRING &&
    signature.content[0] === 0 &&
    publicKey.asymmetricKeyDetails?.namedCurve === "prime256v1" &&
    publicKey.export({ type: "spki", format: "der" }).equals(spki);
  if (!isInForm) throw new SigningRequestError(FORM);
  if (!verify("sha256", content.encoded, publicKey, signature.content.subarray(1))) {
    throw new SigningRequestError("is not signed with the key that it names");
  }
  return { name, publicKey, publicKeyDer: spki };
}

/** The text of the last value; the caller compares the complete name that this text makes. */
function nameOf(subject: Buffer): string {
  const [set] = exactly(1, readWithin(subject, SEQUENCE)) as [Element];
  const [pair] = exactly(1, readElements(set.content)) as [Element];
  const [, value] = exactly(2, readElements(pair.content)) as [Element, Element];
  return value.content.toString("utf8");
}

function exactly(count: number, elements: readonly Element[]): readonly Element[] {
  if (elements.length !== count) throw new SigningRequestError(FORM);
  return elements;
}
