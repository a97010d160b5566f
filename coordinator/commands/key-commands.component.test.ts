/** The review of access keys after a restore, as separate processes on a real etcd without coordinators. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { type Etcd, startEtcd } from "@elastic/test/cluster/etcd.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { disabled } from "../domain/access-key.ts";
import { connectEtcd } from "../store/etcd/etcd-kv.ts";
import { openStore } from "../store/open/open-store.ts";
import { updateRecord } from "../store/update.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const SLOWLY = { timeout: 60_000 };

let etcd: Etcd;
beforeAll(async () => {
  etcd = await startEtcd();
});
afterAll(() => etcd[Symbol.asyncDispose]());

function run(...args: readonly string[]): Promise<{ readonly code: number | null; stdout: string; stderr: string }> {
  const env = { ...COMPILE_CACHE, ELASTIC_ETCD: etcd.endpoint };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...args], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

async function json<T>(...args: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await run(...args, "--json");
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as T;
}

/** As a restore does. */
async function disableKeys(): Promise<void> {
  const log = createLog({ name: "test", level: "silent" });
  const kv = connectEtcd({ endpoints: [etcd.endpoint], log });
  const store = await openStore({ kv, clock: systemClock, log });
  for (const { value } of [...store.view.accessKeys.values()]) {
    const read = () => store.get("access-keys", value.id);
    await updateRecord(store, "access-keys", read, (key) => disabled(key, systemClock.now()));
  }
  await store.close();
  await kv.close();
}

test("lists disabled keys, revokes some, enables others, and says why a key is not changed", SLOWLY, async () => {
  await json("bootstrap", "--user", "ada", "--team", "lovelace");
  const make = async (name: string) =>
    (await json<{ key_id: string }>("key", "create", "--user", "ada", "--team", "lovelace", "--name", name)).key_id;
  const [stays, goes] = [await make("stays"), await make("goes")];
  await disableKeys();
  const late = await make("late");
  const keys = await json<readonly object[]>("key", "list", "--disabled");
  expect(keys).toHaveLength(3);
  expect(keys).toContainEqual(
    expect.objectContaining({ key_id: goes, name: "goes", user_name: "ada", team_name: "lovelace", last_used: null }),
  );
  expect((await run("key", "list")).stdout).toMatch(
    new RegExp(`^${late}  late  of ada  team lovelace  created .*`, "m"),
  );

  expect(await json("key", "revoke", goes)).toEqual({ revoked: [goes] });
  expect((await run("key", "revoke", goes)).stderr).toContain(`${goes} was not changed: it was revoked before`);
  const mixed = await run("key", "enable", stays, goes, late, "nosuch");
  expect(mixed).toMatchObject({ code: 1, stdout: "1 access keys were enabled\n" });
  expect(mixed.stderr).toMatch(
    /was not changed: it is revoked.*was not changed: it is enabled already.*nosuch was not changed: there is no such key/s,
  );
  expect(await json("key", "list", "--disabled")).toHaveLength(1);
  const rest = await json<{ enabled: readonly string[] }>("key", "enable", "--all");
  expect(rest.enabled).toHaveLength(1);
  expect(await json("key", "list", "--disabled")).toEqual([]);
});
