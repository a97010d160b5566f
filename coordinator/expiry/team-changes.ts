/**
 * What of a deleted team is stopped or removed next, as far as records are in the view. Services, shells and builds are marked
 * first: the scheduler then ends what runs of them, and their records are removed once nothing does. Pure.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { isOpen } from "../domain/build.ts";
import { deleted as deletedService, type Service } from "../domain/service.ts";
import { deleted as deletedShell, type Shell } from "../domain/shell.ts";
import type { Versioned } from "../domain/versioned.ts";
import { remove, replace } from "../store/change.ts";
import type { Change, View } from "../store/store.ts";

export function changesOfTeam(view: View, teamId: string, now: Instant): readonly Change[] {
  const webhooks = ofTeam(view.webhooks.values(), teamId);
  const assigned = assignedIds(view, teamId);
  const ended = [...view.builds.of(teamId)].filter(({ value }) => !isOpen(value) && !assigned.has(value.id));
  return [
    ...ofTeam(view.memberships.values(), teamId).map((one) => remove("memberships", one)),
    ...ofTeam(view.accessKeys.values(), teamId).map((one) => remove("access-keys", one)),
    ...ofTeam(view.invitations.values(), teamId).map((one) => remove("invitations", one)),
    ...ofTeam(view.serviceSources.values(), teamId).map((one) => remove("service-sources", one)),
    ...[...view.sourceConnections.of(teamId)].map((one) => remove("source-connections", one)),
    ...[...view.uploads.of(teamId)].map((one) => remove("uploads", one)),
    ...[...view.batches.of(teamId)].map((one) => remove("batches", one)),
    ...webhooks.map((one) => remove("webhooks", one)),
    ...ofTeam(view.deliveries.values(), teamId).map((one) => remove("deliveries", one)),
    ...[...view.shells.of(teamId)].flatMap((shell) => ofShell(shell, assigned, now)),
    ...ended.map((one) => remove("builds", one)),
    ...(assigned.size > 0 ? [] : [...view.volumes.of(teamId)].map((one) => remove("volumes", one))),
    ...ofServices(view, teamId, assigned, now),
  ];
}

function ofShell(read: Versioned<Shell>, assigned: ReadonlySet<string>, now: Instant): readonly Change[] {
  const { id, nodeId, state } = read.value;
  if (state.kind !== "deleted") return [replace("shells", read, deletedShell(read.value, now))];
  return nodeId === null && !assigned.has(id) ? [remove("shells", read)] : [];
}

function ofServices(view: View, teamId: string, assigned: ReadonlySet<string>, now: Instant): readonly Change[] {
  const deployments = ofTeam(view.deployments.values(), teamId);
  const rollOuts = ofTeam(view.rollOuts.values(), teamId);
  const referred = new Set([...deployments, ...view.builds.of(teamId)].map(({ value }) => value.serviceId));
  const services = ofTeam(view.services.values(), teamId);
  const isStopped = (id: string) => {
    const service = view.services.get(id);
    return !assigned.has(id) && (service === undefined || service.value.state.kind === "deleted");
  };
  return [
    ...services
      .filter(({ value }) => value.state.kind !== "deleted")
      .map((one) => replace("services", one, deletedService(one.value, now))),
    ...deployments.filter(({ value }) => isStopped(value.serviceId)).map((one) => remove("deployments", one)),
    ...rollOuts.filter(({ value }) => isStopped(value.serviceId)).map((one) => remove("roll-outs", one)),
    ...services
      .filter((one) => isStopped(one.value.id) && !referred.has(one.value.id) && hasNoTasks(view, one))
      .map((one) => remove("services", one)),
  ];
}

/**
 * A task is created only while its service is unchanged, so every task precedes the mark of the service: a view that has all up to
 * the mark has them all.
 */
function hasNoTasks(view: View, { value: { id, teamId }, revision }: Versioned<Service>): boolean {
  const { total } = view.tasks.list({ teamId, serviceId: id }, { offset: 0, limit: 0 });
  return view.revision() >= revision && total === 0;
}

/** Of services, shells and builds that machines have assignments of. */
function assignedIds(view: View, teamId: string): ReadonlySet<string> {
  return new Set(
    ofTeam(view.assignments.values(), teamId).map(({ value: { workload } }) => {
      if (workload.kind === "deployment") return workload.serviceId;
      return workload.kind === "shell" ? workload.shellId : workload.buildId;
    }),
  );
}

function ofTeam<T extends { readonly teamId: string | null }>(
  records: Iterable<Versioned<T>>,
  teamId: string,
): readonly Versioned<T>[] {
  return [...records].filter(({ value }) => value.teamId === teamId);
}
