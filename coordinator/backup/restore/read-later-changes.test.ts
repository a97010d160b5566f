import { newId } from "@elastic/std/ids.ts";
import { expect, test } from "vitest";
import type { ArchiveReader } from "../../archive/sql/read-archive.ts";
import { anAuditEntry } from "../../archive/testing/audit-entries.ts";
import type { AuditEntry } from "../../domain/audit-entry.ts";
import { aHeader, TAKEN_AT } from "../testing/backups.ts";
import { readHistory } from "./read-later-changes.ts";

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
  const { unknownBecause } = await readHistory(archiveOf(cut), "", aHeader());
  expect(unknownBecause).toMatch(new RegExp(`${cut.id} \\(lockOutUser.* may not name all that ended with it`));
});

test.each([
  ["a list that had room for more", lockOut({ also: sessions(10) })],
  ["a list whose cut is counted", lockOut({ also: sessions(26), alsoLeftOut: 5 })],
  ["a cut list of what ends no access", lockOut({ also: sessions(26), object: { kind: "task", id: "t", name: null } })],
])("knows what ended after %s", async (_what, entry) => {
  expect((await readHistory(archiveOf(entry), "", aHeader())).unknownBecause).toBeNull();
});
