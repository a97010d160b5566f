/** Counts the calls of a prover, so that it can be ended between them. */

export interface CallsUnderWay {
  /** Counts the call until it is over. */
  track<T>(call: Promise<T>): Promise<T>;
  count(): number;
  /** Resolves once none is under way. */
  none(): Promise<void>;
}

export function callsUnderWay(): CallsUnderWay {
  const calls = new Set<Promise<unknown>>();
  return {
    track: (call) => {
      calls.add(call);
      const over = (): void => void calls.delete(call);
      call.then(over, over);
      return call;
    },
    count: () => calls.size,
    none: async () => {
      while (calls.size > 0) await Promise.allSettled(calls);
    },
  };
}
