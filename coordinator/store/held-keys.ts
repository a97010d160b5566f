/**
 * Which keys and roots each process of the coordinators holds at present: what a rotation waits for. All processes publish
 * it, those too that agents are not linked to, each under its own lease.
 */
import type { Instant } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { startLoop } from "@elastic/std/loop.ts";
import { COORDINATOR_FACTS_PREFIX, HELD_KEYS_PREFIX, heldKeysKey } from "./keys.ts";
import { type Kv, type Lease, StoreChangedError, StoreFullError } from "./kv.ts";

const LEASE_MS = 10_000;
const REFRESH_MS = 1000;
const PROCESSES_MAX = 200;

export interface HeldKeys {
  /** That of its coordinator facts, where it has some. */
  readonly id: string;
  /** For operators: machine, process and roles. */
  readonly name: string;
  readonly startedAt: Instant;
  /** Ids of the live master keys, the one that seals first. */
  readonly keys: readonly string[];
  /** Why it does not use the key file, or the authority, as it is now; null while it does. */
  readonly complaint: string | null;
  /** By digest. Null where agents do not link to this process, or certificates are of another authority. */
  readonly authority: { readonly issues: string; readonly trusts: readonly string[] } | null;
  /** The registry that it issues tokens for; null where it has none. */
  readonly registry: { readonly base: string; readonly service: string; readonly issuer: string } | null;
}

export interface Holders {
  /** The oldest first. */
  readonly known: readonly HeldKeys[];
  /** Addresses of coordinators that publish nothing of it, being of an earlier version. */
  readonly silent: readonly string[];
}

export async function readHolders(kv: Pick<Kv, "range">): Promise<Holders> {
  const [held, facts] = await Promise.all(
    [HELD_KEYS_PREFIX, COORDINATOR_FACTS_PREFIX].map((prefix) => kv.range(prefix, { limit: PROCESSES_MAX })),
  );
  const known = (held?.entries ?? []).map(({ value }) => JSON.parse(value.toString("utf8")) as HeldKeys);
  const ids = new Set(known.map(({ id }) => id));
  const silent = (facts?.entries ?? [])
    .map(({ value }) => JSON.parse(value.toString("utf8")) as { readonly id: string; readonly grpcAddress: string })
    .filter(({ id }) => !ids.has(id))
    .map(({ grpcAddress }) => grpcAddress);
  return { known: known.sort((a, b) => a.startedAt - b.startedAt), silent };
}

/** All processes that run on this store, for operators: what they are called, or where they are reached. */
export async function livingProcesses(kv: Pick<Kv, "range">): Promise<readonly string[]> {
  const { known, silent } = await readHolders(kv);
  return [...known.map(({ name }) => name), ...silent];
}

export interface PublishOptions {
  readonly kv: Kv;
  readonly id: string;
  readonly read: () => HeldKeys;
  readonly log: Logger;
}

/** Resolves once it is published, or the store turns out to be full. Returns how to stop. */
export async function publishHeldKeys({ kv, id, read, log }: PublishOptions): Promise<() => Promise<void>> {
  let lease: Lease | null = null;
  const key = heldKeysKey(id);
  const refresh = async (): Promise<void> => {
    const value = Buffer.from(JSON.stringify(read()));
    const [entry = null] = (await kv.read([key])).entries;
    if (entry?.value.equals(value)) return;
    if (entry === null) {
      const before: Lease | null = lease;
      lease = await kv.lease(LEASE_MS);
      // It has ended in the store; this ends its renewals here.
      await before?.revoke().catch(() => undefined);
    }
    if (lease !== null) await kv.txn({ compares: [], puts: [{ key, value, leaseId: lease.id }], deletes: [] });
  };
  await refresh().catch((error: unknown) => {
    if (!(error instanceof StoreFullError)) throw error;
  });
  const loop = startLoop({
    everyMs: REFRESH_MS,
    turn: refresh,
    onOutcome: (outcome) => {
      if (outcome.kind === "succeeded") return;
      // Of a full store the room is noted by whoever writes, once, and likewise that it is another.
      if (outcome.error instanceof StoreFullError || outcome.error instanceof StoreChangedError) return;
      log.warn({ err: outcome.error }, "the keys that this process holds could not be published");
    },
  });
  return async () => {
    await loop.stop();
    await lease?.revoke().catch(() => undefined);
  };
}
