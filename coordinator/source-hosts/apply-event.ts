/** What an event of a source host changes: connections of the installation, or a build of each service of the branch. */
import type { Clock } from "@elastic/std/clock.ts";
import type { ServiceSource } from "../domain/service-source.ts";
import {
  hasRepository,
  isActive,
  resumed,
  suspended,
  uninstalled,
  withoutRepositories,
} from "../domain/source-connection.ts";
import { isPushTooOld } from "../domain/source-delivery.ts";
import type { Store, View } from "../store/store.ts";
import type { OnPush } from "./on-push.ts";
import type { SourceEvent } from "./source-host.ts";
import { updateConnection } from "./update-connection.ts";

type Push = Extract<SourceEvent, { kind: "push" }>;

export interface EventOptions {
  readonly store: Pick<Store, "get" | "commit" | "view">;
  readonly clock: Pick<Clock, "now">;
  readonly onPush: OnPush;
}

export async function applyEvent(
  options: EventOptions,
  host: string,
  { deliveryId, event }: { readonly deliveryId: string; readonly event: SourceEvent },
): Promise<void> {
  if (event.kind === "push") return startBuilds(options, host, deliveryId, event);
  const now = options.clock.now();
  for (const id of connectionsOf(options.store.view, host, event.installationId)) {
    await updateConnection(options.store, id, (connection) => {
      if (event.kind === "repositories_removed") return withoutRepositories(connection, event.repositoryIds);
      if (event.kind === "resumed") return resumed(connection);
      return event.kind === "suspended" ? suspended(connection, now) : uninstalled(connection, now);
    });
  }
}

/** Whether it changes anything here. */
export function concerns(view: View, host: string, event: SourceEvent): boolean {
  if (event.kind === "push") return sourcesOf(view, host, event).length > 0;
  return connectionsOf(view, host, event.installationId).length > 0;
}

async function startBuilds(
  { store, clock, onPush }: EventOptions,
  host: string,
  deliveryId: string,
  push: Push,
): Promise<void> {
  if (isPushTooOld(push.pushedAt, clock.now())) return;
  for (const source of sourcesOf(store.view, host, push)) {
    const service = store.view.services.get(source.id)?.value;
    if (service === undefined || service.state.kind === "deleted") continue;
    await onPush({ service, source, commit: push.commit, ref: `refs/heads/${push.branch}`, deliveryId });
  }
}

/** Services that a push to the branch deploys, by connections that stand and have the repository. */
function sourcesOf(
  view: Pick<View, "serviceSources" | "sourceConnections">,
  host: string,
  { installationId, repositoryId, branch }: Push,
): readonly ServiceSource[] {
  const sources: ServiceSource[] = [];
  for (const { value: source } of view.serviceSources.values()) {
    if (!source.deployOnPush || source.host !== host || source.branch !== branch) continue;
    if (source.repositoryId !== repositoryId) continue;
    const connection = view.sourceConnections.get(source.connectionId)?.value;
    const stands = connection !== undefined && isActive(connection) && hasRepository(connection, repositoryId);
    const isReported = installationId === null || connection?.installationId === installationId;
    if (stands && isReported) sources.push(source);
  }
  return sources;
}

function connectionsOf({ sourceConnections }: Pick<View, "sourceConnections">, host: string, installationId: string) {
  const ids: string[] = [];
  for (const { value } of sourceConnections.values()) {
    if (value.host === host && value.installationId === installationId) ids.push(value.id);
  }
  return ids;
}
