import { newId } from "@elastic/std/ids.ts";
import { expect, test } from "vitest";
import type { Versioned } from "../domain/versioned.ts";
import { create, replace } from "./change.ts";
import { StoreUnavailableError } from "./kv.ts";
import type { Change, CommitOutcome } from "./store.ts";
import { aTeam } from "./testing/records.ts";
import { removeRecord, TooManyConflictsError, TRIES_MAX, update, updateRecord } from "./update.ts";

type Team = ReturnType<typeof aTeam>;

/** One team whose first `conflicts` commits meet another writer, who renames it. */
function contested(conflicts: number) {
  let team: Versioned<Team> = { value: { ...aTeam(), name: "one" }, revision: 1 };
  let writers = 0;
  const committed: (readonly Change[])[] = [];
  const store = {
    async commit(changes: readonly Change[]): Promise<CommitOutcome> {
      if (writers < conflicts) {
        writers++;
        team = { value: { ...team.value, name: `${team.value.name}+` }, revision: team.revision + 1 };
      }
      if (changes.some((change) => "from" in change && change.id === team.value.id && change.from !== team.revision))
        return { kind: "conflict" };
      committed.push(changes);
      return { kind: "committed", revision: team.revision + 1 };
    },
  };
  return { store, committed, read: async () => team };
}

test("decides again from what was read again, until the commit holds", async () => {
  const { store, committed, read } = contested(2);
  const decidedFrom: string[] = [];
  const updated = await updateRecord(store, "teams", read, (team) => {
    decidedFrom.push(team.name);
    return { ...team, name: `${team.name}!` };
  });
  expect(decidedFrom).toEqual(["one", "one+", "one++"]);
  expect(updated).toMatchObject({ isChanged: true, result: { name: "one++!" } });
  expect(committed).toMatchObject([[{ from: 3, before: { name: "one++" }, value: { name: "one++!" } }]]);
});

test("reads otherwise after a conflict, since the first reading may be behind", async () => {
  const { store, read } = contested(1);
  const behind = await read();
  const updated = await update(store, {
    read: (isAgain) => (isAgain ? read() : behind),
    decide: (team) => ({ changes: [replace("teams", team, team.value)], result: team.value.name }),
  });
  expect(updated).toEqual({ isChanged: true, result: "one+" });
});

test("commits all changes of a decision at once, and carries its result out", async () => {
  const { store, committed, read } = contested(1);
  const other = aTeam();
  const { result } = await update(store, {
    read,
    decide: (team) => ({
      changes: [replace("teams", team, team.value), create("teams", other)],
      result: team.revision,
    }),
  });
  expect(result).toBe(2);
  expect(committed.map((changes) => changes.length)).toEqual([2]);
});

test("commits nothing where there is nothing to change, also when another writer made it so", async () => {
  const { store, committed, read } = contested(1);
  const updated = await updateRecord(store, "teams", read, (team) =>
    team.name === "one+" ? team : { ...team, name: "one+" },
  );
  expect(updated).toMatchObject({ isChanged: false, result: { name: "one+" } });
  expect(committed).toEqual([]);
});

test("gives up after the limit, and names the records", async () => {
  const { store, committed, read } = contested(Number.POSITIVE_INFINITY);
  let decisions = 0;
  const given = updateRecord(store, "teams", read, (team) => {
    decisions++;
    return { ...team, name: "mine" };
  });
  await expect(given).rejects.toThrow(TooManyConflictsError);
  const { value } = await read();
  await expect(given).rejects.toThrow(`gave up after ${TRIES_MAX} conflicts on teams/${value.id}`);
  expect([decisions, committed.length]).toEqual([TRIES_MAX, 0]);
});

test("holds at the last try", async () => {
  const { store, read } = contested(TRIES_MAX - 1);
  expect(await removeRecord(store, "teams", read)).toMatchObject({ isChanged: true });
});

test("passes on errors of the store, of the reading and of the decision, without another try", async () => {
  const calls: string[] = [];
  const away = new StoreUnavailableError("away");
  const refused = new Error("not allowed");
  const fail = (what: string, error: Error) => {
    calls.push(what);
    throw error;
  };
  const { read, store } = contested(0);
  const change = (team: Team) => ({ ...team, name: newId(0) });
  await expect(updateRecord({ commit: async () => fail("commit", away) }, "teams", read, change)).rejects.toBe(away);
  await expect(updateRecord(store, "teams", async () => fail("read", refused), change)).rejects.toBe(refused);
  await expect(updateRecord(store, "teams", read, () => fail("decide", refused))).rejects.toBe(refused);
  expect(calls).toEqual(["commit", "read", "decide"]);
});

test("leaves a record alone that is not there", async () => {
  const { store, committed } = contested(0);
  const missing = async () => null as Versioned<Team> | null;
  expect(await updateRecord(store, "teams", missing, (team) => ({ ...team }))).toEqual({
    isChanged: false,
    result: null,
  });
  expect(await removeRecord(store, "teams", missing)).toEqual({ isChanged: false, result: null });
  expect(committed).toEqual([]);
});
