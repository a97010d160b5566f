import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { findLogs } from "./find-logs.ts";

afterAll(removeTemporaryFolders);

test("the logs of a folder are found, each once, and what is none is removed", async () => {
  const folder = temporaryFolder();
  const key = `${"a".repeat(32)}-2-1-77`;
  const files = { [`${key}.0.log`]: "first", [`${key}.5.log`]: "second", "b.0.log": "x", junk: "x" };
  for (const [name, text] of Object.entries({ ...files, [`${"c".repeat(32)}-1-1-1.0.log`]: "" })) {
    writeFileSync(join(folder, name), text);
  }
  const found = await findLogs(folder);
  expect(found).toEqual([
    {
      key,
      ref: { taskId: "a".repeat(32), number: 2, token: { storeEpoch: 1n, revision: 77n } },
      file: { path: join(folder, `${key}.5.log`), start: 5, bytes: 6 },
    },
  ]);
  expect(readdirSync(folder)).toEqual([`${key}.5.log`]);
});
