/**
 * The text of an access key, `eps_<id>_<secret><crc>`: an id of 10 and a secret of 30 base62 characters (178 bits),
 * then the CRC-32 of all before it as 6. A key that was cut or mistyped is refused by its checksum, before anything
 * is looked up.
 */
import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ID_LENGTH = 10;
const SECRET_LENGTH = 30;
const CRC_LENGTH = 6;
const PATTERN = /^eps_([0-9A-Za-z]{10})_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

export interface KeyText {
  readonly id: string;
  readonly secret: string;
}

/** A new key. Its text is shown once; what is kept is a hash of the secret. */
export function newKeyText(): KeyText {
  return { id: randomText(ID_LENGTH), secret: randomText(SECRET_LENGTH) };
}

export function formatKeyText({ id, secret }: KeyText): string {
  const body = `eps_${id}_${secret}`;
  return body + checksum(body);
}

/** Null when the text is not a key. */
export function parseKeyText(text: string): KeyText | null {
  const match = PATTERN.exec(text);
  if (match === null) return null;
  const [, id = "", secret = "", crc] = match;
  return crc === checksum(`eps_${id}_${secret}`) ? { id, secret } : null;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = "";
  while (text.length < CRC_LENGTH) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}

function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");
}
