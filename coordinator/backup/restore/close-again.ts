/** Ends again what was ended after the backup, as far as the audit log says. Pure. */
import { revoked } from "../../domain/access-key.ts";
import { cancelTask } from "../../domain/cancel-task.ts";
import { evicted } from "../../domain/node.ts";
import { ROLES } from "../../domain/role.ts";
import { deleted as deletedService } from "../../domain/service.ts";
import { deleted as deletedShell } from "../../domain/shell.ts";
import { isTerminal, type Task } from "../../domain/task.ts";
import type { Membership, Team, User } from "../../domain/team.ts";
import type { RecordKind } from "../../store/keys.ts";
import type { RecordTypes } from "../../store/store.ts";
import type { LaterChanges, LaterObject } from "./later-changes.ts";

/** What was ended, in words of an operator. */
export type Closed =
  | "keys revoked"
  | "members removed"
  | "roles lowered"
  | "users deleted"
  | "operators removed"
  | "SSH keys removed"
  | "teams deleted"
  | "accounts unlinked"
  | "nodes evicted"
  | "services deleted"
  | "shells deleted"
  | "tasks cancelled"
  | "webhooks deleted"
  | "invitations ended"
  | "source connections removed";

interface Closing {
  readonly closed: Closed;
  /** Null where the record is gone. */
  readonly after: object | null;
}

type Closer<K extends RecordKind> = (record: RecordTypes[K], later: LaterObject) => Closing | null;
type Closers = { readonly [K in RecordKind]?: readonly [kind: string, close: Closer<K>] };

/** By the kind of record: how the audit log calls it, and what an end of it is. */
const CLOSERS: Closers = {
  "access-keys": [
    "key",
    (key, { isRemoved, facts, at }) => {
      if (key.revokedAt !== null || !(isRemoved || facts.revoked === true)) return null;
      return { closed: "keys revoked", after: revoked(key, at) };
    },
  ],
  memberships: ["member", closeMember],
  users: ["user", closeUser],
  teams: [
    "team",
    (team, { facts, at, byUserId }) => {
      if (team.deleted !== undefined || facts.deleted !== true) return null;
      return { closed: "teams deleted", after: { ...team, deleted: { at, byUserId: byUserId ?? "" } } satisfies Team };
    },
  ],
  accounts: ["account", gone("accounts unlinked")],
  nodes: [
    "node",
    (node, { facts, at }) => {
      // One that was enrolled again since is not evicted for it.
      if (node.evictedAt !== undefined || facts.evicted !== true || at < node.since) return null;
      return { closed: "nodes evicted", after: evicted(node, at) };
    },
  ],
  services: [
    "service",
    (service, { isRemoved, facts, at }) => {
      if (service.state.kind === "deleted" || !(isRemoved || facts.state === "deleted")) return null;
      return { closed: "services deleted", after: deletedService(service, at) };
    },
  ],
  shells: [
    "shell",
    (shell, { isRemoved, facts, at }) => {
      if (shell.state.kind === "deleted" || !(isRemoved || facts.state === "deleted")) return null;
      return { closed: "shells deleted", after: deletedShell(shell, at) };
    },
  ],
  tasks: ["task", closeTask],
  webhooks: ["webhook", gone("webhooks deleted")],
  invitations: ["invitation", gone("invitations ended")],
  "source-connections": ["source_connection", gone("source connections removed")],
  "service-sources": ["service_source", gone("source connections removed")],
};

/** Null for what was not ended. */
export function closeAgain(
  kind: RecordKind,
  id: string,
  record: object,
  later: Pick<LaterChanges, "of">,
): Closing | null {
  if (kind === "service-names") return closeName(record as RecordTypes["service-names"], later);
  const [name, close] = (CLOSERS[kind] ?? []) as [string?, ((record: object, later: LaterObject) => Closing | null)?];
  const found = name === undefined ? null : later.of(name, id);
  return found === null ? null : (close?.(record, found) ?? null);
}

/** The name of a deleted service is free. */
function closeName({ serviceId }: RecordTypes["service-names"], later: Pick<LaterChanges, "of">): Closing | null {
  const service = later.of("service", serviceId);
  const isDeleted = service !== null && (service.isRemoved || service.facts.state === "deleted");
  return isDeleted ? { closed: "services deleted", after: null } : null;
}

function gone(closed: Closed): (record: object, later: LaterObject) => Closing | null {
  return (_record, { isRemoved }) => (isRemoved ? { closed, after: null } : null);
}

/** A higher role than the backup's is not given again: who gave it does so. */
function closeMember(member: Membership, { isRemoved, facts }: LaterObject): Closing | null {
  if (isRemoved) return { closed: "members removed", after: null };
  const role = ROLES.find((one) => one === facts.role);
  if (role === undefined || ROLES.indexOf(role) <= ROLES.indexOf(member.role)) return null;
  return { closed: "roles lowered", after: { ...member, role } satisfies Membership };
}

function closeUser(user: User, { facts, at }: LaterObject): Closing | null {
  if (user.deleted !== undefined) return null;
  const { id, name, createdAt } = user;
  if (facts.deleted === true) {
    return { closed: "users deleted", after: { id, name, createdAt, deleted: { at } } satisfies User };
  }
  const { operator, authorizedKeys = [], ...rest } = user;
  const isOperator = operator === true && facts.operator !== false;
  // What the entry had no room for is removed too: a key is added again more easily than misused.
  const listed = Array.isArray(facts.authorized_keys) ? (facts.authorized_keys as readonly string[]) : null;
  const left =
    listed === null ? authorizedKeys : authorizedKeys.filter(({ fingerprint }) => listed.includes(fingerprint));
  const closed = left.length < authorizedKeys.length ? "SSH keys removed" : "operators removed";
  if (left.length === authorizedKeys.length && isOperator === (operator === true)) return null;
  const after: User = { ...rest, authorizedKeys: left, ...(isOperator ? { operator: true } : {}) };
  return { closed, after };
}

/** Without deliveries of webhooks: they were created when it was cancelled. */
function closeTask(task: Task, { facts, at }: LaterObject): Closing | null {
  if (isTerminal(task.phase) || facts.phase !== "cancelled") return null;
  return { closed: "tasks cancelled", after: cancelTask(task, at) };
}
