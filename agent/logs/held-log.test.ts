import { existsSync, readdirSync } from "node:fs";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { HeldLog, parseLogFileName } from "./held-log.ts";
import { logBudget } from "./log-budget.ts";

afterAll(removeTemporaryFolders);

const KEY = `${"a".repeat(32)}-1-1-7`;

async function rest(log: HeldLog): Promise<string> {
  const pieces: Buffer[] = [];
  for (let at = log.acknowledged; at < log.end; at += pieces.at(-1)?.length ?? 0) pieces.push(await log.read(at, 1000));
  return Buffer.concat(pieces).toString();
}

test("what is not acknowledged is there, in memory or on disk, whenever it is put there", async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant("append" as const), bytes: fc.nat(5_000) }),
    fc.record({ kind: fc.constant("acknowledge" as const), bytes: fc.nat(5_000) }),
    fc.record({ kind: fc.constant("spill" as const), bytes: fc.constant(0) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const budget = logBudget();
      const log = new HeldLog(temporaryFolder(), KEY, budget);
      let whole = "";
      for (const { kind, bytes } of steps) {
        if (kind === "append") {
          const text = Array.from({ length: bytes }, (_, at) => (whole.length + at) % 10).join("");
          whole += text;
          log.append(Buffer.from(text));
        } else if (kind === "acknowledge") log.acknowledge(log.acknowledged + bytes);
        else await log.spill();
        expect(await rest(log)).toBe(whole.slice(log.acknowledged));
        expect(budget.memoryBytes).toBe(log.memoryBytes);
      }
      log.acknowledge(log.end);
      expect([budget.memoryBytes, budget.diskBytes]).toEqual([0, 0]);
    }),
    { numRuns: 40 },
  );
});

test("neither loses nor leaves behind what is written, acknowledged or abandoned while it is put on disk", async () => {
  const folder = temporaryFolder();
  const budget = logBudget();
  const log = new HeldLog(folder, KEY, budget);
  log.append(Buffer.from("one "));
  const spilled = log.spill();
  log.append(Buffer.from("two"));
  log.acknowledge(2);
  await spilled;
  expect(await rest(log)).toBe("e two");
  const again = log.spill();
  log.discard();
  await again;
  await eventually("an empty folder", () => readdirSync(folder).length === 0 || undefined);
  expect([budget.memoryBytes, budget.diskBytes]).toEqual([0, 0]);
});

test("names a file by its attempt and where it begins, for the next process", async () => {
  const folder = temporaryFolder();
  const log = new HeldLog(folder, KEY, logBudget());
  log.append(Buffer.from("0123456789"));
  log.acknowledge(4);
  await log.spill();
  const [name = ""] = readdirSync(folder);
  expect(parseLogFileName(name)).toEqual({ key: KEY, start: 4 });
  const budget = logBudget();
  const path = `${folder}/${name}`;
  const found = new HeldLog(folder, KEY, budget, { path, start: 4, bytes: 6 });
  expect([await rest(found), found.end, budget.diskBytes]).toEqual(["456789", 10, 6]);
  found.acknowledge(10);
  await eventually("the file is gone", () => !existsSync(path) || undefined);
  expect(parseLogFileName("x.log")).toBeNull();
});

test("beyond the room on disk a log stays in memory", async () => {
  const folder = temporaryFolder();
  const budget = logBudget({ diskBytesMax: 5 });
  const log = new HeldLog(folder, KEY, budget);
  log.append(Buffer.from("123456"));
  await log.spill();
  expect([readdirSync(folder), budget.memoryBytes, await rest(log)]).toEqual([[], 6, "123456"]);
});
