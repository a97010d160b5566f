import { expect, test } from "vitest";
import type { Team } from "../../domain/team.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { create, remove, replace, unchanged } from "../change.ts";
import { recordKey } from "../keys.ts";
import { StoreRefusedError, StoreUnavailableError } from "../kv.ts";
import { Memory } from "../memory/memory.ts";
import { memoryKv } from "../memory/memory-kv.ts";
import { aTeam } from "../testing/records.ts";
import { LOST_ANSWERS, openWatched } from "../testing/watched-store.ts";

test("a commit that is alone is sent at once, alone", async () => {
  const { store, txns } = await openWatched();
  await store.commit([create("teams", aTeam())]);
  expect(txns.map((txn) => txn.puts.length)).toEqual([1]);
});

test("while few commits are in flight each goes at once, in at most four transactions", async () => {
  const { store, txns, hold, inFlight } = await openWatched();
  const release = hold();
  const commits: Promise<unknown>[] = [];
  for (let sent = 1; sent <= 4; sent++) {
    commits.push(store.commit([create("teams", aTeam())]));
    await expect.poll(inFlight).toBe(sent);
  }
  for (let more = 0; more < 3; more++) commits.push(store.commit([create("teams", aTeam())]));
  for (let turn = 0; turn < 10; turn++) await new Promise((done) => setImmediate(done));
  expect(inFlight()).toBe(4);
  release();
  await Promise.all(commits);
  expect(txns.map((txn) => txn.puts.length)).toEqual([1, 1, 1, 1, 3]);
});

test("where many commits are in flight two transactions are, of at most forty commits and 120 operations", async () => {
  const { store, txns, hold, inFlight } = await openWatched();
  const release = hold();
  const small = Array.from({ length: 300 }, () => store.commit([create("teams", aTeam())]));
  const large = Array.from({ length: 300 }, () =>
    store.commit(Array.from({ length: 4 }, () => create("teams", aTeam()))),
  );
  await expect.poll(inFlight).toBe(2);
  const commits = Promise.all([...small, ...large]);
  for (let turn = 0; turn < 10; turn++) await new Promise((done) => setImmediate(done));
  expect(inFlight()).toBe(2);
  expect(txns).toHaveLength(2);
  release();
  expect((await commits).every(({ kind }) => kind === "committed")).toBe(true);
  expect(txns[0]?.puts).toHaveLength(40);
  expect(Math.max(...txns.map((txn) => txn.puts.length))).toBe(120);
});

test("the leader's epoch and a record that many rely on are compared once", async () => {
  const { store, txns, memory } = await openWatched();
  const relied = aTeam();
  await store.commit([create("teams", relied)]);
  const read = store.view.teams.get(relied.id) as Versioned<Team>;
  txns.splice(0);
  const commits = Array.from({ length: 10 }, () =>
    store.commit([create("teams", aTeam()), unchanged("teams", read)], { epoch: memory.revision }),
  );
  expect((await Promise.all(commits)).every(({ kind }) => kind === "conflict")).toBe(true);
  expect(txns.map((txn) => txn.compares.length)).toEqual([12]);
});

test("two commits that touch the same record never share a transaction", async () => {
  const { store, txns } = await openWatched();
  const team = aTeam();
  await store.commit([create("teams", team)]);
  const read = store.view.teams.get(team.id) as Versioned<Team>;
  txns.splice(0);
  const outcomes = await Promise.all([
    store.commit([replace("teams", read, { ...team, name: "two" })]),
    store.commit([replace("teams", read, { ...team, name: "three" })]),
    store.commit([create("teams", aTeam()), unchanged("teams", read)]),
  ]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(["committed", "conflict", "conflict"]);
  expect(txns[0]?.compares).toHaveLength(1);
});

test("rejects a commit that is too large alone, and none of the others with it", async () => {
  const { store } = await openWatched();
  const refused = store.commit(Array.from({ length: 129 }, () => create("teams", aTeam())));
  const concurrent = Array.from({ length: 3 }, () => store.commit([create("teams", aTeam())]));
  await expect(refused).rejects.toThrow(StoreRefusedError);
  for (const outcome of await Promise.all(concurrent)) expect(outcome.kind).toBe("committed");
});

test("a shared transaction that the server refuses is taken apart, whatever its limit is", async () => {
  const { store, txns } = await openWatched(new Memory(), { opsMax: 3 });
  const large = store.commit(Array.from({ length: 4 }, () => create("teams", aTeam())));
  const small = Array.from({ length: 9 }, () => store.commit([create("teams", aTeam())]));
  await expect(large).rejects.toThrow(StoreRefusedError);
  for (const outcome of await Promise.all(small)) expect(outcome.kind).toBe("committed");
  expect(txns.map((txn) => txn.puts.length)).toEqual([13, 4, ...Array.from({ length: 9 }, () => 1)]);
});

test.each(LOST_ANSWERS)("an answer that was %s is settled as committed, once", async (lost) => {
  const { store, kv, memory } = await openWatched();
  const teams = [aTeam(), aTeam(), aTeam()];
  kv.faults.lostAnswers.push(lost, lost);
  const outcomes = await Promise.all(teams.map((team) => store.commit([create("teams", team)])));
  const written = memory.revision;
  for (const apply of kv.faults.later) apply();
  expect(memory.revision).toBe(written);
  for (const [i, team] of teams.entries()) {
    expect(outcomes[i]).toEqual({ kind: "committed", revision: memory.read(recordKey("teams", team.id))?.revision });
  }
});

test("a removal whose response was lost is settled by the record being gone", async () => {
  const { store, kv } = await openWatched();
  const team = aTeam();
  await store.commit([create("teams", team)]);
  kv.faults.lostAnswers.push("lost after it was applied");
  const gone = await store.commit([remove("teams", store.view.teams.get(team.id) as Versioned<Team>)]);
  expect(gone.kind).toBe("committed");
  expect(store.view.teams.get(team.id)).toBeUndefined();
});

test("a commit that writes and removes, and whose response was lost, is not settled by a removal of another", async () => {
  const { store, kv, memory } = await openWatched();
  const [old, fresh] = [aTeam(), aTeam()];
  await store.commit([create("teams", old)]);
  kv.faults.lostAnswers.push("lost before it was applied");
  const read = store.view.teams.get(old.id) as Versioned<Team>;
  const outcome = store.commit([create("teams", fresh), remove("teams", read)]);
  const other = memoryKv(memory);
  await other.txn({ compares: [], puts: [], deletes: [recordKey("teams", old.id)] });
  expect(await outcome).toEqual({ kind: "conflict" });
  expect(await store.get("teams", fresh.id)).toBeNull();
  await other.close();
});

test("a commit that cannot be settled in time is unavailable, and so is one that was never sent", async () => {
  const { store, kv } = await openWatched();
  kv.faults.lostAnswers.push(...Array.from({ length: 1000 }, () => "lost before it was applied" as const));
  await expect(store.commit([create("teams", aTeam())])).rejects.toThrow(StoreUnavailableError);
  kv.faults.away = true;
  await expect(store.commit([create("teams", aTeam())])).rejects.toThrow(StoreUnavailableError);
});

test("a closed store refuses what waits and what comes", async () => {
  const { store } = await openWatched();
  const waiting = store.commit([create("teams", aTeam())]);
  await store.close();
  await expect(waiting).rejects.toThrow(StoreUnavailableError);
  await expect(store.commit([create("teams", aTeam())])).rejects.toThrow(StoreUnavailableError);
});
