/**
 * The view's tables together. What is written says its revision, and nothing older ever replaces what is known:
 * own commits come in at once and the feed brings them again later.
 */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { RECORD_KINDS, recordKey, type WatchedKind } from "../keys.ts";
import type { RecordTypes, View } from "../store.ts";
import { GroupedTable } from "./grouped-table.ts";
import { RecordTable } from "./record-table.ts";
import type { Table } from "./table.ts";
import { TaskTable } from "./task-table.ts";

/**
 * While the store elects a leader nobody knows whether a view is current, and nothing is written that it could lack. A
 * server that is cut off from the others looks the same from here: this much longer its view is believed.
 */
const ELECTION_MS = 3_000;

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
  readonly uploads: GroupedTable<RecordTypes["uploads"]>;
  readonly auditEntries: GroupedTable<RecordTypes["audit-entries"]>;
  readonly #tables: Readonly<Record<WatchedKind, Table<object>>>;
  readonly #clock: Clock;
  /** Revisions of removals that the feed has not brought yet, so that an older write does not bring them back. */
  readonly #removed = new Map<string, number>();
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
    this.uploads = new GroupedTable(log, ({ teamId }) => teamId);
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
      uploads: this.uploads,
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

  /**
   * Nothing is known any more, and nothing of it counts: its age is infinite from now on. Nobody is notified, since
   * nothing was removed.
   */
  drop(): void {
    this.#completeAtMs = Number.NEGATIVE_INFINITY;
    this.#currentAtMs = Number.NEGATIVE_INFINITY;
    this.#removed.clear();
    for (const kind of RECORD_KINDS) this.#tables[kind].clear();
  }

  /** Whether a write at `revision` would be news. */
  isNews(kind: WatchedKind, id: string, revision: number): boolean {
    if (this.#tables[kind].revisionOf(id) >= revision) return false;
    return (this.#removed.get(recordKey(kind, id)) ?? 0) < revision;
  }

  put(kind: WatchedKind, id: string, value: object, revision: number): void {
    if (this.isNews(kind, id, revision)) this.#tables[kind].put(id, value, revision);
  }

  remove(kind: WatchedKind, id: string, revision: number): void {
    if (!this.isNews(kind, id, revision)) return;
    this.#removed.set(recordKey(kind, id), revision);
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

  /** Removes what a complete list taken at `revision` does not have. */
  removeAllBut(listed: ReadonlySet<string>, revision: number): void {
    for (const kind of RECORD_KINDS) {
      const table = this.#tables[kind];
      const gone = [...table.ids()].filter(
        (id) => table.revisionOf(id) <= revision && !listed.has(recordKey(kind, id)),
      );
      for (const id of gone) this.remove(kind, id, revision);
    }
  }
}
