import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Team } from "../../domain/team.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { create, remove, replace, unchanged } from "../change.ts";
import { recordKey } from "../keys.ts";
import { StoreRefusedError, StoreUnavailableError, type Txn } from "../kv.ts";
import { Memory } from "../memory/memory.ts";
import { type LostAnswer, type MemoryKv, memoryKv } from "../memory/memory-kv.ts";
import type { Change, CommitOutcome, Store } from "../store.ts";
import { aTeam } from "../testing/records.ts";
import { openStore } from "./open-store.ts";

const log = createLog({ name: "test", level: "silent" });

/** A store whose transactions are seen, over its own memory or a shared one. */
async function openWatched(memory = new Memory(), { opsMax = 128 } = {}) {
  const kv = memoryKv(memory);
  const txns: Txn[] = [];
  /** Responses wait while this is not resolved. */
  let gate = Promise.resolve();
  let inFlight = 0;
  const watched: MemoryKv = Object.assign(Object.create(kv) as MemoryKv, {
    faults: kv.faults,
    async txn(txn: Txn) {
      txns.push(txn);
      inFlight++;
      try {
        await gate;
        if (txn.puts.length > opsMax) throw new StoreRefusedError("too many operations");
        return await kv.txn(txn);
      } finally {
        inFlight--;
      }
    },
    read: kv.read.bind(kv),
    range: kv.range.bind(kv),
    watch: kv.watch.bind(kv),
  });
  const store = await openStore({ kv: watched, clock: systemClock, log });
  txns.splice(0);
  const hold = () => {
    const held = Promise.withResolvers<void>();
    gate = held.promise;
    return held.resolve;
  };
  return { store, memory, kv, txns, hold, inFlight: () => inFlight };
}

test("a commit that is alone is sent at once, alone", async () => {
  const { store, txns } = await openWatched();
  await store.commit([create("teams", aTeam())]);
  expect(txns.map((txn) => txn.puts.length)).toEqual([1]);
});

test("at most two transactions are in flight, of at most forty commits and 120 operations", async () => {
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

const lostAnswers: readonly LostAnswer[] = [
  "lost before it was applied",
  "lost after it was applied",
  "lost, and applied later",
];

test.each(lostAnswers)("a response that was %s is settled as committed, once", async (lost) => {
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

/** One try to change a few of a few records, from what the view of one of two coordinators has. */
interface Attempt {
  readonly by: 0 | 1;
  readonly steps: readonly {
    readonly on: number;
    readonly act: "write" | "remove" | "rely";
    readonly stale: boolean;
  }[];
  /** Turns of the event loop before the next. */
  readonly turns: number;
  readonly fault: Fault | null;
}

type Act = "write" | "remove" | "rely";
type Fault = LostAnswer | "broken watch" | "compaction";

const RECORDS = 5;

function scripts(faults: readonly Fault[], acts: readonly Act[]) {
  return fc.array(
    fc.record<Attempt>({
      by: fc.constantFrom(0, 1),
      steps: fc.uniqueArray(
        fc.record({
          on: fc.nat(RECORDS - 1),
          act: fc.constantFrom(...acts),
          stale: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
        }),
        { minLength: 1, maxLength: 3, selector: (step) => step.on },
      ),
      turns: fc.nat(2),
      fault: fc.option(fc.constantFrom(...faults), { freq: 8 }),
    }),
    { minLength: 1, maxLength: 60 },
  );
}

function changesOf(attempt: Attempt, store: Store, n: number): Change[] {
  return attempt.steps.map(({ on, act, stale }) => {
    const id = `record-${on}`;
    const value = { id, name: `${n}`, createdAt: 0 };
    const read = store.view.teams.get(id);
    if (read === undefined) return create("teams", value);
    const before = stale ? { ...read, revision: read.revision - 1 } : read;
    if (act === "remove") return remove("teams", before);
    return act === "rely" ? unchanged("teams", before) : replace("teams", before, value);
  });
}

interface Tried {
  readonly changes: readonly Change[];
  readonly outcome: CommitOutcome;
}

/** What a store that does one thing after the other would have; fails where it would not have committed. */
function replay(tried: readonly Tried[]): Map<string, { readonly name: string; readonly revision: number }> {
  const model = new Map<string, { name: string; revision: number }>();
  const holds = ({ id, from }: RecordStep) => (model.get(id)?.revision ?? 0) === from;
  const committed = tried.flatMap(({ changes, outcome }) =>
    outcome.kind === "committed" ? [{ changes: changes.filter(isOfRecord), revision: outcome.revision }] : [],
  );
  const byRevision = Map.groupBy(committed, ({ revision }) => revision);
  for (const [revision, together] of [...byRevision].sort(([a], [b]) => a - b)) {
    const applied = together.filter(({ changes }) => changes.every(holds) && !changes.every(isReading));
    const others = together.filter((one) => !applied.includes(one));
    for (const change of applied.flatMap(({ changes }) => changes)) {
      if (change.kind === "remove") model.delete(change.id);
      if (change.kind === "write") model.set(change.id, { name: (change.value as Team).name, revision });
    }
    // What writes nothing makes no revision: it held after the one that it got.
    for (const change of others.flatMap(({ changes }) => changes)) {
      expect([change, isReading(change), holds(change)]).toEqual([change, true, true]);
    }
  }
  return model;
}

type RecordStep = Exclude<Change, { kind: "bytes" | "remove-bytes" }>;

function isOfRecord(change: Change): change is RecordStep {
  return change.kind !== "bytes" && change.kind !== "remove-bytes";
}

function isReading({ kind }: RecordStep): boolean {
  return kind === "unchanged";
}

function recordsOf(records: Iterable<Versioned<Team>>) {
  return new Map([...records].map(({ value, revision }) => [value.id, { name: value.name, revision }]));
}

// Lost responses are settled by what the records and their history say: a removed record says nothing any more, and
// compaction would remove the history, which is retained for longer than a commit waits.
test.each<[string, Fault[], Act[]]>([
  ["lost responses and broken watches", [...lostAnswers, "broken watch"], ["write", "rely"]],
  ["broken watches and compaction", ["broken watch", "compaction"], ["write", "write", "remove", "rely"]],
])(
  "commits of two coordinators under %s come out as if made one after the other",
  {
    timeout: 120_000,
  },
  async (_, faults, acts) => {
    await fc.assert(fc.asyncProperty(scripts(faults, acts), run), { numRuns: 50, endOnFailure: true });
  },
);

async function run(script: readonly Attempt[]): Promise<void> {
  const memory = new Memory();
  const coordinators = [await openWatched(memory), await openWatched(memory)] as const;
  const pending: Promise<Tried>[] = [];
  for (const [n, attempt] of script.entries()) {
    const { store, kv } = coordinators[attempt.by];
    if (attempt.fault === "broken watch") kv.faults.breakWatches();
    else if (attempt.fault === "compaction") memory.compact();
    else if (attempt.fault !== null) kv.faults.lostAnswers.push(attempt.fault);
    const changes = changesOf(attempt, store, n);
    pending.push(store.commit(changes).then((outcome) => ({ changes, outcome })));
    for (let turn = 0; turn < attempt.turns; turn++) await new Promise((done) => setImmediate(done));
  }
  for (const { kv } of coordinators) for (const apply of kv.faults.later.splice(0)) apply();
  const expected = replay(await Promise.all(pending));
  for (const { store } of coordinators) {
    await expect.poll(() => recordsOf(store.view.teams.values()), { interval: 1 }).toEqual(expected);
    await store.close();
  }
}
