/**
 * The secrets of a process that serves, by the keys that their file has at present: it is read again when it changes,
 * so that keys are rotated without a restart. While it cannot be used, the earlier keys stay.
 */
import { readFileSync } from "node:fs";
import type { Logger } from "@elastic/std/log.ts";
import { type MasterKeys, parseKeyFile, readKeyFile } from "./key-file.ts";
import { keyIdOfSealed, type Secrets, secretsOf } from "./secrets.ts";

const CHECK_EVERY_MS = 1000;
/** What names a key that is not known may come from anybody. */
const CHECK_FOR_UNKNOWN_MS = 500;

export interface LiveSecretsOptions {
  readonly keyFile: string;
  readonly log: Logger;
}

export class LiveSecrets implements Secrets {
  readonly #options: LiveSecretsOptions;
  readonly #timer: NodeJS.Timeout;
  #current: Secrets;
  /** Why the file could not be used, the last time; null where it could. */
  #complaint: string | null = null;
  #checkedAtMs = Number.NEGATIVE_INFINITY;

  /** A file that is not there is made. Throws where it cannot be used. */
  constructor(options: LiveSecretsOptions) {
    this.#options = options;
    this.#current = secretsOf(readKeyFile(options.keyFile), options.keyFile);
    this.#timer = setInterval(() => this.check(), CHECK_EVERY_MS).unref();
  }

  /** Why the file is not used as it is now; null while it is. */
  complaint(): string | null {
    return this.#complaint;
  }

  keyIds(): readonly string[] {
    return this.#current.keyIds();
  }

  seal(plain: Buffer, context: string): string {
    return this.#current.seal(plain, context);
  }

  open(sealed: string, context: string): Buffer {
    this.#expect(keyIdOfSealed(sealed));
    return this.#current.open(sealed, context);
  }

  sign(purpose: string, text: string): string {
    return this.#current.sign(purpose, text);
  }

  verify(purpose: string, text: string, signature: string): boolean {
    this.#expect(signature.split(".")[0] ?? "");
    return this.#current.verify(purpose, text, signature);
  }

  derive(use: string, bytes: number): readonly Buffer[] {
    return this.#current.derive(use, bytes);
  }

  /** Reads the file again. */
  check(): void {
    const { keyFile, log } = this.#options;
    this.#checkedAtMs = performance.now();
    try {
      const keys = parseKeyFile(readFileSync(keyFile, "utf8"), keyFile);
      checkSuccession(this.keyIds(), keys, keyFile);
      this.#complaint = null;
      const ids = keys.map(({ id }) => id);
      if (ids.join() === this.keyIds().join()) return;
      this.#current = secretsOf(keys, keyFile);
      log.info({ seals: ids[0], opens: ids.slice(1) }, "read the changed master keys");
    } catch (error) {
      const why = (error as Error).message;
      if (why !== this.#complaint) log.error({ why }, "keeps its earlier master keys: correct their file");
      this.#complaint = why;
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Another coordinator may have read a new key a moment earlier. */
  #expect(keyId: string): void {
    if (this.keyIds().includes(keyId) || performance.now() - this.#checkedAtMs < CHECK_FOR_UNKNOWN_MS) return;
    this.check();
  }
}

/** The key that seals now may become the second one, and no file without it follows: what it sealed would be lost. */
function checkSuccession([seals = ""]: readonly string[], keys: MasterKeys, keyFile: string): void {
  if (keys.some(({ id }) => id === seals)) return;
  const now = keys.map(({ id }) => id).join(", ");
  throw new Error(
    `${keyFile} has key ${now} and no longer key ${seals}, which seals here: put that line back, first or second; ` +
      "where that key was retired while this process was away, restart it",
  );
}
