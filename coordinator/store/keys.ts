/** The layout of every key in the store. Nothing else spells a key. */

/** Begins all of them. */
export const ROOT = "/elastic/v1/";

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
  "batches",
  "audit-entries",
  "lost-tasks",
  "agent-upgrades",
  "pools",
  "pool-machines",
  "pool-tokens",
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

/** A scheduler that lacks one of these would end what runs because of it. */
export const SCHEDULED_KINDS = [
  "services",
  "deployments",
  "roll-outs",
  "shells",
  "builds",
  "nodes",
  "assignments",
  "workloads",
] as const satisfies readonly WatchedKind[];

/** Of these a malformed one hides what it holds: nobody knows which slots and GPUs are free. */
export const HOLDING_KINDS = ["assignments"] as const satisfies readonly WatchedKind[];

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
  return parseUnder(RECORDS_PREFIX, RECORD_KINDS, key);
}

/** The same, also for records that nobody watches. */
export function parseAnyRecordKey(key: string): { readonly kind: RecordKind; readonly id: string } | null {
  return parseRecordKey(key) ?? parseUnder(UNWATCHED_PREFIX, UNWATCHED_KINDS, key);
}

function parseUnder<K extends RecordKind>(prefix: string, kinds: readonly K[], key: string) {
  if (!key.startsWith(prefix)) return null;
  const at = key.indexOf("/", prefix.length);
  const kind = key.slice(prefix.length, at < 0 ? key.length : at);
  const known = kinds.find((candidate) => candidate === kind);
  return known === undefined ? null : { kind: known, id: at < 0 ? "" : key.slice(at + 1) };
}

/** Of the key of a task's small input or result; null for any other. */
export function taskOfBytes(key: string): string | null {
  for (const prefix of [inputKey(""), resultKey("")]) if (key.startsWith(prefix)) return key.slice(prefix.length);
  return null;
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

/** Which keys and roots each process of the coordinators holds, under a lease of that process. */
export const HELD_KEYS_PREFIX = `${ROOT}held-keys/`;

export function heldKeysKey(processId: string): string {
  return `${HELD_KEYS_PREFIX}${processId}`;
}

/** How far the rotation of the master key is. */
export const KEY_ROTATION_KEY = `${ROOT}key-rotation`;

/** What each coordinator publishes about its machine's clock, likewise. */
export const CLOCKS_PREFIX = `${ROOT}clocks/`;

export function clockKey(coordinatorId: string): string {
  return `${CLOCKS_PREFIX}${coordinatorId}`;
}

/** Which nodes each coordinator reaches, likewise. */
export const CONTACTS_PREFIX = `${ROOT}contacts/`;

export function contactsKey(coordinatorId: string): string {
  return `${CONTACTS_PREFIX}${coordinatorId}`;
}

/** What ends with a process, or is of a restore: no backup has it. */
export function isPassing(key: string): boolean {
  const single = [LEADER_KEY, WEBHOOK_SENDER_KEY, RESTORE_KEY, RESTORE_LEASE_KEY];
  const prefixes = [COORDINATORS_PREFIX, COORDINATOR_FACTS_PREFIX, HELD_KEYS_PREFIX, CLOCKS_PREFIX, CONTACTS_PREFIX];
  return single.includes(key) || prefixes.some((prefix) => key.startsWith(prefix));
}

/** Identity of this store: its epoch, and the id of the blobs that belong to it. */
export const META_KEY = `${ROOT}meta`;

/** There from the beginning of a restore to its end: what else is in the store is incomplete. */
export const RESTORE_KEY = `${ROOT}restore`;
/** Under the lease of the restore that runs. */
export const RESTORE_LEASE_KEY = `${ROOT}restore-lease`;

/** Which archive holds the tasks that have moved out of this store. */
export const ARCHIVE_KEY = `${ROOT}archive`;

/** The authority of the nodes' certificates, its key sealed. */
export const AUTHORITY_KEY = `${ROOT}node-authority`;

/** By which clients know the SSH gateway; sealed. */
export const SSH_HOST_KEY = `${ROOT}ssh-host-key`;
