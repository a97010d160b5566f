import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anAuditEntry } from "../testing/audit-entries.ts";
import { DATABASES, type Databases, openArchive } from "../testing/databases.ts";
import { anEndedTask, archived } from "../testing/ended-tasks.ts";
import { copyArchive } from "./copy-archive.ts";

const TEAM = "0".repeat(31).concat("a");
const WHOLE_PAGE = { offset: 0, limit: 2_000 };
const BLOB = { teamId: TEAM, sha256: "3".repeat(64) };

describe.each(
  DATABASES.flatMap(([from, startFrom]) => DATABASES.map(([to, startTo]) => [from, to, startFrom, startTo] as const)),
)("an archive copied from %s to %s", (_from, _to, startFrom, startTo) => {
  let sources: Databases;
  let targets: Databases;

  beforeAll(async () => {
    sources = await startFrom();
    targets = await startTo();
  });
  afterAll(async () => {
    await sources[Symbol.asyncDispose]();
    await targets[Symbol.asyncDispose]();
  });

  test("has what the one before had: tasks, bytes, counts, usage, what arrives, blobs and id", async () => {
    const [source, target] = [sources.fresh(), targets.fresh()];
    const before = await openArchive(source);
    const tasks = Array.from({ length: 1_200 }, (_unused, index) =>
      anEndedTask({ createdAt: 1_700_000_000_000 + index, ...(index % 7 === 0 ? { resultBlob: BLOB.sha256 } : {}) }),
    );
    for (let at = 0; at < tasks.length; at += 400) await before.put(tasks.slice(at, at + 400).map(archived));
    const ids = tasks.map(({ id }) => id);
    for (let at = 0; at < 1_000; at += 500) await before.settle(ids.slice(at, at + 500));
    await before.removeBytes(ids.slice(0, 3));
    await before.putAudit([anAuditEntry({ teamId: TEAM }), anAuditEntry({ teamId: TEAM })]);
    const look = async (archive: typeof before) => [
      archive.id,
      await archive.list({ teamId: TEAM }, WHOLE_PAGE),
      await archive.usage(TEAM, 0, 2 ** 40),
      await Promise.all([0, 1, 7, 1_199].map((index) => archive.get(ids[index] ?? ""))),
      await archive.arriving(10),
      await archive.listAudit({ teamId: TEAM }, { limit: 10 }),
      await archive.referenced([BLOB], 1_700_000_000_000),
    ];
    const expected = await look(before);
    await before.close();
    await (await openArchive(target)).close();

    const [from, to] = [await source.open(), await target.open()];
    expect(await copyArchive(from, to)).toBe(1_200);
    await expect(copyArchive(from, to)).rejects.toThrow("holds tasks already");
    await from.close();
    await to.close();
    const after = await openArchive(target);
    expect(await look(after)).toEqual(expected);
    await after.close();
  });
});
