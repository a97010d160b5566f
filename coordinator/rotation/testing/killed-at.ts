/** Commands that are killed in between, for the tests of the rotations. */
import type { Kv } from "../../store/kv.ts";

/** Of a command that is killed at that access to the store: before it, or before its response. */
export function killedAt(kv: Kv, access: number, when: "before" | "after"): Kv {
  let left = access;
  const call = async <R>(run: () => Promise<R>): Promise<R> => {
    const isLast = left-- === 0;
    if (left < -1 || (isLast && when === "before")) throw new Error("killed");
    const result = await run();
    if (isLast) throw new Error("killed");
    return result;
  };
  return {
    ...kv,
    read: (...args) => call(() => kv.read(...args)),
    range: (...args) => call(() => kv.range(...args)),
    txn: (...args) => call(() => kv.txn(...args)),
  };
}
