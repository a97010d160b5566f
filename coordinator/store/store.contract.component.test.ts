import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Versioned } from "../domain/versioned.ts";
import { create, inputBytes, remove, removeBytes, replace, resultBytes, unchanged } from "./change.ts";
import { RecordTooLargeError } from "./codec.ts";
import { LEADER_KEY, recordKey } from "./keys.ts";
import { type Kv, StoreRefusedError, StoreUnavailableError } from "./kv.ts";
import { openStore } from "./open/open-store.ts";
import { readAllVersioned } from "./read-all.ts";
import type { Store } from "./store.ts";
import { BACKENDS, type Backend, type Connection } from "./testing/backends.ts";
import { aTask, aTeam, running, succeeded } from "./testing/records.ts";

const log = createLog({ name: "test", level: "silent" });

describe.each(BACKENDS)("a store in %s", (_, open) => {
  let backend: Backend;
  let connection: Connection;
  /** A way to the store that is never made to fail. */
  let kv: Kv;
  let store: Store;
  let other: Store;

  beforeAll(async () => {
    backend = await open();
    connection = await backend.connect();
    kv = (await backend.connect()).kv;
    [store, other] = await Promise.all([
      openStore({ kv: connection.kv, clock: systemClock, log }),
      openStore({ kv, clock: systemClock, log }),
    ]);
  });

  afterAll(async () => {
    await store.close();
    await other.close();
    await backend[Symbol.asyncDispose]();
  });

  function viewed<T>(record: Versioned<T> | undefined): Versioned<T> {
    if (record === undefined) throw new Error("the view does not have it");
    return record;
  }

  test("two coordinators that open it at the same time agree on its identity", () => {
    expect(other.epoch).toBe(store.epoch);
    expect(other.blobStoreId).toBe(store.blobStoreId);
  });

  test("a commit is in this process's view when it is settled, and soon in the others'", async () => {
    const team = aTeam();
    const outcome = await store.commit([create("teams", team)]);
    expect(outcome).toEqual({ kind: "committed", revision: expect.any(Number) });
    const expected = { value: team, revision: outcome.kind === "committed" && outcome.revision };
    expect(store.view.teams.get(team.id)).toEqual(expected);
    expect(await other.get("teams", team.id)).toEqual(expected);
    await expect.poll(() => other.view.teams.get(team.id)).toEqual(expected);
  });

  test("of fifty who create the same record exactly one succeeds", async () => {
    const team = aTeam();
    const racers = Array.from({ length: 50 }, (_, i) => ({ ...team, name: String(i) }));
    const outcomes = await Promise.all(
      racers.map((racer, i) => (i % 2 ? store : other).commit([create("teams", racer)])),
    );
    const winner = outcomes.findIndex(({ kind }) => kind === "committed");
    expect(outcomes.filter(({ kind }) => kind === "committed")).toHaveLength(1);
    expect((await store.get("teams", team.id))?.value).toEqual(racers[winner]);
  });

  test("a change from a revision that is no longer current is a conflict and changes nothing", async () => {
    const team = aTeam();
    await store.commit([create("teams", team)]);
    const before = viewed(store.view.teams.get(team.id));
    await store.commit([replace("teams", before, { ...team, name: "two" })]);
    const another = aTeam();
    const late = [create("teams", another), replace("teams", before, { ...team, name: "three" })];
    expect(await store.commit(late)).toEqual({ kind: "conflict" });
    expect(await store.get("teams", another.id)).toBeNull();
    expect((await store.get("teams", team.id))?.value.name).toBe("two");
    expect(await store.commit([remove("teams", before)])).toEqual({ kind: "conflict" });
  });

  test("what nobody watches is written with the records of its commit, read on request, and in no view", async () => {
    const [team, another] = [aTeam(), aTeam()];
    const note = { id: `${team.id}/digest`, taskId: "t", fingerprint: "f", createdAt: 0 };
    expect(await store.commit([create("teams", team), create("idempotency-keys", note)])).toMatchObject({
      kind: "committed",
    });
    const read = await other.get("idempotency-keys", note.id);
    expect(read?.value).toEqual(note);
    // A second of the same id keeps all of its commit out.
    expect(await other.commit([create("teams", another), create("idempotency-keys", note)])).toEqual({
      kind: "conflict",
    });
    expect(await store.get("teams", another.id)).toBeNull();
    const listed = [];
    for await (const each of readAllVersioned(kv, "idempotency-keys")) listed.push(each);
    expect(listed).toEqual([read]);
    if (read === null) throw new Error("it was written");
    expect(await store.commit([remove("idempotency-keys", read)])).toMatchObject({ kind: "committed" });
    expect(await other.get("idempotency-keys", note.id)).toBeNull();
  });

  test("a commit holds only while what it relies on is unchanged", async () => {
    const [relied, a, b] = [aTeam(), aTeam(), aTeam()];
    await store.commit([create("teams", relied)]);
    const read = viewed(store.view.teams.get(relied.id));
    expect(await store.commit([create("teams", a), unchanged("teams", read)])).toMatchObject({ kind: "committed" });
    await store.commit([replace("teams", read, { ...relied, name: "two" })]);
    expect(await store.commit([create("teams", b), unchanged("teams", read)])).toEqual({ kind: "conflict" });
  });

  test("of commits made in the same turn one loses and the others are committed", async () => {
    const taken = aTeam();
    await other.commit([create("teams", taken)]);
    const teams = Array.from({ length: 10 }, () => aTeam());
    teams[4] = taken;
    const outcomes = await Promise.all(teams.map((team) => store.commit([create("teams", team)])));
    expect(outcomes.map(({ kind }) => kind)).toEqual(teams.map((team) => (team === taken ? "conflict" : "committed")));
  });

  test("commits made in the same turn share a transaction", async () => {
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => store.commit([create("teams", aTeam())])));
    expect(new Set(outcomes.map((outcome) => outcome.kind === "committed" && outcome.revision)).size).toBe(1);
  });

  test("what a deposed leader commits is a conflict, and what others commit with it is not", async () => {
    const { revision: epoch } = await kv.txn(leaderKey("a"));
    const [a, b, c] = [aTeam(), aTeam(), aTeam()];
    expect(await store.commit([create("teams", a)], { epoch })).toMatchObject({ kind: "committed" });
    await kv.txn(leaderKey("b"));
    const guarded = store.commit([create("teams", b)], { epoch });
    const free = store.commit([create("teams", c)]);
    expect(await guarded).toEqual({ kind: "conflict" });
    expect(await free).toMatchObject({ kind: "committed" });
  });

  test("a removed record is gone from the store and from both views", async () => {
    const team = aTeam();
    await store.commit([create("teams", team)]);
    await expect.poll(() => other.view.teams.get(team.id)).toBeDefined();
    await other.commit([remove("teams", viewed(other.view.teams.get(team.id)))]);
    expect(other.view.teams.get(team.id)).toBeUndefined();
    expect(await store.get("teams", team.id)).toBeNull();
    await expect.poll(() => store.view.teams.get(team.id)).toBeUndefined();
  });

  test("who opens it later sees all that is there, over many pages", { timeout: 60_000 }, async () => {
    const tasks = Array.from({ length: 2500 }, () => aTask({ teamId: "many" }));
    await Promise.all(tasks.map((task) => store.commit([create("tasks", task)])));
    const late = await openStore({ kv, clock: systemClock, log });
    const { ids, total } = late.view.tasks.list({ teamId: "many" }, { offset: 0, limit: 5000 });
    expect(total).toBe(2500);
    expect(ids).toEqual(
      tasks
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
    await late.close();
  });

  test("small bytes are written with the record and read by any coordinator", async () => {
    const task = aTask();
    await store.commit([create("tasks", task), inputBytes(task.id, Buffer.from('{"n":1e400}'))]);
    expect(await store.bytes("input", task.id)).toEqual(Buffer.from('{"n":1e400}'));
    expect(await other.bytes("input", task.id)).toEqual(Buffer.from('{"n":1e400}'));
    expect(await other.bytes("result", task.id)).toBeNull();
    await store.commit([
      replace("tasks", viewed(store.view.tasks.get(task.id)), running(task)),
      resultBytes(task.id, Buffer.from("42")),
    ]);
    expect(await other.bytes("result", task.id)).toEqual(Buffer.from("42"));
  });

  test("a record over the limit is refused with its size, and nothing is written", async () => {
    const team = { ...aTeam(), name: "x".repeat(9000) };
    await expect(store.commit([create("teams", team)])).rejects.toThrow(RecordTooLargeError);
    await expect(store.commit([create("teams", team)])).rejects.toThrow(/9\d\d\d bytes.*at most 8192/);
    expect(await store.get("teams", team.id)).toBeNull();
  });

  test("a record that cannot be read is passed over, and the view continues", async () => {
    const [broken, team] = [aTeam(), aTeam()];
    const value = Buffer.from("not a record");
    await kv.txn({ compares: [], puts: [{ key: recordKey("teams", broken.id), value }], deletes: [] });
    await other.commit([create("teams", team)]);
    await expect.poll(() => store.view.teams.get(team.id)).toBeDefined();
    expect(store.view.teams.get(broken.id)).toBeUndefined();
    await expect(store.get("teams", broken.id)).rejects.toThrow();
  });

  test("a commit that the server refuses fails alone", async () => {
    const huge = Array.from({ length: 129 }, () => create("teams", aTeam()));
    const small = Array.from({ length: 5 }, () => store.commit([create("teams", aTeam())]));
    await expect(store.commit(huge)).rejects.toThrow(StoreRefusedError);
    for (const outcome of await Promise.all(small)) expect(outcome.kind).toBe("committed");
  });

  test("commits of more bytes than a request holds all go through", async () => {
    const tasks = Array.from({ length: 600 }, () => aTask());
    const data = Buffer.alloc(4096, "x");
    const outcomes = await Promise.all(
      tasks.map((task) => store.commit([create("tasks", task), inputBytes(task.id, data)])),
    );
    expect(outcomes.every(({ kind }) => kind === "committed")).toBe(true);
  });

  test("a commit whose response was lost is found committed, once", async () => {
    const team = aTeam();
    connection.loseAnswer();
    const commit = store.commit([create("teams", team)]);
    await expect.poll(() => other.get("teams", team.id)).not.toBeNull();
    const written = await other.get("teams", team.id);
    connection.heal();
    expect(await commit).toEqual({ kind: "committed", revision: written?.revision });
    expect(await other.get("teams", team.id)).toEqual(written);
    expect(store.view.teams.get(team.id)).toEqual(written);
  });

  test("a commit whose response was lost is found committed although others have written since", async () => {
    const team = aTeam();
    connection.loseAnswer();
    const commit = store.commit([create("teams", team)]);
    await expect.poll(() => other.view.teams.get(team.id)).toBeDefined();
    const written = viewed(other.view.teams.get(team.id));
    for (const name of ["two", "three"]) {
      const before = viewed(other.view.teams.get(team.id));
      await other.commit([replace("teams", before, { ...team, name })]);
    }
    connection.heal();
    expect(await commit).toEqual({ kind: "committed", revision: written.revision });
    await expect.poll(() => store.view.teams.get(team.id)?.value.name).toBe("three");
  });

  test("a commit whose response was lost and that lost its race is a conflict", async () => {
    const team = aTeam();
    await other.commit([create("teams", team)]);
    connection.loseAnswer();
    const commit = store.commit([create("teams", { ...team, name: "two" })]);
    const witness = store.commit([create("teams", aTeam())]);
    connection.heal();
    expect(await commit).toEqual({ kind: "conflict" });
    expect(await witness).toMatchObject({ kind: "committed" });
  });

  test("a task is removed with its bytes, and counts as removed although the response was lost", async () => {
    const task = succeeded(aTask());
    const data = Buffer.from("some");
    await other.commit([create("tasks", task), inputBytes(task.id, data), resultBytes(task.id, data)]);
    const before = viewed(other.view.tasks.get(task.id));
    await store.bytes("input", task.id);
    connection.loseAnswer();
    const removal = store.commit([
      remove("tasks", before),
      removeBytes("input", task.id),
      removeBytes("result", task.id),
    ]);
    await expect.poll(() => other.get("tasks", task.id)).toBeNull();
    connection.heal();
    expect(await removal).toMatchObject({ kind: "committed" });
    for (const of of ["input", "result"] as const) expect(await store.bytes(of, task.id)).toBeNull();
    expect(store.view.tasks.endedEntries.has(task.id)).toBe(false);
    const again = [remove("tasks", before), removeBytes("input", task.id)];
    expect(await store.commit(again)).toEqual({ kind: "conflict" });
  });

  test("a view whose watch broke catches up, with what was removed meanwhile, past a compaction", async () => {
    const [kept, removed, added] = [aTeam("kept"), aTeam("removed"), aTeam("added")];
    await other.commit([create("teams", kept), create("teams", removed)]);
    await expect.poll(() => store.view.teams.get(removed.id)).toBeDefined();
    const changes: (string | undefined)[] = [];
    const stop = store.view.teams.subscribe(({ after, before }) => {
      changes.push(after === undefined ? `-${before?.value.name}` : after.value.name);
    });
    connection.breakWatches();
    await other.commit([remove("teams", viewed(other.view.teams.get(removed.id))), create("teams", added)]);
    const last = await other.commit([
      replace("teams", viewed(other.view.teams.get(kept.id)), { ...kept, name: "changed" }),
    ]);
    await backend.compact(last.kind === "committed" ? last.revision : 0);
    await expect.poll(() => store.view.teams.get(kept.id)?.value.name, { timeout: 3000 }).toBe("changed");
    await expect.poll(() => store.view.teams.get(removed.id)).toBeUndefined();
    expect(store.view.teams.get(added.id)?.value).toEqual(added);
    expect(changes.toSorted()).toEqual(["-removed", "added", "changed"]);
    stop();
  });

  test("an idle view stays young", { timeout: 15_000 }, async () => {
    await expect.poll(() => store.view.ageMs(), { timeout: 5000, interval: 20 }).toBeLessThan(100);
    const ages: number[] = [];
    await expect.poll(() => ages.push(store.view.ageMs()), { timeout: 5000, interval: 100 }).toBeGreaterThanOrEqual(25);
    expect(Math.max(...ages)).toBeLessThan(1000);
  });

  test("while the store is away commits fail, and its return brings commits and views back", {
    timeout: 30_000,
  }, async () => {
    const before = Array.from({ length: 100 }, () => aTask());
    await Promise.all(before.map((task) => store.commit([create("tasks", task)])));
    await backend.crash();
    await expect(store.commit([create("teams", aTeam())])).rejects.toThrow(StoreUnavailableError);
    await expect(store.get("teams", "none")).rejects.toThrow(StoreUnavailableError);
    await backend.restart();
    const after = aTask();
    await expect
      .poll(() => store.commit([create("tasks", after)]).catch(() => "away"), { timeout: 5000, interval: 20 })
      .toMatchObject({ kind: "committed" });
    await expect.poll(() => other.view.tasks.get(after.id), { timeout: 5000, interval: 20 }).toBeDefined();
    for (const task of before) expect((await other.get("tasks", task.id))?.value).toEqual(task);
  });

  test("a store killed among commits loses none that it acknowledged, and settles every one", {
    timeout: 60_000,
  }, async () => {
    const acknowledged: string[] = [];
    let requested = 0;
    let settled = 0;
    let stopped = false;
    const writer = async () => {
      while (!stopped) {
        const task = aTask();
        requested++;
        const outcome = await store.commit([create("tasks", task)]).catch((error: unknown) => error);
        settled++;
        if (outcome instanceof StoreUnavailableError) continue;
        expect(outcome).toMatchObject({ kind: "committed" });
        acknowledged.push(task.id);
      }
    };
    const writers = Array.from({ length: 16 }, writer);
    await expect.poll(() => acknowledged.length).toBeGreaterThan(100);
    await backend.crash();
    await backend.restart();
    const soFar = acknowledged.length;
    await expect.poll(() => acknowledged.length, { timeout: 10_000 }).toBeGreaterThan(soFar + 100);
    stopped = true;
    await Promise.all(writers);
    expect(settled).toBe(requested);
    const { entries } = await kv.read(acknowledged.slice(soFar - 100, soFar + 20).map((id) => recordKey("tasks", id)));
    expect(entries.every((entry) => entry !== null)).toBe(true);
    await expect.poll(() => acknowledged.filter((id) => other.view.tasks.get(id) === undefined)).toEqual([]);
  });

  test("who waits for a task to end is notified by the commit of another coordinator", async () => {
    const task = aTask();
    await store.commit([create("tasks", task)]);
    const ended = other.view.tasks.ended(task.id, AbortSignal.timeout(5000));
    const queued = viewed(store.view.tasks.get(task.id));
    await store.commit([replace("tasks", queued, running(task))]);
    await store.commit([replace("tasks", viewed(store.view.tasks.get(task.id)), succeeded(task))]);
    expect((await ended)?.value.phase.kind).toBe("succeeded");
  });
});

function leaderKey(name: string) {
  return { compares: [], puts: [{ key: LEADER_KEY, value: Buffer.from(name) }], deletes: [] };
}
