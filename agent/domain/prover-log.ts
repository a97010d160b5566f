/**
 * What one running prover writes, cut into the logs of the attempts that it is given. A prover's bytes carry no name:
 * what comes while an attempt is under way is its own, and so is what comes within a moment after it, unless the next
 * attempt has begun. Those of attempts that overlap cannot be separated: each gets all of them, and its log says so.
 */
export interface ProverLog {
  /** From now on the taker gets what the prover writes. */
  give(taker: LogTaker): LogShare;
}

export interface LogTaker {
  onBytes(chunk: Buffer): void;
  /** Another attempt is under way too. */
  onShared(): void;
  /** Nothing more comes. Called once. */
  onOver(): void;
}

export interface LogShare {
  /** The attempt is over; what it wrote may still be on its way. */
  release(): void;
}

export interface ProverLogSource extends ProverLog {
  write(chunk: Buffer): void;
  /** The prover has ended. */
  end(): void;
}

/** The last lines of a container come to the agent a few milliseconds after its response. */
const LINGER_MS = 200;

export function proverLog(): ProverLogSource {
  const active = new Set<LogTaker>();
  const lingering = new Set<LogTaker>();
  let timer: NodeJS.Timeout | null = null;
  let ended = false;

  const closeLingering = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const closing = [...lingering];
    lingering.clear();
    for (const taker of closing) taker.onOver();
  };

  return {
    give: (taker) => {
      closeLingering();
      if (ended) {
        taker.onOver();
        return { release: () => undefined };
      }
      active.add(taker);
      if (active.size > 1) for (const each of active) each.onShared();
      return {
        release: () => {
          if (!active.delete(taker)) return;
          lingering.add(taker);
          if (timer !== null) clearTimeout(timer);
          timer = setTimeout(closeLingering, LINGER_MS);
        },
      };
    },
    write: (chunk) => {
      for (const taker of active) taker.onBytes(chunk);
      for (const taker of lingering) taker.onBytes(chunk);
    },
    end: () => {
      ended = true;
      const left = [...active];
      active.clear();
      closeLingering();
      for (const taker of left) taker.onOver();
    },
  };
}
