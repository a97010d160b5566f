/** A shell's password: random, sealed in its record, and shown to whoever may log in. */
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Shell } from "../domain/shell.ts";
import type { Secrets } from "./secrets.ts";

/** 160 bits: nobody tries them all, and 32 letters and digits can still be typed. */
const PASSWORD_BYTES = 20;
/** Without letters that are taken for one another; 32 of them, five bits each. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";

export function newShellPassword(): string {
  const letters: string[] = [];
  let bits = 0;
  let held = 0;
  for (const byte of randomBytes(PASSWORD_BYTES)) {
    bits = (bits << 8) | byte;
    for (held += 8; held >= 5; ) {
      held -= 5;
      letters.push(ALPHABET.charAt((bits >> held) & 31));
      bits &= (1 << held) - 1;
    }
  }
  return letters.join("");
}

export function sealShellPassword(secrets: Pick<Secrets, "seal">, shellId: string, password: string): string {
  return secrets.seal(Buffer.from(password), shellPasswordContext(shellId));
}

export function openShellPassword(secrets: Pick<Secrets, "open">, shell: Pick<Shell, "id" | "sealedPassword">): string {
  return secrets.open(shell.sealedPassword, shellPasswordContext(shell.id)).toString("utf8");
}

/** In a time that reveals nothing about how much of it is right. */
export function isShellPassword(
  secrets: Pick<Secrets, "open">,
  shell: Pick<Shell, "id" | "sealedPassword">,
  candidate: Buffer,
): boolean {
  const password = Buffer.from(openShellPassword(secrets, shell));
  const padded = Buffer.alloc(password.length);
  candidate.copy(padded);
  return timingSafeEqual(padded, password) && candidate.length === password.length;
}

/** Bound to the shell: one's password put into another's record does not open. */
export function shellPasswordContext(shellId: string): string {
  return `shell-password/${shellId}`;
}
