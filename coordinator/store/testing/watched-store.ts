/** A store whose transactions a test sees, and whose responses it may hold back. */
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { StoreRefusedError, type Txn } from "../kv.ts";
import { Memory } from "../memory/memory.ts";
import { type LostAnswer, type MemoryKv, memoryKv } from "../memory/memory-kv.ts";
import { openStore } from "../open/open-store.ts";

const log = createLog({ name: "test", level: "silent" });

export const LOST_ANSWERS: readonly LostAnswer[] = [
  "lost before it was applied",
  "lost after it was applied",
  "lost, and applied later",
];

/** Over its own memory or a shared one. */
export async function openWatched(memory = new Memory(), { opsMax = 128 } = {}) {
  const kv = memoryKv(memory);
  const txns: Txn[] = [];
  /** Answers wait while this is not resolved. */
  let answers = Promise.resolve();
  let inFlight = 0;
  const watched: MemoryKv = Object.assign(Object.create(kv) as MemoryKv, {
    faults: kv.faults,
    async txn(txn: Txn) {
      txns.push(txn);
      inFlight++;
      try {
        await answers;
        if (txn.puts.length > opsMax) throw new StoreRefusedError("too many operations");
        return await kv.txn(txn);
      } finally {
        inFlight--;
      }
    },
    read: kv.read.bind(kv),
    range: kv.range.bind(kv),
    watch: kv.watch.bind(kv),
  });
  const store = await openStore({ kv: watched, clock: systemClock, log });
  txns.splice(0);
  const hold = () => {
    const held = Promise.withResolvers<void>();
    answers = held.promise;
    return held.resolve;
  };
  return { store, memory, kv, txns, hold, inFlight: () => inFlight };
}
