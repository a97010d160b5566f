import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readIdentity } from "./identity-file.ts";
import { rememberStore } from "./remember-store.ts";
import { StoreIdentity } from "./store-identity.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "identity-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

const log = { warn: () => undefined };

function known(revision: number): StoreIdentity {
  const identity = new StoreIdentity();
  identity.admits({ clusterId: "7", revision }, 0);
  identity.belongsTo({ epoch: 1, blobStoreId: "b" });
  return identity;
}

test("writes what is known at the start, and what was learned since at the end", async () => {
  const file = join(dir, "store-identity.json");
  const identity = known(5);
  const remembering = await rememberStore({ file, identity, log });
  expect(await readIdentity(file)).toMatchObject({ revision: 5 });
  identity.admits({ clusterId: "7", revision: 9 }, 5);
  await remembering.stop();
  expect(await readIdentity(file)).toMatchObject({ revision: 9 });
});

test("writes the last revision before a change at once", async () => {
  const file = join(dir, "store-identity.json");
  const identity = known(5);
  const remembering = await rememberStore({ file, identity, log });
  identity.admits({ clusterId: "7", revision: 9 }, 5);
  identity.admits({ clusterId: "8", revision: 50 }, 9);
  await expect.poll(() => readIdentity(file)).toMatchObject({ clusterId: "7", revision: 9 });
  await remembering.stop();
});

test("rejects a file that cannot be written", async () => {
  const file = join(dir, "store-identity.json");
  mkdirSync(file);
  await expect(rememberStore({ file, identity: known(5), log })).rejects.toThrow(/EISDIR/);
});
