/** How long a command that goes on waits for a service that is away for a moment, such as a coordinator that restarts. */
import { setTimeout as delay } from "node:timers/promises";
import { CliError, interrupted } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";

const AWAY_MAX_MS = 60_000;
const AWAY_PAUSE_MS = 1_000;

export interface Away {
  /** The service answers again. */
  end(): void;
  /** Resolves when it may be asked again; throws the error where that would not help, or was done for too long. */
  pause(error: unknown): Promise<void>;
}

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
