import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { checkLedger } from "./ledger-check.ts";

afterAll(removeTemporaryFolders);

test("reports the file system and the free space of a ledger that can be appended to, and creates nothing", async () => {
  const file = join(temporaryFolder(), "executions.jsonl");
  const check = await checkLedger(file);
  expect(check.finding).toMatch(/executions\.jsonl, on \w+ with \d+ MiB free$/);
  expect(check.level).not.toBe("fail");
  expect(existsSync(file)).toBe(false);
});

test("fails a ledger in a folder that is missing or read-only, and one that is no file", async () => {
  const folder = join(temporaryFolder(), "ledger");
  mkdirSync(folder);
  const remedy = expect.stringContaining("set ELASTIC_EXECUTION_LEDGER to a file in a folder that the agent may write");
  const failed = (finding: string) => ({
    name: "ledger",
    level: "fail",
    finding: expect.stringContaining(finding),
    remedy,
  });
  expect(await checkLedger(folder)).toMatchObject(failed("ledger is no file"));
  expect(await checkLedger(join(folder, "missing", "a"))).toMatchObject(failed("cannot be appended to: ENOENT"));
  // Root may write everywhere but there.
  expect(await checkLedger("/proc/sys/executions.jsonl")).toMatchObject(failed("cannot be appended to: E"));
});

test("warns of a ledger that a restart of the machine empties, and says that it is off", async () => {
  expect(await checkLedger("/dev/shm/executions.jsonl")).toMatchObject({
    level: "warn",
    finding: expect.stringContaining("on tmpfs"),
  });
  expect(await checkLedger(null)).toMatchObject({ level: "ok", finding: expect.stringContaining("off") });
});
