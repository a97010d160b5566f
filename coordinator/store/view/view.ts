/**
 * The view's tables together. What is written says its revision, and nothing older ever replaces what is known:
 * own commits come in at once and the feed brings them again later.
 */
import { setImmediate } from "node:timers/promises";
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { RECORD_KINDS, recordKey, type WatchedKind } from "../keys.ts";
import type { RecordTypes, View } from "../store.ts";
import { GroupedTable } from "./grouped-table.ts";
import { RecordTable } from "./record-table.ts";
import type { Table } from "./table.ts";
import { TaskTable } from "./task-table.ts";
import { type UnreadableRecord, UnreadableRecords } from "./unreadable-records.ts";

/**
 * While the store elects a leader nobody knows whether a view is current, and nothing is written that it could lack. A
 * server that is cut off from the others looks the same from here: this much longer its view is believed.
 */
const ELECTION_MS = 3_000;
/** Half a millisecond. */
const SLICE_RECORDS = 500;

export class MemoryView implements View {
  readonly tasks: TaskTable;
  readonly services: RecordTable<RecordTypes["services"]>;
  readonly deployments: RecordTable<RecordTypes["deployments"]>;
  readonly rollOuts: RecordTable<RecordTypes["roll-outs"]>;
  readonly volumes: GroupedTable<RecordTypes["volumes"]>;
  readonly shells: GroupedTable<RecordTypes["shells"]>;
  readonly builds: GroupedTable<RecordTypes["builds"]>;
  readonly nodes: RecordTable<RecordTypes["nodes"]>;
  readonly assignments: RecordTable<RecordTypes["assignments"]>;
  readonly workloads: RecordTable<RecordTypes["workloads"]>;
  readonly teams: RecordTable<RecordTypes["teams"]>;
  readonly users: RecordTable<RecordTypes["users"]>;
  readonly memberships: RecordTable<RecordTypes["memberships"]>;
  readonly accessKeys: RecordTable<RecordTypes["access-keys"]>;
  readonly sessions: GroupedTable<RecordTypes["sessions"]>;
  readonly loginLinks: RecordTable<RecordTypes["login-links"]>;
  readonly terminalTickets: GroupedTable<RecordTypes["terminal-tickets"]>;
  readonly accounts: GroupedTable<RecordTypes["accounts"]>;
  readonly deviceCodes: GroupedTable<RecordTypes["device-codes"]>;
  readonly webhooks: GroupedTable<RecordTypes["webhooks"]>;
  readonly deliveries: GroupedTable<RecordTypes["deliveries"]>;
  readonly sourceConnections: GroupedTable<RecordTypes["source-connections"]>;
  readonly serviceSources: RecordTable<RecordTypes["service-sources"]>;
  readonly invitations: RecordTable<RecordTypes["invitations"]>;
  readonly joinTokens: RecordTable<RecordTypes["join-tokens"]>;
  readonly requeueOrders: RecordTable<RecordTypes["requeue-orders"]>;
  readonly circuitBreakers: RecordTable<RecordTypes["circuit-breakers"]>;
  readonly lostTasks: RecordTable<RecordTypes["lost-tasks"]>;
  readonly agentUpgrades: RecordTable<RecordTypes["agent-upgrades"]>;
  readonly pools: RecordTable<RecordTypes["pools"]>;
  readonly poolMachines: GroupedTable<RecordTypes["pool-machines"]>;
  readonly poolTokens: GroupedTable<RecordTypes["pool-tokens"]>;
  readonly uploads: GroupedTable<RecordTypes["uploads"]>;
  readonly batches: GroupedTable<RecordTypes["batches"]>;
  readonly auditEntries: GroupedTable<RecordTypes["audit-entries"]>;
  readonly #tables: Readonly<Record<WatchedKind, Table<object>>>;
  readonly #clock: Clock;
  /** Revisions of removals that the feed has not brought yet, so that an older write does not bring them back. */
  readonly #removed = new Map<string, number>();
  readonly #unreadable = new UnreadableRecords();
  /** Everything up to this revision has been brought by the feed. */
  #broughtUpTo = 0;
  #completeAtMs: number;
  #currentAtMs: number;

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Logger }) {
    this.tasks = new TaskTable(log);
    this.services = new RecordTable(log);
    this.deployments = new RecordTable(log);
    this.rollOuts = new RecordTable(log);
    this.volumes = new GroupedTable(log, ({ teamId }) => teamId);
    this.shells = new GroupedTable(log, ({ teamId }) => teamId);
    this.builds = new GroupedTable(log, ({ teamId }) => teamId);
    this.nodes = new RecordTable(log);
    this.assignments = new RecordTable(log);
    this.workloads = new RecordTable(log);
    this.teams = new RecordTable(log);
    this.users = new RecordTable(log);
    this.memberships = new RecordTable(log);
    this.accessKeys = new RecordTable(log);
    this.sessions = new GroupedTable(log, ({ userId }) => userId);
    this.loginLinks = new RecordTable(log);
    this.terminalTickets = new GroupedTable(log, ({ userId }) => userId);
    this.accounts = new GroupedTable(log, ({ userId }) => userId);
    this.deviceCodes = new GroupedTable(log, ({ userCode }) => userCode);
    this.webhooks = new GroupedTable(log, ({ serviceId }) => serviceId);
    this.deliveries = new GroupedTable(log, ({ webhookId }) => webhookId);
    this.sourceConnections = new GroupedTable(log, ({ teamId }) => teamId);
    this.serviceSources = new RecordTable(log);
    this.invitations = new RecordTable(log);
    this.joinTokens = new RecordTable(log);
    this.requeueOrders = new RecordTable(log);
    this.circuitBreakers = new RecordTable(log);
    this.lostTasks = new RecordTable(log);
    this.agentUpgrades = new RecordTable(log);
    this.pools = new RecordTable(log);
    this.poolMachines = new GroupedTable(log, ({ poolId }) => poolId);
    this.poolTokens = new GroupedTable(log, ({ poolId }) => poolId);
    this.uploads = new GroupedTable(log, ({ teamId }) => teamId);
    this.batches = new GroupedTable(log, ({ teamId }) => teamId);
    this.auditEntries = new GroupedTable(log, ({ teamId }) => teamId);
    // Each kind is put into its own table only; the types of the parts cannot say so.
    this.#tables = {
      tasks: this.tasks,
      services: this.services,
      deployments: this.deployments,
      "roll-outs": this.rollOuts,
      volumes: this.volumes,
      shells: this.shells,
      builds: this.builds,
      nodes: this.nodes,
      assignments: this.assignments,
      workloads: this.workloads,
      teams: this.teams,
      users: this.users,
      memberships: this.memberships,
      "access-keys": this.accessKeys,
      sessions: this.sessions,
      "login-links": this.loginLinks,
      "terminal-tickets": this.terminalTickets,
      accounts: this.accounts,
      "device-codes": this.deviceCodes,
      webhooks: this.webhooks,
      deliveries: this.deliveries,
      "source-connections": this.sourceConnections,
      "service-sources": this.serviceSources,
      invitations: this.invitations,
      "join-tokens": this.joinTokens,
      "requeue-orders": this.requeueOrders,
      "circuit-breakers": this.circuitBreakers,
      "lost-tasks": this.lostTasks,
      "agent-upgrades": this.agentUpgrades,
      pools: this.pools,
      "pool-machines": this.poolMachines,
      "pool-tokens": this.poolTokens,
      uploads: this.uploads,
      batches: this.batches,
      "audit-entries": this.auditEntries,
    } as unknown as Readonly<Record<WatchedKind, Table<object>>>;
    this.#clock = clock;
    this.#completeAtMs = clock.monotonicMs();
    this.#currentAtMs = clock.monotonicMs();
  }

  revision(): number {
    return this.#broughtUpTo;
  }

  ageMs(): number {
    const nowMs = this.#clock.monotonicMs();
    return Math.max(nowMs - this.#completeAtMs, nowMs - this.#currentAtMs - ELECTION_MS);
  }

  isCurrentAsOf(sinceMs: number): boolean {
    return this.#currentAtMs >= sinceMs;
  }

  /**
   * Nothing is known any more, and nothing of it counts: its age is infinite from now on. Nobody is notified, since
   * nothing was removed.
   */
  drop(): void {
    this.#completeAtMs = Number.NEGATIVE_INFINITY;
    this.#currentAtMs = Number.NEGATIVE_INFINITY;
    this.#removed.clear();
    this.#unreadable.clear();
    for (const kind of RECORD_KINDS) this.#tables[kind].clear();
  }

  /** Whether a write at `revision` would be news. */
  isNews(kind: WatchedKind, id: string, revision: number): boolean {
    if (Math.max(this.#tables[kind].revisionOf(id), this.#unreadable.revisionOf(kind, id)) >= revision) return false;
    return this.#removed.size === 0 || (this.#removed.get(recordKey(kind, id)) ?? 0) < revision;
  }

  put(kind: WatchedKind, id: string, value: object, revision: number): void {
    if (!this.isNews(kind, id, revision)) return;
    this.#unreadable.delete(kind, id);
    this.#tables[kind].put(id, value, revision);
  }

  /** It is there, and cannot be read: whoever observes the kind finds it neither as it was nor as it is. */
  putUnreadable(kind: WatchedKind, id: string, record: UnreadableRecord): void {
    const { revision } = record;
    // The table may have it at this revision, where it threw after it took it.
    if (this.#tables[kind].revisionOf(id) > revision || this.#unreadable.revisionOf(kind, id) >= revision) return;
    if ((this.#removed.get(recordKey(kind, id)) ?? 0) >= revision) return;
    // First, so that who is notified of its removal finds it here.
    this.#unreadable.set(kind, id, record);
    this.#tables[kind].remove(id, revision);
  }

  isUnreadable(kind: WatchedKind, id: string): boolean {
    return this.#unreadable.revisionOf(kind, id) > 0;
  }

  unreadable(kinds: readonly WatchedKind[] = RECORD_KINDS): number {
    return this.#unreadable.count(kinds);
  }

  malformed(kinds: readonly WatchedKind[]): number {
    return this.#unreadable.malformed(kinds);
  }

  remove(kind: WatchedKind, id: string, revision: number): void {
    if (!this.isNews(kind, id, revision)) return;
    this.#removed.set(recordKey(kind, id), revision);
    this.#unreadable.delete(kind, id);
    this.#tables[kind].remove(id, revision);
  }

  /**
   * Shows what this process has committed. Where it learns that late, the feed has brought it already, and perhaps
   * the record's removal since: then it is no news.
   */
  putOwn(kind: WatchedKind, id: string, value: object, revision: number): void {
    if (revision > this.#broughtUpTo) this.put(kind, id, value, revision);
  }

  removeOwn(kind: WatchedKind, id: string, revision: number): void {
    if (revision > this.#broughtUpTo) this.remove(kind, id, revision);
  }

  /** The feed has brought everything up to `revision`; of how young that is this says nothing. */
  completeUpTo(revision: number): void {
    this.#broughtUpTo = Math.max(this.#broughtUpTo, revision);
    if (this.#removed.size === 0) return;
    for (const [key, removedAt] of this.#removed) if (removedAt <= revision) this.#removed.delete(key);
  }

  /** The feed has brought everything that its server had up to `agoMs` before now. */
  completeAsOf(agoMs: number): void {
    this.#completeAtMs = Math.max(this.#completeAtMs, this.#clock.monotonicMs() - agoMs);
  }

  /** The feed has brought everything that was written anywhere up to `agoMs` before now. */
  currentAsOf(agoMs: number): void {
    this.#currentAtMs = Math.max(this.#currentAtMs, this.#clock.monotonicMs() - agoMs);
  }

  /** Removes what a complete list taken at `revision` does not have, some at a time: others are served in between. */
  async removeAllBut(listed: Pick<ReadonlySet<string>, "has">, revision: number): Promise<void> {
    for (const kind of RECORD_KINDS) {
      const table = this.#tables[kind];
      let left = SLICE_RECORDS;
      for (const ids of [table.ids(), [...this.#unreadable.ids(kind)]]) {
        for (const id of ids) {
          if (table.revisionOf(id) <= revision && !listed.has(recordKey(kind, id))) this.remove(kind, id, revision);
          left -= 1;
          if (left > 0) continue;
          left = SLICE_RECORDS;
          await setImmediate();
        }
      }
    }
  }
}
