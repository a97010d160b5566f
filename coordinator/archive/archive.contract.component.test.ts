/** What every archive must do. */
import { newId } from "@elastic/std/ids.ts";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AuditFilter, isListed, OF_NO_TEAM } from "../domain/audit-entry.ts";
import { bucketOf } from "../domain/duration-histogram.ts";
import type { Task } from "../domain/task.ts";
import { usageOf } from "../domain/task-usage.ts";
import type { EndedPhase } from "../domain/usage-sums.ts";
import type { Archive, ArchiveFilter } from "./archive.ts";
import { archiveReader } from "./sql/read-archive.ts";
import { anAuditEntry } from "./testing/audit-entries.ts";
import { DATABASES, type Database, type Databases, openArchive } from "./testing/databases.ts";
import { anEndedTask, archived, type Given } from "./testing/ended-tasks.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const START = 1_700_000_000_000;
const TEAMS = ["a", "b"].map((end) => "0".repeat(31).concat(end));
const TEAM = TEAMS[0] ?? "";
const SERVICES = ["5", "6"].map((end) => "0".repeat(31).concat(end));
const PHASES = ["succeeded", "failed", "cancelled", "timed_out", "expired"] as const;
const REASONS = ["internal", "node_lost"] as const;
const WHOLE_PAGE = { offset: 0, limit: 1_000 };

describe.each(DATABASES)("an archive in %s", (_, start) => {
  let databases: Databases;
  let database: Database;
  let archive: Archive;

  beforeAll(async () => {
    databases = await start();
  });
  afterAll(() => databases[Symbol.asyncDispose]());
  beforeEach(async () => {
    database = databases.fresh();
    archive = await openArchive(database);
    return () => archive.close();
  });

  async function put(...given: readonly Given[]): Promise<Task[]> {
    const tasks = given.map(anEndedTask);
    await archive.put(tasks.map(archived));
    return tasks;
  }

  async function idsOf(filter: Partial<ArchiveFilter> = {}): Promise<readonly string[]> {
    return (await archive.list({ teamId: TEAM, ...filter }, WHOLE_PAGE)).ids;
  }

  test("a task comes back as it was put, bytes and all", async () => {
    const [small, large] = await put({}, { resultBlob: "3".repeat(64) });
    if (small === undefined || large === undefined) throw new Error("nothing was put");
    expect(await archive.get(small.id)).toEqual(archived(small));
    expect(await archive.get(large.id)).toEqual({ ...archived(large), result: null });
    expect(await archive.get(newId(START))).toBeNull();
    expect(await archive.getMany([large.id, newId(START), small.id])).toHaveLength(2);
  });

  test("is read without being opened: audit entries of all teams in their order, and which tasks there are", async () => {
    const entries = [1, 2, 3].map((at) => anAuditEntry({ at, id: newId(at), teamId: TEAMS[at % 2] ?? "" }));
    await archive.putAudit(entries);
    const [task] = await put({});
    await archive.close();
    const reader = await archiveReader(await database.open());
    const [first, second, third] = entries;
    expect([reader.id, await reader.newestAuditId()]).toEqual([archive.id, third?.id]);
    expect(await reader.auditAfter(first?.id ?? "", 10)).toEqual([second, third]);
    expect(await reader.auditAfter("", 1)).toEqual([first]);
    expect(await reader.tasksOf([task?.id ?? "", newId(9)])).toEqual(new Set([task?.id]));
    expect(await reader.tasksOf([])).toEqual(new Set());
    await reader.close();
    archive = await openArchive(database);
  });

  test("putting a task again changes nothing, and counts it once", async () => {
    const [task] = await put({});
    if (task === undefined) throw new Error("nothing was put");
    const other = anEndedTask({ id: task.id, phase: "failed" });
    await archive.put([archived(other), archived(anEndedTask({ createdAt: START + 1 }))]);
    expect((await archive.get(task.id))?.task.phase.kind).toBe("succeeded");
    await archive.settle([task.id]);
    await archive.put([archived(other)]);
    await archive.settle([task.id]);
    expect((await archive.list({ teamId: TEAM }, WHOLE_PAGE)).total).toBe(2);
    expect((await archive.usage(TEAM, 0, 2 ** 40)).settled.total().tasks).toEqual(new Map([["succeeded", 1]]));
  });

  test("the newest tasks of all teams come page by page, with what they used, also while they are arriving", async () => {
    const given = [0, 1, 2, 3].map((n) => ({ createdAt: START + n, teamId: TEAMS[n % 2] ?? "" }));
    const tasks = await put(...given);
    await archive.settle(tasks.slice(2).map(({ id }) => id));
    const newest = tasks.toReversed();
    const first = await archive.newest({ from: START + 1, olderThan: null, limit: 2 });
    expect(first).toEqual(
      newest.slice(0, 2).map((task) => ({
        id: task.id,
        serviceId: task.serviceId,
        createdAt: task.createdAt,
        usage: usageOf(task),
      })),
    );
    const rest = await archive.newest({ from: START + 1, olderThan: first.at(-1)?.id ?? null, limit: 9 });
    expect(rest.map(({ id }) => id)).toEqual([newest[2]?.id]);
  });

  test("what was put is there after it was closed and opened again, and so is its id", async () => {
    const [task] = await put({});
    const { id } = archive;
    await archive.close();
    archive = await openArchive(database);
    expect(archive.id).toBe(id);
    expect((await archive.get(task?.id ?? ""))?.task).toEqual(task);
  });

  test("a list has what its filter says, newest first, page by page, with the number of all", async () => {
    const aTask = fc.record({
      team: fc.constantFrom(...TEAMS),
      service: fc.constantFrom(...SERVICES),
      phase: fc.constantFrom(...PHASES),
      ageMs: fc.integer({ min: 0, max: 4 * DAY_MS }),
      reason: fc.constantFrom(...REASONS),
      settled: fc.boolean(),
    });
    const instant = fc.option(fc.integer({ min: START - 5 * DAY_MS, max: START + DAY_MS }), { nil: undefined });
    const aFilter = fc.record({
      serviceId: fc.option(fc.constantFrom(...SERVICES), { nil: undefined }),
      phases: fc.option(fc.subarray([...PHASES] as EndedPhase[]), { nil: undefined }),
      reason: fc.option(fc.constantFrom(...REASONS), { nil: undefined }),
      createdFrom: instant,
      createdBefore: instant,
      idPrefix: fc.option(
        fc.integer({ min: 0, max: 4 * DAY_MS }).map((ageMs) => newId(START - ageMs).slice(0, 8)),
        { nil: undefined, freq: 3 },
      ),
      size: fc.integer({ min: 1, max: 7 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(aTask, { maxLength: 40 }),
        fc.array(aFilter, { maxLength: 6 }),
        async (given, queried) => {
          await archive.close();
          archive = await openArchive(databases.fresh());
          const tasks = given.map(({ team, service, phase, reason, ageMs }) =>
            anEndedTask({ teamId: team, serviceId: service, phase, reason, createdAt: START - ageMs }),
          );
          await archive.put(tasks.map(archived));
          const settled = tasks.filter((_task, index) => given[index]?.settled).map(({ id }) => id);
          await archive.settle(settled);
          for (const { size, ...filter } of queried) {
            const expected = tasks
              .filter((task) => task.teamId === TEAM && matches(task, filter))
              .map(({ id }) => id)
              .sort()
              .reverse();
            const whole = { teamId: TEAM, ...present(filter) };
            for (let offset = 0; offset === 0 || offset < expected.length; offset += size) {
              const page = await archive.list(whole, { offset, limit: size });
              expect(page.ids).toEqual(expected.slice(offset, offset + size));
              expect(page.total).toBe(expected.length);
              expect([...page.arriving].sort()).toEqual(expected.filter((id) => !settled.includes(id)).sort());
              const last = page.ids.at(-1);
              if (last === undefined) continue;
              const next = await archive.list(whole, { offset: 0, limit: size, olderThan: last });
              expect(next.ids).toEqual(expected.slice(offset + size, offset + 2 * size));
            }
          }
        },
      ),
      { numRuns: 15 },
    );
  });

  test("usage adds up what settled tasks used by service and phase, and names the arriving ones", async () => {
    const endedAt = START + 2_000;
    const hour = Math.floor(endedAt / HOUR_MS);
    const tasks = await put(
      { runMs: 3_000 },
      { runMs: 5_000, phase: "failed" },
      { serviceId: SERVICES[1] ?? "", runMs: 7_000, holds: { slots: 1, gpus: 0 } },
      { phase: "expired", queueMs: null },
      { createdAt: START + 2 * HOUR_MS },
      { teamId: TEAMS[1] ?? "" },
    );
    const arriving = tasks[1];
    await archive.settle(tasks.filter((task) => task !== arriving).map(({ id }) => id));
    const used = await archive.usage(TEAM, hour, hour + 1);
    expect(used.arriving).toEqual([
      { id: arriving?.id, serviceId: SERVICES[0], usage: usageOf(arriving ?? anEndedTask()) },
    ]);
    expect(used.settled.services.get(SERVICES[0] ?? "")).toEqual({
      tasks: new Map([
        ["succeeded", 1],
        ["expired", 1],
      ]),
      gpuMs: 6_000,
      slotMs: 6_000,
      queue: new Map([[bucketOf(1_000), 1]]),
      run: new Map([[bucketOf(3_000), 1]]),
    });
    expect(used.settled.total()).toMatchObject({ gpuMs: 6_000, slotMs: 13_000 });
    expect((await archive.usage(TEAM, hour + 1, hour + 2)).settled.services.size).toBe(0);
    await archive.removeUsage((hour + 1) * HOUR_MS);
    expect((await archive.usage(TEAM, 0, hour + 1)).settled.services.size).toBe(0);
    expect((await archive.usage(TEAM, 0, hour + 9)).settled.total().tasks).toEqual(new Map([["succeeded", 1]]));
  });

  test("usage by day adds up what settled tasks used by day, service and phase", async () => {
    const day = Math.floor(START / DAY_MS);
    const endingOn = (days: number, more: Given = {}) => ({ createdAt: (day + days) * DAY_MS, runMs: 3_000, ...more });
    const tasks = await put(
      endingOn(0),
      endingOn(0, { phase: "failed" }),
      endingOn(0, { serviceId: SERVICES[1] ?? "" }),
      endingOn(1),
      endingOn(1),
      endingOn(3),
      endingOn(1, { teamId: TEAMS[1] ?? "" }),
    );
    const arriving = tasks[4];
    await archive.settle(tasks.filter((task) => task !== arriving).map(({ id }) => id));
    const used = await archive.usageDays(TEAM, 24 * day, 24 * (day + 3));
    expect(used.arriving.map(({ id }) => id)).toEqual([arriving?.id]);
    const sums = { gpuMs: 6_000, slotMs: 6_000 };
    expect(used.settled.rows()).toEqual([
      { day: day + 1, serviceId: SERVICES[0], tasks: new Map([["succeeded", 1]]), ...sums },
      {
        ...{ day, serviceId: SERVICES[0], gpuMs: 12_000, slotMs: 12_000 },
        tasks: new Map([
          ["succeeded", 1],
          ["failed", 1],
        ]),
      },
      { day, serviceId: SERVICES[1], tasks: new Map([["succeeded", 1]]), ...sums },
    ]);
  });

  test("bytes go when they expire, the record later, and the sums with it; what is arriving waits", async () => {
    const [early, late, arriving] = await put(
      { retentionMs: HOUR_MS },
      { retentionMs: 3 * HOUR_MS },
      { retentionMs: HOUR_MS },
    );
    if (early === undefined || late === undefined || arriving === undefined) throw new Error("nothing was put");
    await archive.settle([early.id, late.id]);
    const now = START + 2 * HOUR_MS;
    expect(await archive.expired(now, 10)).toEqual([{ taskId: early.id, teamId: TEAM }]);
    expect(await archive.removeRecords(now, 10)).toBe(0);
    await archive.removeBytes([early.id]);
    expect(await archive.expired(now, 10)).toEqual([]);
    expect(await archive.get(early.id)).toEqual({ task: early, input: null, result: null });
    expect(await archive.removeRecords(now, 10)).toBe(1);
    expect(await archive.get(early.id)).toBeNull();
    const left = await archive.list({ teamId: TEAM }, WHOLE_PAGE);
    expect([left.total, [...left.ids].sort()]).toEqual([2, [late.id, arriving.id].sort()]);
    expect(await idsOf({ createdFrom: START - DAY_MS })).toHaveLength(2);
  });

  test("a blob is referenced until the last task that names it has expired", async () => {
    const blob = "3".repeat(64);
    const other = "4".repeat(64);
    await put({ resultBlob: blob, retentionMs: 3 * HOUR_MS });
    await put({ resultBlob: blob, retentionMs: HOUR_MS });
    const queried = [
      { teamId: TEAM, sha256: blob },
      { teamId: TEAMS[1] ?? "", sha256: blob },
      { teamId: TEAM, sha256: other },
    ];
    expect(await archive.referenced(queried, START + 2 * HOUR_MS)).toEqual([{ teamId: TEAM, sha256: blob }]);
    expect(await archive.referenced(queried, START + 4 * HOUR_MS)).toEqual([]);
  });

  test("removes all of a deleted team but its audit log, and nothing of another team", async () => {
    const blob = "3".repeat(64);
    const other = TEAMS[1] ?? "";
    const [settled, arriving] = await put({ resultBlob: blob }, { phase: "failed" });
    const [theirs] = await put({ teamId: other, resultBlob: blob });
    if (settled === undefined || arriving === undefined || theirs === undefined) throw new Error("nothing was put");
    const entry = anAuditEntry({ teamId: TEAM });
    await archive.putAudit([entry]);
    await archive.settle([settled.id, theirs.id]);
    await archive.removeOfTeam(TEAM, [settled.id, arriving.id, theirs.id]);
    await archive.removeOfTeam(TEAM, []);
    expect(await archive.list({ teamId: TEAM }, WHOLE_PAGE)).toEqual({ ids: [], total: 0, arriving: [] });
    expect(await archive.arriving(10)).toEqual([]);
    expect((await archive.usageDays(TEAM, 0, 1e9)).settled.rows()).toEqual([]);
    const blobs = [TEAM, other].map((teamId) => ({ teamId, sha256: blob }));
    expect(await archive.referenced(blobs, START)).toEqual([{ teamId: other, sha256: blob }]);
    expect(await idsOf({ teamId: other })).toEqual([theirs.id]);
    expect((await archive.usageDays(other, 0, 1e9)).settled.rows()).toHaveLength(1);
    expect(await archive.listAudit({ teamId: TEAM }, { limit: 10 })).toEqual([entry]);
    await archive.put([archived(arriving)]);
    await archive.settle([arriving.id]);
    await archive.removeOfTeam(TEAM, [arriving.id]);
    expect((await archive.usageDays(TEAM, 0, 1e9)).settled.rows()).toEqual([]);
  });

  test("an audit entry comes back as it was put, and putting it again changes nothing", async () => {
    const entry = anAuditEntry({ teamId: TEAM });
    const ofNobody = anAuditEntry({ teamId: OF_NO_TEAM, userId: null, address: null, after: null });
    await archive.putAudit([entry, ofNobody]);
    await archive.putAudit([{ ...entry, action: "deleteService" }]);
    expect(await archive.listAudit({ teamId: TEAM }, { limit: 5 })).toEqual([entry]);
    expect(await archive.listAudit({ teamId: OF_NO_TEAM }, { limit: 5 })).toEqual([ofNobody]);
  });

  test("the audit log has what its filter says, newest first, page by page", async () => {
    const actions = ["createService", "deleteService"];
    const entries = Array.from({ length: 60 }, (_, index) =>
      anAuditEntry({
        at: START - 1000 * index,
        teamId: TEAMS[index % 2] ?? "",
        action: actions[index % 3] ?? "rollBack",
        userId: SERVICES[index % 5] ?? null,
        object: { kind: "service", id: `${index % 4}`, name: null },
      }),
    );
    await archive.putAudit(entries);
    const filters: readonly Omit<AuditFilter, "teamId">[] = [
      {},
      { action: "deleteService" },
      { userId: SERVICES[0] ?? "" },
      { objectId: "2" },
      { from: START - 40_000, before: START - 3_000 },
      { action: "createService", userId: SERVICES[1] ?? "", objectId: "0", from: START - 50_000 },
    ];
    for (const given of filters) {
      const filter = { teamId: TEAM, ...given };
      const expected = entries.filter((entry) => isListed(entry, filter, { limit: 0 }));
      const first = await archive.listAudit(filter, { limit: 4 });
      expect([given, first]).toEqual([given, expected.slice(0, 4)]);
      const last = first.at(-1);
      if (last === undefined) continue;
      expect(await archive.listAudit(filter, { limit: 100, olderThan: last.id })).toEqual(expected.slice(4));
    }
  });

  test("audit entries go with age, and the oldest of a team that has too many", async () => {
    const of = (teamId: string, count: number) =>
      Array.from({ length: count }, (_, index) => anAuditEntry({ teamId, at: START - 1000 * index }));
    const [many, few] = [of(TEAM, 12), of(TEAMS[1] ?? "", 3)];
    await archive.putAudit([...many, ...few]);
    await archive.putAudit(many);
    const left = async (teamId: string) => await archive.listAudit({ teamId }, { limit: 100 });
    expect(await archive.removeAudit({ before: START - 9_000, perTeamMax: 5 }, 1)).toBe(1);
    expect(await archive.removeAudit({ before: START - 9_000, perTeamMax: 5 }, 100)).toBe(1);
    expect(await left(TEAM)).toEqual(many.slice(0, 10));
    expect(await archive.removeAudit({ before: START - 9_000, perTeamMax: 5 }, 3)).toBe(3);
    expect(await archive.removeAudit({ before: START - 9_000, perTeamMax: 5 }, 100)).toBe(2);
    expect(await archive.removeAudit({ before: START - 9_000, perTeamMax: 5 }, 100)).toBe(0);
    expect([await left(TEAM), await left(TEAMS[1] ?? "")]).toEqual([many.slice(0, 5), few]);
  });

  test("what arrives is named until it is settled, however many", async () => {
    const tasks = await put(...Array.from({ length: 30 }, (_unused, index) => ({ createdAt: START + index })));
    const ids = tasks.map(({ id }) => id);
    expect(await archive.arriving(20)).toEqual(ids.slice(0, 20));
    await archive.settle(ids.slice(0, 25));
    expect(await archive.arriving(20)).toEqual(ids.slice(25));
    expect((await archive.list({ teamId: TEAM }, WHOLE_PAGE)).total).toBe(30);
  });

  test("calls that come together do not mix, and one that fails spoils no other", async () => {
    const tasks = Array.from({ length: 40 }, (_unused, index) => anEndedTask({ createdAt: START + index }));
    const calls = tasks.flatMap((task) => [archive.put([archived(task)]), archive.list({ teamId: TEAM }, WHOLE_PAGE)]);
    const open = { ...anEndedTask(), phase: { kind: "queued", since: 0, lastFailure: null } } as const;
    await expect(archive.put([archived(open)])).rejects.toThrow("has not ended");
    await Promise.all(calls);
    expect(await idsOf()).toEqual(tasks.map(({ id }) => id).reverse());
  });
});

function present(filter: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

function matches(task: Task, filter: { readonly [K in keyof ArchiveFilter]?: ArchiveFilter[K] | undefined }): boolean {
  const { serviceId, phases, reason, createdFrom, createdBefore, idPrefix = "" } = filter;
  const ended = "failure" in task.phase ? task.phase.failure.reason : null;
  return (
    (serviceId === undefined || task.serviceId === serviceId) &&
    (reason === undefined
      ? phases === undefined || phases.includes(task.phase.kind as EndedPhase)
      : ended === reason) &&
    task.id.startsWith(idPrefix) &&
    (createdFrom === undefined || task.createdAt >= createdFrom) &&
    (createdBefore === undefined || task.createdAt < createdBefore)
  );
}
