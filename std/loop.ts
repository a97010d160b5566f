/**
 * A loop in the background: one turn at a time, every so often and whenever it is woken. It takes no input: each turn looks
 * up what there is to do, so a turn that is skipped or fails is made up for by the next.
 */
export type TurnOutcome =
  | { readonly kind: "succeeded" }
  | { readonly kind: "failed"; readonly error: unknown; readonly retryInMs: number };

export interface LoopOptions {
  /** From the end of a turn to the next. */
  readonly everyMs: number;
  /** From the start to the first turn; `everyMs` where it is left out. */
  readonly firstAfterMs?: number;
  /** After each failure in a row the wait doubles, up to this; where it is left out, it stays the same. */
  readonly backoffMaxMs?: number;
  /** Called before each turn, which is skipped where it returns false. */
  readonly isActive?: () => boolean;
  /** In place of a turn that is skipped. */
  readonly onInactive?: () => void;
  /** Aborts when the loop is stopped. */
  readonly turn: (signal: AbortSignal) => unknown;
  readonly onOutcome: (outcome: TurnOutcome) => void;
}

export interface Loop {
  /** The next turn comes at once; where one is under way, right after it. */
  wake(): void;
  /** Resolves when the turn that is under way has ended. */
  stop(): Promise<void>;
}

/** The first turn comes after `firstAfterMs`. A turn that throws is reported to `onOutcome`, and the loop continues. */
export function startLoop(options: LoopOptions): Loop {
  const {
    everyMs,
    firstAfterMs = everyMs,
    backoffMaxMs = everyMs,
    isActive = () => true,
    onInactive,
    turn,
    onOutcome,
  } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let isWoken = false;
  let endWait = (): void => undefined;

  const wait = async (ms: number): Promise<void> => {
    if (isWoken || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    endWait = resolve;
    await promise;
    clearTimeout(timer);
  };
  const run = async (): Promise<void> => {
    for (let waitMs = firstAfterMs; ; ) {
      await wait(waitMs);
      if (signal.aborted) return;
      isWoken = false;
      try {
        if (!isActive()) onInactive?.();
        else {
          await turn(signal);
          onOutcome({ kind: "succeeded" });
        }
        waitMs = everyMs;
      } catch (error) {
        waitMs = Math.max(everyMs, Math.min(2 * waitMs, backoffMaxMs));
        onOutcome({ kind: "failed", error, retryInMs: waitMs });
      }
    }
  };

  const finished = run();
  return {
    wake: () => {
      isWoken = true;
      endWait();
    },
    stop: async () => {
      stopping.abort();
      endWait();
      await finished;
    },
  };
}
