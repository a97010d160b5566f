/** Base62 text that nobody can guess, and its checksum, by which truncated or mistyped text is rejected. */
import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 178 bits. */
export const SECRET_LENGTH = 30;
const CHECKSUM_LENGTH = 6;

export function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");
}

/** The CRC-32 of the text. */
export function checksum(text: string): string {
  let rest = crc32(text);
  let sum = "";
  while (sum.length < CHECKSUM_LENGTH) {
    sum = ALPHABET.charAt(rest % ALPHABET.length) + sum;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return sum;
}
