/** Requests to a host for a connection, which notice where the host says that the connection has ended. */
import type { Clock } from "@elastic/std/clock.ts";
import { isActive, type SourceConnection, uninstalled } from "../domain/source-connection.ts";
import type { Versioned } from "../domain/versioned.ts";
import type { Store } from "../store/store.ts";
import type { SourceHost } from "./source-host.ts";
import { SourceHostError } from "./source-host-error.ts";
import { updateConnection } from "./update-connection.ts";

export interface NoticingOptions {
  readonly hosts: readonly SourceHost[];
  readonly store: Pick<Store, "get" | "commit">;
  readonly clock: Pick<Clock, "now">;
}

export async function readActive(
  { store }: Pick<NoticingOptions, "store">,
  connectionId: string,
): Promise<Versioned<SourceConnection>> {
  const connection = await store.get("source-connections", connectionId);
  if (connection === null || connection.value.state.kind === "uninstalled") throw new SourceHostError("revoked");
  if (!isActive(connection.value)) throw new SourceHostError("suspended");
  return connection;
}

/** Where the host says that the installation is gone, the connection's record says so from then on. */
export async function noticingEnd<T>(
  options: NoticingOptions,
  { value: { id, host: name } }: Versioned<SourceConnection>,
  use: (host: SourceHost) => Promise<T>,
): Promise<T> {
  const host = options.hosts.find((one) => one.name === name);
  // The operator has removed it from the settings.
  if (host === undefined) throw new SourceHostError("host_down");
  try {
    return await use(host);
  } catch (error) {
    // Without installations, what ends is the credential of a repository.
    if (error instanceof SourceHostError && error.code === "revoked" && host.grants === null) {
      await updateConnection(options.store, id, (connection) => uninstalled(connection, options.clock.now()));
    }
    throw error;
  }
}
