/**
 * The text of an access key, `eps_<id>_<secret><crc>`: an id of 10 and a secret of 30 base62 characters (178 bits),
 * then the CRC-32 of all before it as 6. A key that was cut or mistyped is refused by its checksum, before anything
 * is looked up.
 */
import { checksum, randomText, SECRET_LENGTH } from "./secret-text.ts";

const ID_LENGTH = 10;
const PATTERN = /^eps_([0-9A-Za-z]{10})_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

export interface KeyText {
  readonly id: string;
  readonly secret: string;
}

/** A new key. Its text is shown once; only a hash of the secret is stored. */
export function newKeyText(): KeyText {
  return { id: randomText(ID_LENGTH), secret: randomText(SECRET_LENGTH) };
}

export function formatKeyText({ id, secret }: KeyText): string {
  const body = `eps_${id}_${secret}`;
  return body + checksum(body);
}

/** The part by which a person knows a key again. */
export function keyPrefix(id: string): string {
  return `eps_${id}`;
}

/** Null when the text is not a key. */
export function parseKeyText(text: string): KeyText | null {
  const match = PATTERN.exec(text);
  if (match === null) return null;
  const [, id = "", secret = "", crc] = match;
  return crc === checksum(`eps_${id}_${secret}`) ? { id, secret } : null;
}

/** Whether the text has the form of a key's id. */
export function isKeyId(text: string): boolean {
  return /^[0-9A-Za-z]{10}$/.test(text);
}
