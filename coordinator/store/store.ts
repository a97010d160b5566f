/**
 * What the rest of the coordinator uses of the store: typed records, changed together or not at all by
 * compare-and-swap, and a view of all of them in memory that follows the store.
 *
 * Made by open/open-store.ts over any Kv. Concurrent commits share transactions (open/group-commit.ts).
 */

import type { Instant } from "@elastic/std/clock.ts";
import type { AccessKey } from "../domain/access-key.ts";
import type { Account } from "../domain/account.ts";
import type { AgentUpgrade } from "../domain/agent-upgrade.ts";
import type { Assignment, Workload } from "../domain/assignment.ts";
import type { AuditEntry } from "../domain/audit-entry.ts";
import type { Build } from "../domain/build.ts";
import type { CircuitBreaker } from "../domain/circuit-breaker.ts";
import type { Delivery } from "../domain/delivery.ts";
import type { Deployment } from "../domain/deployment.ts";
import type { DeviceCode } from "../domain/device-code.ts";
import type { FailureReason } from "../domain/failure.ts";
import type { IdBounds } from "../domain/id-range.ts";
import type { IdempotencyNote } from "../domain/idempotency.ts";
import type { Invitation } from "../domain/invitation.ts";
import type { JoinToken } from "../domain/join-token.ts";
import type { LoginLink } from "../domain/login-link.ts";
import type { LostTask } from "../domain/lost-task.ts";
import type { Node } from "../domain/node.ts";
import type { Pool } from "../domain/pool.ts";
import type { PoolMachine } from "../domain/pool-machine.ts";
import type { PoolToken } from "../domain/pool-token.ts";
import type { RegistryImage } from "../domain/registry-image.ts";
import type { RequeueOrder } from "../domain/requeue-order.ts";
import type { RollOut } from "../domain/roll-out.ts";
import type { Service } from "../domain/service.ts";
import type { ServiceNameClaim } from "../domain/service-name.ts";
import type { ServiceSource } from "../domain/service-source.ts";
import type { Session } from "../domain/session.ts";
import type { Shell } from "../domain/shell.ts";
import type { SourceConnection } from "../domain/source-connection.ts";
import type { SourceCredential } from "../domain/source-credential.ts";
import type { SourceDelivery } from "../domain/source-delivery.ts";
import type { SourceGrant } from "../domain/source-grant.ts";
import type { Task } from "../domain/task.ts";
import type { TaskBatch } from "../domain/task-batch.ts";
import type { TaskUsage } from "../domain/task-usage.ts";
import type { Membership, Team, User } from "../domain/team.ts";
import type { TerminalTicket } from "../domain/terminal-ticket.ts";
import type { Upload } from "../domain/upload.ts";
import type { UsedLogin } from "../domain/used-login.ts";
import type { Versioned } from "../domain/versioned.ts";
import type { Volume } from "../domain/volume.ts";
import type { Webhook } from "../domain/webhook.ts";
import type { RecordKind, WatchedKind } from "./keys.ts";

export interface RecordTypes {
  readonly tasks: Task;
  readonly services: Service;
  readonly deployments: Deployment;
  readonly "roll-outs": RollOut;
  readonly volumes: Volume;
  readonly shells: Shell;
  readonly builds: Build;
  readonly nodes: Node;
  readonly assignments: Assignment;
  readonly workloads: Workload;
  readonly teams: Team;
  readonly users: User;
  readonly memberships: Membership;
  readonly "access-keys": AccessKey;
  readonly sessions: Session;
  readonly "login-links": LoginLink;
  readonly "terminal-tickets": TerminalTicket;
  readonly accounts: Account;
  readonly "device-codes": DeviceCode;
  readonly webhooks: Webhook;
  readonly deliveries: Delivery;
  readonly "source-connections": SourceConnection;
  readonly "service-sources": ServiceSource;
  readonly invitations: Invitation;
  readonly "join-tokens": JoinToken;
  readonly pools: Pool;
  readonly "pool-machines": PoolMachine;
  readonly "pool-tokens": PoolToken;
  readonly "requeue-orders": RequeueOrder;
  readonly "circuit-breakers": CircuitBreaker;
  readonly uploads: Upload;
  readonly batches: TaskBatch;
  readonly "audit-entries": AuditEntry;
  readonly "lost-tasks": LostTask;
  readonly "agent-upgrades": AgentUpgrade;
  readonly "idempotency-keys": IdempotencyNote;
  readonly "service-names": ServiceNameClaim;
  readonly "used-logins": UsedLogin;
  readonly "source-deliveries": SourceDelivery;
  readonly "source-grants": SourceGrant;
  readonly "source-credentials": SourceCredential;
  readonly "registry-images": RegistryImage;
}

/** One step of a commit. Build them with the functions of change.ts. */
export type Change =
  | {
      readonly kind: "write";
      readonly record: RecordKind;
      readonly id: string;
      readonly from: number;
      readonly value: object;
      /** What it replaces, for the audit log. */
      readonly before?: object;
    }
  | {
      readonly kind: "remove";
      readonly record: RecordKind;
      readonly id: string;
      readonly from: number;
      readonly before?: object;
    }
  /** Nothing is written, but the commit holds only if the record still is as it was read. */
  | { readonly kind: "unchanged"; readonly record: RecordKind; readonly id: string; readonly from: number }
  /** Small bytes next to a task's record. */
  | { readonly kind: "bytes"; readonly of: "input" | "result"; readonly taskId: string; readonly data: Buffer }
  | { readonly kind: "remove-bytes"; readonly of: "input" | "result"; readonly taskId: string };

/** Makes a commit hold only while the epoch still leads. */
export interface LeaderGuard {
  readonly epoch: number;
}

export type CommitOutcome =
  | { readonly kind: "committed"; readonly revision: number }
  /** Another writer was faster, or the leader guard no longer holds: read again and decide again. */
  | { readonly kind: "conflict" };

export interface Store {
  /** Raised by a restore from backup; the high part of every fencing token. */
  readonly epoch: number;
  /** The blobs that belong to this store carry the same id. */
  readonly blobStoreId: string;
  readonly view: View;
  /** Linearizable. */
  get<K extends RecordKind>(kind: K, id: string): Promise<Versioned<RecordTypes[K]> | null>;
  /** Linearizable; cached in memory for a while, since such bytes never change. Null when there are none. */
  bytes(of: "input" | "result", taskId: string): Promise<Buffer | null>;
  /**
   * Durable when it resolves with `committed`, and already in this process's view. Rejects with
   * StoreUnavailableError when the store could not be reached; what was committed then is found by reading. Rejects
   * with RecordTooLargeError or StoreRefusedError when the store would never accept it.
   */
  commit(changes: readonly Change[], guard?: LeaderGuard): Promise<CommitOutcome>;
  close(): Promise<void>;
}

export interface RecordChange<T> {
  readonly id: string;
  /** Of the write or the removal. */
  readonly revision: number;
  readonly before: Versioned<T> | undefined;
  readonly after: Versioned<T> | undefined;
}

/** All records of a kind as of some recent revision. A hint: only a commit decides. */
export interface RecordView<T> {
  get(id: string): Versioned<T> | undefined;
  values(): Iterable<Versioned<T>>;
  /** Called after each change, in order of revision for each record. Returns the way to stop. */
  subscribe(listener: (change: RecordChange<T>) => void): () => void;
}

export type TaskPhaseKind = Task["phase"]["kind"];

/** Records found by what they belong to, without looking at the others. */
export interface GroupedView<T> extends RecordView<T> {
  of(group: string): Iterable<Versioned<T>>;
  countOf(group: string): number;
  /** Those that have a record. */
  groups(): Iterable<string>;
}

export interface TaskFilter extends IdBounds {
  readonly teamId: string;
  readonly serviceId?: string;
  /** Tasks in any of these. */
  readonly phases?: readonly TaskPhaseKind[];
  /** Tasks that ended for it. It implies the phase, so it stands in place of `phases`. */
  readonly reason?: FailureReason;
}

export interface TaskPage {
  readonly offset: number;
  readonly limit: number;
  /** Begins after this task, whether it is in the list or not. */
  readonly olderThan?: string;
}

/** What is known of every task that has ended and is still in the store. */
export interface EndedEntry {
  readonly revision: number;
  readonly teamId: string;
  readonly serviceId: string;
  readonly usage: TaskUsage;
}

/** Tasks of a service that wait for their first attempt, since their creation. */
export interface FirstWaits {
  readonly teamId: string;
  readonly serviceId: string;
  readonly tasks: number;
  /** When the oldest of them was created. */
  readonly since: Instant;
}

/** Complete records of open tasks; ended ones as an index, with complete records of the most recent. */
export interface TaskView extends RecordView<Task> {
  /** Open tasks only. */
  values(): Iterable<Versioned<Task>>;
  /** Of the open tasks those that run, and those that ran and wait again; and what `firstWaits` does not count. */
  begun(): Iterable<Versioned<Task>>;
  /** By service, the tasks that wait for their first attempt: `values` would go through each of them. */
  firstWaits(): Iterable<FirstWaits>;
  /** An open or recently ended task. */
  get(id: string): Versioned<Task> | undefined;
  /** Ids of a team's tasks, newest first, and how many there are in all. */
  list(filter: TaskFilter, page: TaskPage): { readonly ids: readonly string[]; readonly total: number };
  /**
   * The task once it has ended, or null when it ended too long ago to be in the view (read it with `get` of the store)
   * or was removed. Waits for a task that is not in the view yet. Rejects with the signal's reason. Never reads the store.
   */
  ended(id: string, signal: AbortSignal): Promise<Versioned<Task> | null>;
  /** The same by a call back, at once where it has ended; the returned function gives up. */
  onceEnded(id: string, listener: (task: Versioned<Task> | null) => void): () => void;
  /** By id, the first to end first, but for those that had ended before this process started. */
  readonly endedEntries: ReadonlyMap<string, EndedEntry>;
}

export interface View {
  readonly tasks: TaskView;
  readonly services: RecordView<Service>;
  readonly deployments: RecordView<Deployment>;
  readonly rollOuts: RecordView<RollOut>;
  /** By team. */
  readonly volumes: GroupedView<Volume>;
  /** By team. */
  readonly shells: GroupedView<Shell>;
  /** By team. */
  readonly builds: GroupedView<Build>;
  readonly nodes: RecordView<Node>;
  readonly assignments: RecordView<Assignment>;
  readonly workloads: RecordView<Workload>;
  readonly teams: RecordView<Team>;
  readonly users: RecordView<User>;
  readonly memberships: RecordView<Membership>;
  readonly accessKeys: RecordView<AccessKey>;
  /** By user. */
  readonly sessions: GroupedView<Session>;
  readonly loginLinks: RecordView<LoginLink>;
  /** By user. */
  readonly terminalTickets: GroupedView<TerminalTicket>;
  /** By user. */
  readonly accounts: GroupedView<Account>;
  /** By user code. */
  readonly deviceCodes: GroupedView<DeviceCode>;
  /** By service. */
  readonly webhooks: GroupedView<Webhook>;
  /** By webhook. */
  readonly deliveries: GroupedView<Delivery>;
  /** By team. */
  readonly sourceConnections: GroupedView<SourceConnection>;
  readonly serviceSources: RecordView<ServiceSource>;
  readonly invitations: RecordView<Invitation>;
  readonly joinTokens: RecordView<JoinToken>;
  readonly requeueOrders: RecordView<RequeueOrder>;
  readonly circuitBreakers: RecordView<CircuitBreaker>;
  readonly lostTasks: RecordView<LostTask>;
  /** One, or none. */
  readonly agentUpgrades: RecordView<AgentUpgrade>;
  readonly pools: RecordView<Pool>;
  /** By pool. */
  readonly poolMachines: GroupedView<PoolMachine>;
  /** By pool. */
  readonly poolTokens: GroupedView<PoolToken>;
  /** By team. */
  readonly uploads: GroupedView<Upload>;
  /** By team. */
  readonly batches: GroupedView<TaskBatch>;
  /** The view has everything that was written up to this revision, and of what came later what this process wrote. */
  revision(): number;
  /** By team; those that have not moved to the archive. */
  readonly auditEntries: GroupedView<AuditEntry>;
  /** Whether it is there and cannot be read, since a later version wrote it or it is malformed: the view has nothing of it. */
  isUnreadable(kind: WatchedKind, id: string): boolean;
  /** How many such records there are of these kinds; of all watched ones where none are given. */
  unreadable(kinds?: readonly WatchedKind[]): number;
  /** How many of those no program of any version reads. */
  malformed(kinds: readonly WatchedKind[]): number;
  /** Milliseconds since the view was last known to be complete; a broken watch makes it grow. */
  ageMs(): number;
  /** Whether all has come that was written anywhere before `sinceMs`, which is on this process's monotonic clock. */
  isCurrentAsOf(sinceMs: number): boolean;
}
