/** Judges a history by every check that it has the data for. Pure. */
import type { Check, Limits, Violation } from "./check.ts";
import { audit } from "./checks/audit.ts";
import { cancellations } from "./checks/cancellations.ts";
import { doubled } from "./checks/doubled.ts";
import { exclusive } from "./checks/exclusive.ts";
import { fencing } from "./checks/fencing.ts";
import { leaks } from "./checks/leaks.ts";
import { linearizable } from "./checks/linearizable.ts";
import { liveness } from "./checks/liveness.ts";
import { lost } from "./checks/lost.ts";
import { order } from "./checks/order.ts";
import { results } from "./checks/results.ts";
import { stateMachine } from "./checks/state-machine.ts";
import type { History } from "./history.ts";

export const CHECKS: readonly Check[] = [
  lost,
  doubled,
  stateMachine,
  fencing,
  results,
  order,
  linearizable,
  cancellations,
  exclusive,
  leaks,
  liveness,
  audit,
];

export interface Judged {
  readonly name: string;
  /** What was judged; null where the check could not run. */
  readonly judged: string | null;
  /** Why it could not run. */
  readonly lacks: string | null;
  readonly violations: readonly Violation[];
}

export const DEFAULT_LIMITS: Limits = { endWithinMs: 60_000, requeueWithinMs: 15_000 };

export function judge(history: History, limits: Limits = DEFAULT_LIMITS): readonly Judged[] {
  return CHECKS.map((check) => {
    try {
      return judgeBy(check, history, limits);
    } catch (cause) {
      throw new Error(`the check ${check.name} failed: ${(cause as Error).message}`, { cause });
    }
  });
}

function judgeBy(check: Check, history: History, limits: Limits): Judged {
  const lacks = check.lacks(history);
  if (lacks !== null) return { name: check.name, judged: null, lacks, violations: [] };
  const { judged, violations } = check.find(history, limits);
  return { name: check.name, judged, lacks, violations };
}
