/**
 * What clients of a team are notified of, for each kind of record. Nobody learns more than that a key or a session of
 * one of the team's users changed: whose and which is for that user to read.
 */
import { type Assignment, isOfDeployment } from "../../domain/assignment.ts";
import { isEnabled } from "../../domain/webhook.ts";
import { publicServiceState } from "../../public/service-record.ts";
import { publicShellState } from "../../public/shell-record.ts";
import type { Change, TeamChange } from "../../public/team-change.ts";
import type { RecordChange, View } from "../../store/store.ts";

type Notify = (change: TeamChange) => void;

const GONE = "deleted";

/** Calls back for each change of the view from now on. Returns how to stop. */
export function observeChanges(view: View, notify: Notify): () => void {
  const stops = [
    observeServices(view, notify),
    view.tasks.subscribe(({ id, revision, after }) => {
      // One that leaves the view has moved to the archive, where it is as it was.
      if (after === undefined) return;
      const { teamId, serviceId, phase } = after.value;
      notify({ teamId, revision, kind: "task", id, serviceId, state: phase.kind });
    }),
    view.rollOuts.subscribe(({ id, revision, after }) => {
      if (after === undefined) return;
      const { teamId, serviceId, events } = after.value;
      notify({ teamId, revision, kind: "deployment", id, serviceId, state: events.at(-1)?.stage ?? null });
    }),
    view.builds.subscribe(ofTeam(notify, "build", ({ serviceId, state }) => ({ serviceId, state: state.kind }))),
    // Its id is that of its service.
    view.serviceSources.subscribe(ofTeam(notify, "source", ({ id: serviceId }) => ({ serviceId }))),
    view.sourceConnections.subscribe(ofTeam(notify, "source_connection", ({ state }) => ({ state: state.kind }))),
    view.volumes.subscribe(ofTeam(notify, "volume", () => ({}))),
    view.shells.subscribe(ofTeam(notify, "shell", (shell) => ({ state: publicShellState(shell) }))),
    view.webhooks.subscribe(
      ofTeam(notify, "webhook", (webhook) => ({
        serviceId: webhook.serviceId,
        state: isEnabled(webhook) ? "enabled" : "disabled",
      })),
    ),
    view.deliveries.subscribe(ofTeam(notify, "delivery", ({ serviceId, phase }) => ({ serviceId, state: phase.kind }))),
    view.invitations.subscribe(ofTeam(notify, "invitation", () => ({}))),
    view.teams.subscribe(({ id, revision }) => {
      notify({ teamId: id, revision, kind: "team", id, serviceId: null, state: null });
    }),
    view.memberships.subscribe(({ revision, before, after }) => {
      const membership = (after ?? before)?.value;
      if (membership === undefined) return;
      const { teamId, userId } = membership;
      const state = after === undefined ? GONE : null;
      notify({ teamId, revision, kind: "member", id: userId, serviceId: null, state });
    }),
    ...observeUsers(view, notify),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** A service is shown with what runs for it, so its workloads are part of it. */
function observeServices(view: View, notify: Notify): () => void {
  const changed = (serviceId: string, revision: number) => {
    const service = view.services.get(serviceId)?.value;
    if (service === undefined) return;
    const state = publicServiceState(service);
    notify({ teamId: service.teamId, revision, kind: "service", id: serviceId, serviceId, state });
  };
  const assigned = (assignment: Assignment | undefined, revision: number) => {
    if (assignment !== undefined && isOfDeployment(assignment)) changed(assignment.workload.serviceId, revision);
  };
  const stops = [
    view.services.subscribe(({ id, revision }) => changed(id, revision)),
    view.assignments.subscribe(({ before, after, revision }) => assigned((after ?? before)?.value, revision)),
    view.workloads.subscribe(({ id, revision }) => assigned(view.assignments.get(id)?.value, revision)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** For records that name their team. */
function ofTeam<T extends { readonly teamId: string }>(
  notify: Notify,
  kind: Change["kind"],
  stateOf: (value: T) => Partial<Pick<Change, "serviceId" | "state">>,
): (change: RecordChange<T>) => void {
  return ({ id, revision, before, after }) => {
    const value = (after ?? before)?.value;
    if (value === undefined) return;
    const { serviceId = null, state = null } = stateOf(value);
    notify({ teamId: value.teamId, revision, kind, id, serviceId, state: after === undefined ? GONE : state });
  };
}

/** Keys and sessions belong to users: each of their teams is notified, but not of every use. */
function observeUsers(view: View, notify: Notify): readonly (() => void)[] {
  const changed = (kind: "key" | "session", userId: string, revision: number) => {
    for (const { value } of view.memberships.values()) {
      if (value.userId !== userId) continue;
      notify({ teamId: value.teamId, revision, kind, id: null, serviceId: null, state: null });
    }
  };
  return [
    view.accessKeys.subscribe(({ before, after, revision }) => {
      const key = (after ?? before)?.value;
      const isUse = after !== undefined && before?.value.revokedAt === after.value.revokedAt;
      if (key !== undefined && !isUse) changed("key", key.userId, revision);
    }),
    view.sessions.subscribe(({ before, after, revision }) => {
      const session = (after ?? before)?.value;
      const isUse = after !== undefined && before !== undefined;
      if (session !== undefined && !isUse) changed("session", session.userId, revision);
    }),
  ];
}
