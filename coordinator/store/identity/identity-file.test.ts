import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { KnownStore } from "./compare-store.ts";
import { readIdentity, writeIdentity } from "./identity-file.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "identity-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

const known = (revision: number, epoch = 1): KnownStore => ({ clusterId: "7", revision, epoch, blobStoreId: "b" });

test("reads what was written, in a folder that did not exist, and leaves nothing else there", async () => {
  const file = join(dir, "new", "store-identity.json");
  expect(await readIdentity(file)).toBeNull();
  await writeIdentity(file, known(5));
  expect(await readIdentity(file)).toEqual(known(5));
  expect(readdirSync(join(dir, "new"))).toEqual(["store-identity.json"]);
});

test("keeps the highest revision of the newest acceptance where two coordinators write", async () => {
  const file = join(dir, "store-identity.json");
  await writeIdentity(file, known(90));
  await writeIdentity(file, known(80));
  expect(await readIdentity(file)).toEqual(known(90));
  await writeIdentity(file, known(10, 2));
  await writeIdentity(file, known(95, 1));
  expect(await readIdentity(file)).toEqual(known(10, 2));
});

test.each(["", "{", "null", "[]", '{"clusterId":7,"revision":"1"}'])("rejects the damaged content %j", async (text) => {
  const file = join(dir, "store-identity.json");
  writeFileSync(file, text);
  await expect(readIdentity(file)).rejects.toThrow(`${file} does not hold the identity of a store`);
});
