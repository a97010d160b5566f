import fc from "fast-check";
import { expect, test } from "vitest";
import type { AuditEntry } from "../../domain/audit-entry.ts";
import { advance, BEGIN, idAt, parseCursor } from "./export-cursor.ts";
import { type AuditSource, readNewEntries } from "./read-new-entries.ts";

const NOW = 1_800_000_000_000;
const OPTIONS = { limit: 7, retainedFrom: 0 };

function entry(id: string, follows?: readonly string[]): AuditEntry {
  return {
    id,
    at: NOW,
    teamId: "t",
    action: "createService",
    userId: null,
    credential: { kind: "operator", id: null },
    address: null,
    requestId: null,
    object: { kind: "service", id: "s", name: null },
    also: [],
    before: null,
    after: null,
    ...(follows && { follows }),
  };
}

/** A log whose entries move to the archive when a test says so. */
function aLog() {
  const live = new Map<string, AuditEntry>();
  const archived = new Map<string, AuditEntry>();
  const source: AuditSource = {
    live: async () => [...live.values()],
    after: async (from, limit) =>
      [...archived.values()]
        .filter(({ id }) => id > from)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit),
  };
  const move = (id: string) => {
    const found = live.get(id);
    if (found !== undefined) archived.set(id, found);
    live.delete(id);
  };
  return { live, archived, source, move };
}

/** The ids that one export after the other has until there are none. */
async function drain(source: AuditSource, from = BEGIN) {
  let cursor = from;
  const exported: string[] = [];
  for (;;) {
    const { entries, hasMore } = await readNewEntries(source, cursor, OPTIONS);
    const ids = entries.map(({ id }) => id);
    exported.push(...ids);
    // Over a restart each time.
    cursor = parseCursor(JSON.stringify(advance(cursor, ids))) ?? BEGIN;
    if (!hasMore) return { cursor, exported };
  }
}

test("exports each entry once, whichever are committed late, move or come in between", async () => {
  const at = fc.integer({ min: 0, max: 540_000 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.tuple(at, fc.boolean()), { maxLength: 20 }), { maxLength: 6 }),
      async (turns) => {
        const { live, archived, source, move } = aLog();
        const all: string[] = [];
        const exported: string[] = [];
        let cursor = BEGIN;
        for (const turn of turns) {
          for (const [lateMs, moves] of turn) {
            const id = `${idAt(NOW + lateMs).slice(0, 28)}${all.length.toString(16).padStart(4, "0")}`;
            live.set(id, entry(id));
            all.push(id);
            if (moves) move(id);
          }
          const drained = await drain(source, cursor);
          cursor = drained.cursor;
          exported.push(...drained.exported);
          for (const id of [...live.keys()].slice(0, 3)) move(id);
        }
        expect(exported.toSorted()).toEqual(all.toSorted());
        expect(archived.size + live.size).toBe(all.length);
      },
    ),
    { numRuns: 100 },
  );
});

test("reports an entry that another names and that is gone, and none that moved or is older than what is retained", async () => {
  const { live, archived, source } = aLog();
  const [removed, moved, old, newest] = [5_000, 6_000, -9e9, 7_000].map((ms) => idAt(NOW + ms)) as [
    string,
    string,
    string,
    string,
  ];
  archived.set(moved, entry(moved));
  live.set(newest, entry(newest, [removed, moved, old]));
  const { gaps } = await readNewEntries(source, BEGIN, { limit: 10, retainedFrom: NOW - 1_000 });
  expect(gaps).toEqual([{ missing: removed, namedBy: newest }]);
  // Also where the export resumes between the two.
  const cursor = advance(BEGIN, [moved]);
  expect((await readNewEntries(source, cursor, { limit: 10, retainedFrom: NOW - 1_000 })).gaps).toEqual(gaps);
});

test("finds an entry that is named long after it was exported, and one that moves while others are read", async () => {
  const { live, archived, source, move } = aLog();
  const [old, moving, newest] = [0, 1_860_000, 1_861_000].map((ms) => idAt(NOW + ms)) as [string, string, string];
  archived.set(old, entry(old));
  live.set(moving, entry(moving));
  archived.set(newest, entry(newest, [old, moving]));
  // In neither place when each was read: it left the store after the archive's page, which has those after the newest.
  let reads = 0;
  const racing: AuditSource = {
    live: async () => (++reads === 1 ? [] : await source.live()),
    after: async (from, limit) => {
      const page = await source.after(from, limit);
      move(moving);
      return page;
    },
  };
  const cursor = advance(BEGIN, [old, idAt(NOW + 1_800_000)]);
  expect(cursor.recent).not.toContain(old);
  expect((await readNewEntries(racing, cursor, { limit: 10, retainedFrom: 0 })).gaps).toEqual([]);
});

test.each(["", "{}", '{"version":2,"newest":"","recent":[]}', '{"version":1,"newest":"x","recent":[]}'])(
  "takes %j for no cursor",
  (text) => {
    expect(parseCursor(text)).toBeNull();
  },
);
