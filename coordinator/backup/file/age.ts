/**
 * Encryption in the format age (age-encryption.org/v1), to a public key whose private half no coordinator has. Streams: each
 * chunk of 64 KiB is authenticated, and the last is marked, so that neither a changed nor a cut file is decrypted to its end.
 */
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { BackupError } from "./backup-error.ts";

/** Throws BackupError where the text is no public key. */
export function checkRecipient(text: string): string {
  try {
    new Encrypter().addRecipient(text);
    return text;
  } catch {
    const what = text.startsWith("AGE-SECRET-KEY-")
      ? "is a private key, which stays with you"
      : "is no public key of age";
    throw new BackupError(`the recipient ${what}: name the key that begins with age1 (backup-key prints one)`);
  }
}

/** A new pair. */
export async function newKeyPair(): Promise<{ readonly identity: string; readonly recipient: string }> {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

export async function encrypted(plain: Readable, recipient: string): Promise<Readable> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(checkRecipient(recipient));
  return fromWeb(await encrypter.encrypt(toWeb(plain)));
}

/** Private keys of an identity file: a line each, comments begin with `#`. Throws BackupError where there is none. */
export function readIdentities(text: string, file: string): readonly string[] {
  const keys = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  if (keys.length === 0) throw new BackupError(`${file} holds no private key: it is the file that backup-key made`);
  for (const key of keys) {
    try {
      new Decrypter().addIdentity(key);
    } catch {
      throw new BackupError(`${file} holds a line that is no private key of age (AGE-SECRET-KEY-1…)`);
    }
  }
  return keys;
}

/** Rejects, or the stream does, with BackupError where no key fits, or the file was changed or cut. */
export async function decrypted(file: Readable, identities: readonly string[]): Promise<Readable> {
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  try {
    return fromWeb(await decrypter.decrypt(toWeb(file)));
  } catch (error) {
    throw whyNotDecrypted(error);
  }
}

export function whyNotDecrypted(error: unknown): unknown {
  if (error instanceof BackupError) return error;
  const { message, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== undefined) return error;
  if (/no identity matched/.test(message)) {
    return new BackupError(
      "the backup is encrypted to another key: name the identity file of its recipient (--identity)",
    );
  }
  return new BackupError(`the backup is cut or damaged (${message}). Use another one`);
}

function toWeb(stream: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(stream) as ReadableStream<Uint8Array>;
}

function fromWeb(stream: ReadableStream<Uint8Array>): Readable {
  return Readable.fromWeb(stream);
}
