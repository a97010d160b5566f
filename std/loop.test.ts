import { expect, test } from "vitest";
import { type LoopOptions, startLoop, type TurnOutcome } from "./loop.ts";

/** Longer than any test. */
const NEVER_MS = 2 ** 30;

/** A loop that counts its turns; `outcomes` resolves with the first so many. */
function watch(options: Partial<LoopOptions>) {
  const seen: TurnOutcome[] = [];
  let onSeen = (): void => undefined;
  const loop = startLoop({
    everyMs: NEVER_MS,
    turn: () => undefined,
    onOutcome: (outcome) => {
      seen.push(outcome);
      onSeen();
    },
    ...options,
  });
  const outcomes = async (count: number): Promise<readonly TurnOutcome[]> => {
    while (seen.length < count) {
      await new Promise<void>((resolve) => {
        onSeen = resolve;
      });
    }
    return seen.slice(0, count);
  };
  return { loop, seen, outcomes };
}

test("turns every period", async () => {
  const { loop, outcomes } = watch({ everyMs: 1 });
  expect(await outcomes(3)).toEqual([{ kind: "succeeded" }, { kind: "succeeded" }, { kind: "succeeded" }]);
  await loop.stop();
});

test("waits twice as long after each failure in a row, up to the longest, and as before after a success", async () => {
  let turns = 0;
  const { loop, outcomes } = watch({
    everyMs: 1,
    backoffMaxMs: 6,
    turn: () => {
      turns++;
      if (turns !== 5) throw new Error(`turn ${turns}`);
    },
  });
  const waits = (await outcomes(6)).map((outcome) => (outcome.kind === "failed" ? outcome.retryInMs : null));
  expect(waits).toEqual([2, 4, 6, 6, null, 2]);
  await loop.stop();
});

test("turns at once when woken, once more when woken during a turn, and one turn at a time", async () => {
  const held = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const { loop, seen, outcomes } = watch({
    turn: async () => {
      running++;
      most = Math.max(most, running);
      began.resolve();
      await held.promise;
      running--;
    },
  });
  loop.wake();
  await began.promise;
  loop.wake();
  loop.wake();
  held.resolve();
  await outcomes(2);
  await loop.stop();
  expect([seen.length, most]).toEqual([2, 1]);
});

test("leaves turns out while it is not active", async () => {
  let isActive = false;
  const idle = Promise.withResolvers<void>();
  let turns = 0;
  const { loop, outcomes } = watch({
    isActive: () => isActive,
    onInactive: () => idle.resolve(),
    turn: () => turns++,
  });
  loop.wake();
  await idle.promise;
  expect(turns).toBe(0);
  isActive = true;
  loop.wake();
  await outcomes(1);
  expect(turns).toBe(1);
  await loop.stop();
});

test("stop aborts the turn that is under way and waits for it, and no turn follows", async () => {
  const began = Promise.withResolvers<void>();
  let hasEnded = false;
  const { loop, seen } = watch({
    turn: async (signal) => {
      began.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      hasEnded = true;
    },
  });
  loop.wake();
  await began.promise;
  loop.wake();
  await loop.stop();
  expect([hasEnded, seen.length]).toEqual([true, 1]);
});
