import { readdirSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createLog } from "@elastic/std/log.ts";
import { afterAll, expect, test, vi } from "vitest";
import { attemptKey } from "../domain/attempt-key.ts";
import { startOf } from "../testing/orders.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { openSpool } from "./spool.ts";

const log = createLog({ name: "test", level: "silent" });

afterAll(removeTemporaryFolders);

const OUTCOME = { $case: "failed" as const, value: { reason: "prover_error", message: "no", logTail: "" } };

function anOutcome() {
  const { attempt } = startOf("{}");
  if (attempt === undefined) throw new Error("no attempt");
  return { key: attemptKey(attempt), report: { attempt, outcome: OUTCOME, waitMs: 0n, runMs: 1n } };
}

test("stores as many outcomes as it may, and another one once one is dropped", async () => {
  const spool = await openSpool(temporaryFolder(), { outcomesMax: 2 }, log);
  const [one, two, three] = [anOutcome(), anOutcome(), anOutcome()];
  const keep = ({ key, report }: ReturnType<typeof anOutcome>) => spool.keep(key, report);
  expect([await keep(one), await keep(two), await keep(three), await keep(two)]).toEqual([true, true, false, true]);
  await spool.drop(one.key);
  expect([await keep(three), spool.size()]).toEqual([true, 2]);
});

test("sets an outcome aside whose long result was cut", async () => {
  const folder = temporaryFolder();
  const spool = await openSpool(folder, { outcomesMax: 2 }, log);
  const { key, report } = anOutcome();
  const value = { sha256: "1".repeat(64), sizeBytes: 10n };
  const outcome = { $case: "succeeded" as const, value: { result: { $case: "uploaded" as const, value } } };
  await spool.keep(key, { ...report, outcome });
  for (const [bytes, found] of [
    [10, 1],
    [4, 0],
  ] as const) {
    writeFileSync(spool.resultPath(key), Buffer.alloc(bytes));
    expect((await openSpool(folder, { outcomesMax: 2 }, log)).found).toHaveLength(found);
  }
  expect(readdirSync(folder)).toEqual([`${key}.broken`]);
});

test("gives an outcome its name only once its bytes are on the disk, and resolves only once the name is", async () => {
  const folder = temporaryFolder();
  const spool = await openSpool(folder, { outcomesMax: 10 }, log);
  const { key, report } = anOutcome();
  const synced: string[] = [];
  const handle = await open(folder);
  const prototype: Pick<FileHandle, "sync"> = Object.getPrototypeOf(handle);
  await handle.close();
  const sync = vi.spyOn(prototype, "sync").mockImplementation(async function (this: FileHandle) {
    const named = readdirSync(folder).filter((name) => name.endsWith(".outcome"));
    synced.push(`${(await this.stat()).isFile() ? "file" : "folder"}, ${named.length} named`);
  });
  try {
    await spool.keep(key, report);
  } finally {
    sync.mockRestore();
  }
  expect(synced).toEqual(["file, 0 named", "folder, 1 named"]);
});
