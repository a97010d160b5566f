/** In which account the template's repository may be created. Pure. */

import type { SourceConnection, SourceHost } from "../sources/sources-query.ts";
import { visibleLine } from "../text/visible-text.ts";

export interface AccountChoice {
  /** Of the host, and of the connection where there is one. */
  readonly value: string;
  readonly label: string;
  readonly host: SourceHost;
  /** Null for an account that is still to be connected. */
  readonly connectionId: string | null;
}

/**
 * The user's own connections, the one that was authorized last first, then another account at each host. A repository is created
 * with the authorization of the user, so other members' connections are none to choose.
 */
export function accountChoices(
  hosts: readonly SourceHost[],
  connections: readonly SourceConnection[],
  userId: string,
): readonly AccountChoice[] {
  const own = connections
    .filter(({ user_id, state }) => user_id === userId && state === "active")
    .sort((a, b) => b.linked.localeCompare(a.linked));
  const connected = own.flatMap(({ connection_id: connectionId, account, host: name }) => {
    const host = hosts.find((one) => one.name === name);
    if (host === undefined) return [];
    return [{ value: connectionId, label: `${visibleLine(account)} at ${host.title}`, host, connectionId }];
  });
  const others = hosts.map((host) => ({
    value: `new ${host.name}`,
    label: connected.length === 0 ? `My account at ${host.title}` : `Another account at ${host.title}`,
    host,
    connectionId: null,
  }));
  return [...connected, ...others];
}
