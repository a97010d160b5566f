import { expect, test } from "vitest";
import { aNewService, aTask } from "../../domain/testing/records.ts";
import { encodeRecord } from "../../store/codec.ts";
import { recordKey } from "../../store/keys.ts";
import { blobsOfEntry } from "./blobs-of-entry.ts";

test("names the blobs of a task, and none of a record that nobody can read", () => {
  const task = aTask(aNewService(), { input: { bytes: 9_000, sha256: "0".repeat(64), where: "blob" } });
  const key = recordKey("tasks", task.id);
  const { teamId } = task;
  expect(blobsOfEntry({ key, value: encodeRecord(key, "op", task) })).toEqual([
    { teamId, sha256: "0".repeat(64), bytes: 9_000 },
  ]);
  for (const text of ["{}", "[", '{"op":"by hand","value":{}}']) {
    for (const kind of ["tasks", "uploads", "builds", "volumes", "deployments"] as const)
      expect(blobsOfEntry({ key: recordKey(kind, "a"), value: Buffer.from(text) })).toEqual([]);
  }
});
