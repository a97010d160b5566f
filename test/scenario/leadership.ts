/** Which of the coordinators leads, by their own metrics. */
import { until } from "@elastic/deploy/local/until.ts";
import type { Coordinator } from "../cluster/coordinator.ts";

const FOUND_WITHIN_MS = 60_000;
const CALL_TIMEOUT_MS = 1_000;

export interface Roles {
  readonly leader: Coordinator;
  readonly others: readonly Coordinator[];
}

export async function findRoles(coordinators: readonly Coordinator[]): Promise<Roles> {
  const look = async () => {
    const leads = await Promise.all(coordinators.map(isLeader));
    const leader = coordinators[leads.indexOf(true)];
    return leader && { leader, others: coordinators.filter((one) => one !== leader) };
  };
  return await until("a coordinator that leads", look, { timeoutMs: FOUND_WITHIN_MS });
}

/** Resolves, with how long that took, once it leads. */
export async function untilLeads(coordinator: Coordinator, timeoutMs: number): Promise<number> {
  const fromMs = performance.now();
  await until(`${coordinator.name} to lead`, async () => (await isLeader(coordinator)) || undefined, { timeoutMs });
  return performance.now() - fromMs;
}

/** False of one that does not respond. */
async function isLeader({ metricsUrl }: Coordinator): Promise<boolean> {
  const response = await fetch(metricsUrl, { signal: AbortSignal.timeout(CALL_TIMEOUT_MS) }).catch(() => null);
  return /^elastic_scheduler_leader 1$/m.test((await response?.text()) ?? "");
}
