/** The limits of attempts, as a coordinator stated them last with its welcome. */
import type { Limits } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import type { AttemptLimits } from "../attempts/attempts.ts";

export interface LimitsOfWelcome {
  set(limits: Limits): void;
  ofAttempts(): AttemptLimits;
  /** Of one attempt's log; 0 before a welcome: no logs. */
  logBytesMax(): number;
}

const BEFORE_WELCOME: AttemptLimits = {
  inlineBytesMax: 4 * 1024,
  resultBytesMax: 1024 * 1024 * 1024,
  logTailBytesMax: 4 * 1024,
};

export function limitsOfWelcome(): LimitsOfWelcome {
  let ofAttempts = BEFORE_WELCOME;
  let logBytesMax = 0;
  return {
    set: (limits) => {
      ofAttempts = {
        inlineBytesMax: limits.inlineResultBytesMax,
        resultBytesMax: Number(limits.resultBytesMax),
        logTailBytesMax: limits.logTailBytesMax,
      };
      logBytesMax = Number(limits.logBytesMax);
    },
    ofAttempts: () => ofAttempts,
    logBytesMax: () => logBytesMax,
  };
}
