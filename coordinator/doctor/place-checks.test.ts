import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkBlobs, judgeRoom } from "./place-checks.ts";

const RESERVE = 1024 ** 3;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "place-checks-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

test("passes an empty directory of blobs before the first coordinator has served, and fails for it afterwards", async () => {
  expect(await checkBlobs(dir, { storeId: "s", hasServed: false })).toMatchObject({ level: "ok" });
  expect(await checkBlobs(dir, { storeId: "s", hasServed: true })).toMatchObject({ level: "fail" });
  writeFileSync(join(dir, "store-id"), "s\n");
  expect(await checkBlobs(dir, { storeId: "s", hasServed: true })).toMatchObject({ level: "ok" });
  expect(await checkBlobs(dir, { storeId: "t", hasServed: false })).toMatchObject({ level: "fail" });
});

test("warns of a disk that has only the reserve left, and fails for a full one", () => {
  expect(judgeRoom(dir, RESERVE, RESERVE)).toMatchObject({ level: "ok" });
  expect(judgeRoom(dir, RESERVE - 1, RESERVE)).toMatchObject({ level: "warn" });
  expect(judgeRoom(dir, 4096, RESERVE)).toMatchObject({
    level: "fail",
    finding: expect.stringContaining("0 MiB free"),
  });
});
