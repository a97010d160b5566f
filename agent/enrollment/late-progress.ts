/** Progress that is reported only once something takes long: whoever waits for a moment reads nothing of it. */

export interface LateProgress {
  report(line: string): void;
  /** Nothing is reported from then on. */
  end(): void;
}

/** Writes the newest line after `afterMs`, and from then on each line as it comes. */
export function lateProgress(afterMs: number, write: (line: string) => void): LateProgress {
  let isLate = false;
  let newest: string | null = null;
  const timer = setTimeout(() => {
    isLate = true;
    if (newest !== null) write(newest);
  }, afterMs);
  return {
    report: (line) => {
      newest = line;
      if (isLate) write(line);
    },
    end: () => clearTimeout(timer),
  };
}
