/** The authority of a process that serves: it is read again every few seconds, so that its root changes without a restart. */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { startLoop } from "@elastic/std/loop.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { type AuthorityRecord, readAuthorityRecord } from "../store/authority-claim.ts";
import type { Kv } from "../store/kv.ts";
import { type Authority, type AuthoritySource, openAuthority, readOrCreateAuthority } from "./authority.ts";

const CHECK_EVERY_MS = 1000;

export interface LiveAuthorityOptions {
  readonly kv: Pick<Kv, "txn" | "read">;
  readonly secrets: Pick<Secrets, "seal" | "open">;
  readonly clock: Clock;
  readonly log: Logger;
}

export class LiveAuthority implements AuthoritySource {
  readonly #options: LiveAuthorityOptions;
  readonly #listeners = new Set<() => void>();
  #record: string;
  #current: Authority;
  /** Why the record could not be used, the last time; null where it could. */
  #complaint: string | null = null;

  private constructor(options: LiveAuthorityOptions, record: AuthorityRecord) {
    this.#options = options;
    this.#record = JSON.stringify(record);
    this.#current = openAuthority(record, options.secrets);
  }

  /** Makes the authority of a store that has none. */
  static async open(options: LiveAuthorityOptions): Promise<LiveAuthority> {
    const { kv, secrets, clock } = options;
    return new LiveAuthority(options, await readOrCreateAuthority(kv, secrets, clock));
  }

  current(): Authority {
    return this.#current;
  }

  complaint(): string | null {
    return this.#complaint;
  }

  /** Called after each change. Returns how to stop. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Reads it again. */
  async check(): Promise<void> {
    const { kv, secrets, log } = this.#options;
    const record = await readAuthorityRecord(kv);
    const text = JSON.stringify(record);
    // One that was emptied is for the store's own identity to notice.
    if (record === null || (text === this.#record && this.#complaint === null)) return;
    try {
      const current = openAuthority(record, secrets);
      this.#current = current;
      this.#record = text;
      this.#complaint = null;
      log.info({ issues: current.sha256, trusts: current.trusted.sha256 }, "read the changed authority of the nodes");
    } catch (error) {
      const why = (error as Error).message;
      if (why !== this.#complaint) log.error({ why }, "keeps the earlier authority of the nodes");
      this.#complaint = why;
      return;
    }
    for (const listener of this.#listeners) listener();
  }

  /** Returns how to stop. */
  start(): () => Promise<void> {
    const loop = startLoop({
      everyMs: CHECK_EVERY_MS,
      turn: () => this.check(),
      onOutcome: (outcome) => {
        // Whoever writes to the store logs that it is away.
        if (outcome.kind === "failed") this.#options.log.debug({ err: outcome.error }, "the authority was not read");
      },
    });
    return () => loop.stop();
  }
}
