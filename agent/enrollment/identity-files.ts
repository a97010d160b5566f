/**
 * Where an enrolled machine keeps who it is. Certificate and key are in one file, which is replaced atomically: whoever
 * reads it while they are renewed has the old pair or the new one.
 */
import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { TlsFiles } from "../domain/tls-files.ts";
import { readNodeIdentity } from "./node-identity.ts";

export interface EnrolledIdentity {
  readonly tls: TlsFiles;
  /** `host:port` of the coordinators that were there when the machine was enrolled. */
  readonly coordinators: readonly string[];
}

export interface NewIdentity {
  readonly certificatePem: string;
  readonly key: KeyObject;
  readonly caPem: string;
}

export function identityFiles(stateDir: string): TlsFiles {
  const folder = identityFolder(stateDir);
  const pair = join(folder, "node.pem");
  return { caFile: join(folder, "ca.pem"), certFile: pair, keyFile: pair };
}

/** Null on a machine that was not enrolled. */
export function readIdentity(stateDir: string): EnrolledIdentity | null {
  const tls = identityFiles(stateDir);
  if (!existsSync(tls.certFile)) return null;
  const { coordinators } = JSON.parse(readFileSync(coordinatorsFile(stateDir), "utf8")) as EnrolledIdentity;
  return { tls, coordinators };
}

/** The node that this machine is by its enrollment; null where it is none, or cannot read who it is. */
export function enrolledNode(stateDir: string): string | null {
  try {
    return readNodeIdentity(readFileSync(identityFiles(stateDir).certFile)).nodeId;
  } catch {
    return null;
  }
}

/** `host:port` of the listener at which this machine was enrolled; null where an earlier version did that, or none did. */
export function enrollmentAddress(stateDir: string): string | null {
  try {
    const text = readFileSync(coordinatorsFile(stateDir), "utf8");
    return (JSON.parse(text) as { readonly enrollment?: string }).enrollment ?? null;
  } catch {
    return null;
  }
}

/** Whether this machine became the node that it is by this token; false where an earlier version enrolled it. */
export function wasEnrolledWith(stateDir: string, token: string): boolean {
  try {
    const text = readFileSync(coordinatorsFile(stateDir), "utf8");
    return (JSON.parse(text) as { readonly tokenSha256?: string }).tokenSha256 === sha256Of(token);
  } catch {
    return false;
  }
}

export interface Coordinators {
  readonly coordinators: readonly string[];
  /** Where it was enrolled. */
  readonly enrollment: string;
  /** With what: a line that is pasted again is recognized by it. */
  readonly token: string;
}

export function writeEnrolled(
  stateDir: string,
  identity: NewIdentity,
  { coordinators, enrollment, token }: Coordinators,
): void {
  const tokenSha256 = sha256Of(token);
  replaceFile(coordinatorsFile(stateDir), `${JSON.stringify({ coordinators, enrollment, tokenSha256 })}\n`);
  writeIdentity(identityFiles(stateDir), identity);
}

export function writeIdentity(files: TlsFiles, { certificatePem, key, caPem }: NewIdentity): void {
  replaceFile(files.caFile, caPem);
  replaceFile(files.certFile, certificatePem + keyPem(key));
}

/**
 * The key for a token: the same one until the token has worked, since the coordinators accept a token twice only for
 * one key.
 */
export function keyForToken(stateDir: string, token: string): KeyObject {
  const file = pendingFile(stateDir, token);
  if (existsSync(file)) return createPrivateKey(readFileSync(file));
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  replaceFile(file, keyPem(privateKey));
  return privateKey;
}

/** Of every token, and what was half written: one that failed, or was refused, is not pasted again on a node. */
export function forgetKeysForTokens(stateDir: string): void {
  const folder = identityFolder(stateDir);
  for (const name of readdirSync(folder)) if (PENDING.test(name)) rmSync(join(folder, name), { force: true });
}

const PENDING = /^pending-[0-9a-f]+\.key(\.next)?$/;

function pendingFile(stateDir: string, token: string): string {
  const name = sha256Of(token).slice(0, 16);
  return join(identityFolder(stateDir), `pending-${name}.key`);
}

function sha256Of(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function identityFolder(stateDir: string): string {
  return join(stateDir, "identity");
}

function coordinatorsFile(stateDir: string): string {
  return join(identityFolder(stateDir), "coordinators.json");
}

function keyPem(key: KeyObject): string {
  return String(key.export({ type: "pkcs8", format: "pem" }));
}

/** For this user alone; there completely or not at all, whenever the machine stops. */
function replaceFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.next`;
  rmSync(next, { force: true });
  const handle = openSync(next, "wx", 0o600);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(next, file);
}
