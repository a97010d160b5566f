/** Reads a public key as ssh-keygen writes it: `<type> <base64> [comment]`. */
import { createHash } from "node:crypto";

/** Which the gateway can check. */
export const AUTHORIZED_KEY_TYPES = [
  "ssh-ed25519",
  "ecdsa-sha2-nistp256",
  "ecdsa-sha2-nistp384",
  "ecdsa-sha2-nistp521",
  "ssh-rsa",
] as const;

export interface PublicKeyText {
  readonly type: string;
  /** In base64. */
  readonly blob: string;
  readonly fingerprint: string;
  /** May be empty. */
  readonly comment: string;
}

/** Why it is none, in a sentence. */
export class NotAKey extends Error {
  override readonly name = "NotAKey";
}

const ED25519_BYTES = 32;
const RSA_BITS_MIN = 2048;
const RSA_BITS_MAX = 4096;

export function readPublicKey(text: string): PublicKeyText {
  const match = /^([a-z0-9@.-]{1,64}) +([A-Za-z0-9+/]{1,1024}={0,2})(?: +(.*))?$/.exec(text.trim());
  if (/PRIVATE KEY/.test(text))
    throw new NotAKey("This is a private key: keep it secret, and send the .pub file next to it.");
  const [, type = "", base64 = "", comment = ""] = match ?? [];
  if (match === null) throw new NotAKey("A public key is one line: its type, the key in base64, and a comment.");
  if (!AUTHORIZED_KEY_TYPES.some((known) => known === type)) {
    throw new NotAKey(`Keys of type ${type} are not taken; these are: ${AUTHORIZED_KEY_TYPES.join(", ")}.`);
  }
  const bytes = Buffer.from(base64, "base64");
  const [named, first, second, ...more] = fields(bytes);
  const isComplete = named?.toString("latin1") === type && more.length === 0;
  if (!isComplete || !hasForm(type, first, second)) throw new NotAKey(`The key is damaged: it is no ${type} key.`);
  const fingerprint = `SHA256:${createHash("sha256").update(bytes).digest("base64").replace(/=+$/, "")}`;
  return { type, blob: bytes.toString("base64"), fingerprint, comment };
}

function hasForm(type: string, first: Buffer | undefined, second: Buffer | undefined): boolean {
  if (type === "ssh-ed25519") return first?.length === ED25519_BYTES && second === undefined;
  if (type === "ssh-rsa") {
    const bits = second === undefined ? 0 : bitsOf(second);
    if (bits > 0 && (bits < RSA_BITS_MIN || bits > RSA_BITS_MAX)) {
      throw new NotAKey(`RSA keys have ${RSA_BITS_MIN} to ${RSA_BITS_MAX} bits; this one has ${bits}.`);
    }
    return bits > 0;
  }
  // An uncompressed point on the curve that the type names.
  return first?.toString("latin1") === type.slice("ecdsa-sha2-".length) && second?.[0] === 4;
}

function bitsOf(number: Buffer): number {
  const at = number.findIndex((byte) => byte !== 0);
  return at === -1 ? 0 : 8 * (number.length - at) - Math.clz32(number.readUInt8(at)) + 24;
}

/** Parts with a length before each; none where a length leads beyond the end. */
function fields(bytes: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + 4 > bytes.length) return [];
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.length) return [];
    parts.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return parts;
}
