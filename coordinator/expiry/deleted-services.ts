/**
 * Forgets services that were deleted: first their deployments and roll-outs, which are large, later the record, whose
 * name usage still shows. Nothing is removed that tasks, workloads or webhooks still refer to.
 */
import type { Instant } from "@elastic/std/clock.ts";
import type { Service } from "../domain/service.ts";
import type { Versioned } from "../domain/versioned.ts";
import { remove } from "../store/change.ts";
import type { Change, Store, View } from "../store/store.ts";

/** Long enough to see why it was deleted, and for what it ran to have stopped. */
const DEPLOYMENTS_RETENTION_MS = 24 * 3_600_000;
/** The usage of a month still has names when the month is over. */
const RECORD_RETENTION_MS = 35 * 24 * 3_600_000;
/** As many as a team may have: of more than that nothing is waited for. */
const RETAINED_PER_TEAM = 1_000;
/** Changes of a commit, and commits of a round. */
const CHANGES_MAX = 40;
const COMMITS_MAX = 5_000;

/** Returns how many records were removed. */
export async function forgetDeletedServices(store: Pick<Store, "commit" | "view">, now: Instant): Promise<number> {
  const changes = changesDue(store.view, now);
  let removed = 0;
  for (let at = 0; at < Math.min(changes.length, CHANGES_MAX * COMMITS_MAX); at += CHANGES_MAX) {
    const some = changes.slice(at, at + CHANGES_MAX);
    // One that changed meanwhile comes with the next round.
    if ((await store.commit(some)).kind === "committed") removed += some.length;
  }
  return removed;
}

function changesDue(view: View, now: Instant): readonly Change[] {
  const due = new Map([...dueServices(view, now)].map((one) => [one.read.value.id, one]));
  if (due.size === 0) return [];
  const running = new Set<string>();
  for (const { value } of view.assignments.values()) {
    if (value.workload.kind === "deployment") running.add(value.workload.serviceId);
  }
  const changes: Change[] = [];
  const withDeployments = new Set<string>(running);
  for (const deployment of view.deployments.values()) {
    const { id, serviceId } = deployment.value;
    if (!due.has(serviceId)) continue;
    withDeployments.add(serviceId);
    if (running.has(serviceId)) continue;
    const rollOut = view.rollOuts.get(id);
    changes.push(remove("deployments", deployment), ...(rollOut === undefined ? [] : [remove("roll-outs", rollOut)]));
  }
  for (const { read, isRecordDue } of due.values()) {
    const { id, teamId } = read.value;
    const isReferredTo = withDeployments.has(id) || view.webhooks.countOf(id) > 0 || hasTasks(view, teamId, id);
    if (isRecordDue && !isReferredTo) changes.push(remove("services", read));
  }
  return changes;
}

interface Due {
  readonly read: Versioned<Service>;
  readonly isRecordDue: boolean;
}

function* dueServices(view: View, now: Instant): Iterable<Due> {
  const byTeam = new Map<string, { readonly read: Versioned<Service>; readonly at: Instant }[]>();
  for (const read of view.services.values()) {
    const { state, teamId } = read.value;
    if (state.kind !== "deleted") continue;
    const ofTeam = byTeam.get(teamId) ?? [];
    byTeam.set(teamId, ofTeam);
    ofTeam.push({ read, at: state.at });
  }
  for (const ofTeam of byTeam.values()) {
    ofTeam.sort((a, b) => b.at - a.at);
    for (const [place, { read, at }] of ofTeam.entries()) {
      const isRecordDue = at <= now - RECORD_RETENTION_MS || place >= RETAINED_PER_TEAM;
      if (isRecordDue || at <= now - DEPLOYMENTS_RETENTION_MS) yield { read, isRecordDue };
    }
  }
}

/** Open ones, and ended ones that have not been moved to the archive. */
function hasTasks({ tasks }: View, teamId: string, serviceId: string): boolean {
  return tasks.list({ teamId, serviceId }, { offset: 0, limit: 0 }).total > 0;
}
