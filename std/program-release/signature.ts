/**
 * Signatures of releases: Ed25519 over the exact bytes, detached, 64 bytes, as `openssl pkeyutl -sign -rawin` makes them. The private
 * key is offline; agents and coordinators have public ones.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";

export const SIGNATURE_SUFFIX = ".sig";
const SIGNATURE_BYTES = 64;
/** More are a mistake: two while one follows another. */
const KEYS_MAX = 8;
const PUBLIC_KEY = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g;

export class ReleaseKeyError extends Error {
  override readonly name = "ReleaseKeyError";
}

export interface ReleaseKeyPair {
  readonly privatePem: string;
  readonly publicPem: string;
}

export function newReleaseKey(): ReleaseKeyPair {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return { privatePem: String(privateKey.export({ type: "pkcs8", format: "pem" })), publicPem: pemOf(publicKey) };
}

/** Throws a ReleaseKeyError. */
export function readSigningKey(pem: string): KeyObject {
  const key = ed25519(() => createPrivateKey(pem));
  if (key === null) throw new ReleaseKeyError("it is no Ed25519 private key in PEM: `npm run release-key` makes one");
  return key;
}

/** One key after the other in PEM. Throws a ReleaseKeyError. */
export function readReleaseKeys(pem: string): readonly KeyObject[] {
  const texts = pem.match(PUBLIC_KEY) ?? [];
  const keys = texts.map((text) => ed25519(() => createPublicKey(text)));
  if (keys.length === 0 || keys.length > KEYS_MAX || keys.includes(null)) {
    throw new ReleaseKeyError("it holds no list of Ed25519 public keys in PEM: `npm run release-key` makes one");
  }
  return keys.flatMap((key) => key ?? []);
}

export function pemOf(publicKey: KeyObject): string {
  return String(publicKey.export({ type: "spki", format: "pem" }));
}

/** SHA-256 of the public key in DER, lower-case hexadecimal. Of a private key: that of its public one. */
export function fingerprintOf(key: KeyObject): string {
  const publicKey = key.type === "private" ? createPublicKey(key) : key;
  return createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("hex");
}

export function signatureOf(bytes: Buffer, key: KeyObject): Buffer {
  return sign(null, bytes, key);
}

export function isSigned(bytes: Buffer, signature: Buffer, keys: readonly KeyObject[]): boolean {
  return signature.length === SIGNATURE_BYTES && keys.some((key) => verify(null, bytes, key, signature));
}

function ed25519(read: () => KeyObject): KeyObject | null {
  try {
    const key = read();
    return key.asymmetricKeyType === "ed25519" ? key : null;
  } catch {
    return null;
  }
}
