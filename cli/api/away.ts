/** How long a following command waits for a service that is unavailable for a moment, as while a coordinator restarts. */
import { setTimeout as delay } from "node:timers/promises";
import { CliError, interrupted } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";

const AWAY_MAX_MS = 60_000;
const AWAY_PAUSE_MS = 1_000;

export interface Away {
  /** The service responds again. */
  end(): void;
  /** Resolves when it is time for the next request; throws `error` where no retry would help, or after a minute of them. */
  pause(error: unknown): Promise<void>;
}

/** Retries for a minute at most, a second apart; after that, and for what no retry mends, `pause` throws. */
export function away(signal: AbortSignal): Away {
  let since: number | null = null;
  return {
    end: () => {
      since = null;
    },
    pause: async (error) => {
      if (signal.aborted) throw interrupted();
      since ??= performance.now();
      if (!isPassing(error) || performance.now() - since > AWAY_MAX_MS) throw error;
      await delay(AWAY_PAUSE_MS, undefined, { signal }).catch(() => undefined);
    },
  };
}

/** A connection that was cut, or a service that is away for a moment. */
function isPassing(error: unknown): boolean {
  return !(error instanceof CliError) || error.exitCode === EXIT.tryAgain;
}
