import { newId } from "@elastic/std/ids.ts";
import { expect, test } from "vitest";
import type { ArchiveReader } from "../../archive/sql/read-archive.ts";
import { anAuditEntry } from "../../archive/testing/audit-entries.ts";
import type { AuditEntry } from "../../domain/audit-entry.ts";
import { aHeader, TAKEN_AT } from "../testing/backups.ts";
import { readHistory } from "./read-later-changes.ts";

const NOW = TAKEN_AT + 3_600_000;
const DAY_MS = 86_400_000;

/** An archive that has these. */
function archiveOf(...entries: readonly AuditEntry[]): ArchiveReader {
  const sorted = entries.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return {
    id: "archive",
    newestAuditId: async () => sorted.at(-1)?.id ?? "",
    auditAfter: async (id, limit) => sorted.filter((entry) => entry.id > id).slice(0, limit),
    restoredEpoch: async () => 0,
    tasksOf: async () => new Set(),
    close: async () => undefined,
  };
}

const sessions = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ kind: "session", id: newId(n), name: null }));
const lockOut = (given: Partial<AuditEntry>) =>
  anAuditEntry({
    at: TAKEN_AT + 1,
    action: "lockOutUser",
    object: { kind: "user", id: "u", name: "ada" },
    before: {},
    after: {},
    ...given,
  });

test("does not know what ended where an earlier version may have cut an entry's list", async () => {
  const cut = lockOut({ also: sessions(26) });
  const { unknownBecause } = await readHistory(archiveOf(cut), "", aHeader(), NOW);
  expect(unknownBecause).toMatch(new RegExp(`${cut.id} \\(lockOutUser.* may not name all that ended with it`));
});

test.each([
  ["a list that had room for more", lockOut({ also: sessions(10) })],
  ["a list whose cut is counted", lockOut({ also: sessions(26), alsoLeftOut: 5 })],
  ["a cut list of what ends no access", lockOut({ also: sessions(26), object: { kind: "task", id: "t", name: null } })],
])("knows what ended after %s", async (_what, entry) => {
  expect((await readHistory(archiveOf(entry), "", aHeader(), NOW)).unknownBecause).toBeNull();
});

const revokedAt = (at: number) =>
  anAuditEntry({
    at,
    object: { kind: "key", id: "k", name: null },
    before: { revoked: false },
    after: { revoked: true },
  });
const createdAt = (at: number) => anAuditEntry({ at });

/** What the archive had when the backup was taken, and what it has now. */
async function historyOf(takenAt: number, had: AuditEntry, ...since: readonly AuditEntry[]) {
  const header = aHeader({ takenAt, archive: { id: "archive", newestAuditId: had.id } });
  const history = await readHistory(archiveOf(had, ...since), "", header, NOW);
  return {
    ...history,
    isRevoked: history.later.of("key", "k")?.facts.revoked === true,
    lost: history.later.lost().total,
  };
}

test("finds what was revoked after a backup whose clock was ahead, and says so", async () => {
  const changes = [revokedAt(TAKEN_AT + 60_000), createdAt(TAKEN_AT + 61_000)];
  const found = await historyOf(TAKEN_AT + DAY_MS, createdAt(TAKEN_AT), ...changes);
  expect(found).toMatchObject({ isRevoked: true, lost: 1, unknownBecause: null });
  expect(found.warnings).toEqual([expect.stringMatching(/this machine's clock is behind that, or.*was ahead/)]);
});

test("finds it also when that time has come since", async () => {
  const changes = [revokedAt(TAKEN_AT - DAY_MS + 60_000), createdAt(TAKEN_AT - DAY_MS + 61_000)];
  const found = await historyOf(TAKEN_AT, createdAt(TAKEN_AT - DAY_MS), ...changes);
  expect(found).toMatchObject({ isRevoked: true, lost: 1, unknownBecause: null });
  expect(found.warnings).toEqual([
    expect.stringMatching(/the clock that took it was ahead, or the audit log moved late/),
  ]);
});

test("finds it where an entry of a clock that was ahead is the newest that the backup knows", async () => {
  const found = await historyOf(TAKEN_AT, createdAt(TAKEN_AT + DAY_MS), revokedAt(TAKEN_AT + 60_000));
  expect(found).toMatchObject({ isRevoked: true, unknownBecause: null });
});

test("does not know it where both are of the future", async () => {
  const found = await historyOf(TAKEN_AT + DAY_MS, createdAt(TAKEN_AT + DAY_MS), revokedAt(TAKEN_AT + 60_000));
  expect(found.unknownBecause).toMatch(/of the future by this machine's clock .* set it and repeat/);
});

test("warns of nothing where the clocks agree, and takes no change from before the backup for a lost one", async () => {
  const found = await historyOf(
    TAKEN_AT,
    createdAt(TAKEN_AT - 9_000),
    createdAt(TAKEN_AT - 1_000),
    createdAt(TAKEN_AT),
  );
  expect(found).toMatchObject({ lost: 1, warnings: [], unknownBecause: null });
});
