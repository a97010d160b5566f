/** The layout of every key in the store. Nothing else spells a key. */

const ROOT = "/elastic/v1/";

/** What the coordinators keep as records: JSON of at most 8 KiB each, under `<kind>/<id>`. */
export const RECORD_KINDS = [
  "tasks",
  "services",
  "deployments",
  "roll-outs",
  "volumes",
  "shells",
  "builds",
  "nodes",
  "assignments",
  "workloads",
  "teams",
  "users",
  "memberships",
  "access-keys",
  "sessions",
  "login-links",
  "terminal-tickets",
  "accounts",
  "device-codes",
  "invitations",
  "join-tokens",
  "requeue-orders",
  "circuit-breakers",
  "webhooks",
  "deliveries",
  "source-connections",
  "service-sources",
  "uploads",
  "audit-entries",
] as const;

/** Records that are looked up by those who need one: nobody watches them, and no view has them. */
const UNWATCHED_KINDS = [
  "idempotency-keys",
  "service-names",
  "used-logins",
  "source-deliveries",
  "source-grants",
  "source-credentials",
  "registry-images",
] as const;

export type WatchedKind = (typeof RECORD_KINDS)[number];
export type RecordKind = WatchedKind | (typeof UNWATCHED_KINDS)[number];

/** docs/stored-data.md has what bounds and removes each. */
export const ALL_RECORD_KINDS: readonly RecordKind[] = [...RECORD_KINDS, ...UNWATCHED_KINDS];

/** Everything that a coordinator watches is under this prefix; what it does not watch is outside. */
export const RECORDS_PREFIX = `${ROOT}records/`;

const UNWATCHED_PREFIX = `${ROOT}unwatched/`;

export function isWatched(kind: RecordKind): kind is WatchedKind {
  return !UNWATCHED_KINDS.some((unwatched) => unwatched === kind);
}

export function recordPrefix(kind: RecordKind): string {
  return `${isWatched(kind) ? RECORDS_PREFIX : UNWATCHED_PREFIX}${kind}/`;
}

export function recordKey(kind: RecordKind, id: string): string {
  return `${recordPrefix(kind)}${id}`;
}

/** Kind and id of a record's key. */
export function parseRecordKey(key: string): { readonly kind: WatchedKind; readonly id: string } | null {
  if (!key.startsWith(RECORDS_PREFIX)) return null;
  const [kind, ...id] = key.slice(RECORDS_PREFIX.length).split("/");
  const known = RECORD_KINDS.find((candidate) => candidate === kind);
  return known === undefined ? null : { kind: known, id: id.join("/") };
}

/** Bytes of a task's input of at most 4 KiB. */
export function inputKey(taskId: string): string {
  return `${ROOT}inputs/${taskId}`;
}

export function bytesKey(of: "input" | "result", taskId: string): string {
  return of === "input" ? inputKey(taskId) : resultKey(taskId);
}

/** Bytes of a task's result of at most 4 KiB. */
export function resultKey(taskId: string): string {
  return `${ROOT}results/${taskId}`;
}

/** Who leads: written with the leader's lease; its revision is the leader's epoch. */
export const LEADER_KEY = `${ROOT}leader`;

/** Which coordinator sends the deliveries of webhooks, in the same way. */
export const WEBHOOK_SENDER_KEY = `${ROOT}webhook-sender`;

/** Coordinators that live, each under its lease. */
export const COORDINATORS_PREFIX = `${ROOT}coordinators/`;

export function coordinatorKey(coordinatorId: string): string {
  return `${COORDINATORS_PREFIX}${coordinatorId}`;
}

/** What operators see of each of them, under the same lease. */
export const COORDINATOR_FACTS_PREFIX = `${ROOT}coordinator-facts/`;

export function coordinatorFactsKey(coordinatorId: string): string {
  return `${COORDINATOR_FACTS_PREFIX}${coordinatorId}`;
}

/** Identity of this store: its epoch, and the id of the blobs that belong to it. */
export const META_KEY = `${ROOT}meta`;

/** Which archive holds the tasks that have moved out of this store. */
export const ARCHIVE_KEY = `${ROOT}archive`;

/** The authority of the nodes' certificates, its key sealed. */
export const AUTHORITY_KEY = `${ROOT}node-authority`;

/** By which clients know the SSH gateway; sealed. */
export const SSH_HOST_KEY = `${ROOT}ssh-host-key`;
