/** Keeps the file of the known store up to date. */
import type { Logger } from "@elastic/std/log.ts";
import { startLoop } from "@elastic/std/loop.ts";
import { writeIdentity } from "./identity-file.ts";
import type { StoreIdentity } from "./store-identity.ts";

/** A crash forgets the revisions since: a copy of etcd that is younger than that passes for the newest. */
const WRITE_EVERY_MS = 5000;

export interface RememberOptions {
  readonly file: string;
  readonly identity: StoreIdentity;
  readonly log: Pick<Logger, "warn">;
}

/** Rejects where it cannot be written now. Later failures are logged. */
export async function rememberStore({ file, identity, log }: RememberOptions): Promise<{ stop(): Promise<void> }> {
  let writtenRevision = -1;
  let isFailing = false;
  const write = async (): Promise<void> => {
    const known = identity.known();
    if (known === null || known.revision === writtenRevision) return;
    await writeIdentity(file, known);
    writtenRevision = known.revision;
  };
  await write();
  const loop = startLoop({
    everyMs: WRITE_EVERY_MS,
    turn: write,
    onOutcome: (outcome) => {
      if (outcome.kind === "failed" && !isFailing) {
        log.warn({ err: outcome.error, file }, "the identity of the store could not be written; it is retried");
      }
      isFailing = outcome.kind === "failed";
    },
  });
  // At once, so that a restart finds what was known then.
  identity.onChanged(() => loop.wake());
  return {
    stop: async () => {
      await loop.stop();
      await write().catch((error: unknown) =>
        log.warn({ err: error, file }, "the identity of the store was not written"),
      );
    },
  };
}
