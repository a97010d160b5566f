import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { readDiskUsage } from "./disk-usage.ts";

afterAll(removeTemporaryFolders);

test("reads how full a file system is, and which one it is", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "below"));
  const [usage, below] = await Promise.all([readDiskUsage(folder), readDiskUsage(join(folder, "below"))]);
  expect(usage?.usedPercent).toBeGreaterThan(0);
  expect(usage?.usedPercent).toBeLessThanOrEqual(100);
  expect(below?.device).toBe(usage?.device);
  expect((await readDiskUsage("/proc"))?.device).not.toBe(usage?.device);
});

test("has no figures of a folder that is not there", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "");
  expect(await readDiskUsage(join(folder, "absent"))).toBeNull();
  expect(await readDiskUsage(join(folder, "file", "below"))).toBeNull();
});
