/** Whatever two coordinators commit under faults, the store comes out as if they had done one thing after the other. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Team } from "../domain/team.ts";
import type { Versioned } from "../domain/versioned.ts";
import { create, remove, replace, unchanged } from "./change.ts";
import { Memory } from "./memory/memory.ts";
import type { LostAnswer } from "./memory/memory-kv.ts";
import type { Change, CommitOutcome, Store } from "./store.ts";
import { LOST_ANSWERS, openWatched } from "./testing/watched-store.ts";

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
  ["lost answers and broken watches", [...LOST_ANSWERS, "broken watch"], ["write", "rely"]],
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
