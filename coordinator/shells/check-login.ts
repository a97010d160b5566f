/** Decides who comes in. An unknown shell passes through the same checks as a known one, and takes as long. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { isId } from "@elastic/std/ids.ts";
import ssh2, { type PublicKeyAuthContext } from "ssh2";
import { AUTHORIZED_KEY_TYPES } from "../auth/authorized-key.ts";
import type { ConnectionTicket } from "../auth/terminal-tickets.ts";
import type { ShellLogin } from "../domain/shell-login.ts";
import { PASSWORD_BYTES_MAX } from "./limits.ts";
import type { LoginShell, ShellDirectory } from "./shell-directory.ts";

export interface Admitted {
  readonly shell: LoginShell;
  readonly login: ShellLogin;
}

const NOBODYS_PASSWORD = digest(randomBytes(32));

export function checkPassword(directory: ShellDirectory, shellId: string, password: string): Admitted | null {
  const shell = findShell(directory, shellId);
  const isRight =
    Buffer.byteLength(password) <= PASSWORD_BYTES_MAX &&
    (shell?.passwordMatches(password) ?? timingSafeEqual(digest(password), NOBODYS_PASSWORD));
  return shell !== null && isRight ? { shell, login: { by: "password", passwordId: shell.passwordId } } : null;
}

/** `proved` is false for a client that only queries if the key would be accepted. */
export interface KeyAnswer extends Admitted {
  readonly proved: boolean;
}

export function checkKey(directory: ShellDirectory, context: PublicKeyAuthContext): KeyAnswer | null {
  const shell = findShell(directory, context.username);
  if (shell === null || !AUTHORIZED_KEY_TYPES.some((type) => type === context.key.algo)) return null;
  const login = directory.keyOf(shell.teamId, context.key.data.toString("base64"));
  return login === null ? null : checkSignature({ shell, login }, context);
}

/** Of a client that has shown a ticket: whatever name it gives, it gets into the ticket's shell, and by its key alone. */
export function checkTicketKey(
  directory: ShellDirectory,
  { userId, keyId, shellId, clientKey }: ConnectionTicket,
  context: PublicKeyAuthContext,
): KeyAnswer | null {
  const shell = directory.find(shellId);
  const shown = `${context.key.algo} ${context.key.data.toString("base64")}`;
  if (shell === null || shown !== clientKey || !directory.mayConnect(shell.teamId, keyId)) return null;
  return checkSignature({ shell, login: { by: "ticket", userId, keyId } }, context);
}

function checkSignature({ shell, login }: Admitted, context: PublicKeyAuthContext): KeyAnswer | null {
  const { key, blob, signature, hashAlgo } = context;
  if (signature === undefined || blob === undefined) return { shell, login, proved: false };
  // RSA says with which digest it signed; SHA-1 is none.
  if (key.algo === "ssh-rsa" && hashAlgo !== "sha256" && hashAlgo !== "sha512") return null;
  const parsed = ssh2.utils.parseKey(`${key.algo} ${key.data.toString("base64")}`);
  if (parsed instanceof Error) return null;
  return parsed.verify(blob, signature, hashAlgo) === true ? { shell, login, proved: true } : null;
}

function findShell(directory: ShellDirectory, shellId: string): LoginShell | null {
  return isId(shellId) ? directory.find(shellId) : null;
}

function digest(bytes: Buffer | string): Buffer {
  return createHash("sha256").update(bytes).digest();
}
