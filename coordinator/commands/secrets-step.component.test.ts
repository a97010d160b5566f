/** A rotation as separate processes, on a real etcd without coordinators. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { type Etcd, startEtcd } from "@elastic/test/cluster/etcd.ts";
import { makeWorkFolder } from "@elastic/test/cluster/work-folder.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readPresentKeys } from "../secrets/change-key-file.ts";
import { readKeyFile } from "../secrets/key-file.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const SLOWLY = { timeout: 60_000 };
const folder = makeWorkFolder();
const keyFile = join(folder.path, "keys");

let etcd: Etcd;
beforeAll(async () => {
  etcd = await startEtcd();
});
afterAll(async () => {
  await etcd[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function secrets(
  ...args: readonly string[]
): Promise<{ readonly code: number | null; stdout: string; stderr: string }> {
  const env = { ...COMPILE_CACHE, ELASTIC_ETCD: etcd.endpoint, ELASTIC_SECRETS_KEY_FILE: keyFile };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, "secrets", ...args], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

test("keeps a copy of the key that it retires, and names it", SLOWLY, async () => {
  const [old] = readKeyFile(keyFile);
  for (const step of ["stage", "promote"]) expect(await secrets(step)).toMatchObject({ code: 0, stderr: "" });
  const copy = `${keyFile}.retired-${old.id}`;
  const early = await secrets("retire");
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining("Nothing was changed") });
  expect(() => readPresentKeys(copy)).toThrow("ENOENT");
  const retired = await secrets("retire", "--now");
  expect(retired).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining(copy) });
  expect(readPresentKeys(copy)).toEqual([old]);
  expect(readPresentKeys(keyFile).map(({ id }) => id)).not.toContain(old.id);
});
