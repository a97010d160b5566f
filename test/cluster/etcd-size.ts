/** Compacts etcd as an operator's setting would, and reads how large it is. */
import { setTimeout as delay } from "node:timers/promises";

const CALL_TIMEOUT_MS = 10_000;
const COMPACTED_EVERY_MS = 15_000;

export interface EtcdSize {
  readonly revision: number;
  readonly fileMiB: number;
  /** Of which in use; the rest is reused before the file grows. */
  readonly usedMiB: number;
}

export async function readEtcdSize(endpoint: string): Promise<EtcdSize> {
  const status = await post<Status>(endpoint, "maintenance/status", {});
  const mib = (bytes: string): number => Math.round((Number(bytes) / 2 ** 20) * 10) / 10;
  return { revision: Number(status.header.revision), fileMiB: mib(status.dbSize), usedMiB: mib(status.dbSizeInUse) };
}

/** Every change up to `revision` is gone then, whoever has not read it. */
export async function compact(endpoint: string, revision: number): Promise<void> {
  await post(endpoint, "kv/compaction", { revision: String(revision), physical: true });
}

/** Until the signal: what is older than one turn is compacted away, whether or not a watcher has received it. */
export async function keepCompacted(endpoint: string, signal: AbortSignal): Promise<void> {
  let before = 0;
  while (!signal.aborted) {
    // Etcd may be down.
    const size = await readEtcdSize(endpoint).catch(() => null);
    if (size !== null && before > 0) await compact(endpoint, before).catch(() => {});
    before = size?.revision ?? before;
    await delay(COMPACTED_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

interface Status {
  readonly header: { readonly revision: string };
  readonly dbSize: string;
  readonly dbSizeInUse: string;
}

async function post<T>(endpoint: string, method: string, body: object): Promise<T> {
  const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
  const response = await fetch(`${endpoint}/v3/${method}`, { method: "POST", body: JSON.stringify(body), signal });
  if (!response.ok) throw new Error(`${method}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
