import { existsSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { writeResult } from "./write-result.ts";

afterAll(removeTemporaryFolders);

test("gives a long result its name only once its bytes are on the disk", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "t-1.result");
  const synced: string[] = [];
  const handle = await open(folder);
  const prototype: Pick<FileHandle, "sync"> = Object.getPrototypeOf(handle);
  await handle.close();
  const sync = vi.spyOn(prototype, "sync").mockImplementation(async function (this: FileHandle) {
    synced.push(`${(await this.stat()).size} bytes, ${existsSync(path) ? "named" : "not named"}`);
  });
  try {
    await writeResult([Buffer.from("abc"), Buffer.from("def")], path, 100);
  } finally {
    sync.mockRestore();
  }
  expect([synced, existsSync(path)]).toEqual([["6 bytes, not named"], true]);
});
