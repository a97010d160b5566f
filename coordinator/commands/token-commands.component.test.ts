/** The review of join tokens, as separate processes on a real etcd without coordinators. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { newReleaseKey } from "@elastic/std/program-release/signature.ts";
import { startEtcd } from "@elastic/test/cluster/etcd.ts";
import { expect, onTestFinished, test } from "vitest";
import { readOrCreateAuthority } from "../enrollment/authority.ts";
import { makeJoinToken } from "../enrollment/make-join-token.ts";
import { openSecrets } from "../secrets/secrets.ts";
import { connectEtcd } from "../store/etcd/etcd-kv.ts";
import { openStore } from "../store/open/open-store.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

test("lists join tokens, revokes one, and names an id that no token has", { timeout: 60_000 }, async () => {
  await using etcd = await startEtcd();
  const log = createLog({ name: "test", level: "silent" });
  const kv = connectEtcd({ endpoints: [etcd.endpoint], log });
  const store = await openStore({ kv, clock: systemClock, log });
  const make = async (nodeName: string | null) =>
    (await makeJoinToken(store, { nodeName, seconds: 600, creatorId: null }, systemClock))?.record.id ?? "";
  const [goes, stays] = [await make("gpu-7"), await make(null)];
  await store.close();
  await kv.close();
  const run = (...args: readonly string[]) =>
    new Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>((resolve) => {
      const env = { ...COMPILE_CACHE, ELASTIC_ETCD: etcd.endpoint };
      const child = execFile(process.execPath, [MAIN, "token", ...args], { env }, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode, stdout, stderr }),
      );
    });

  expect((await run("list")).stdout).toMatch(
    new RegExp(`^${stays}  for any node  .*\n${goes}  for node gpu-7  .*  not used\n`),
  );
  const revoked = await run("revoke", goes, "nosuch", "--json");
  expect(revoked).toMatchObject({ code: 1, stdout: `${JSON.stringify({ revoked: [goes] })}\n` });
  expect(revoked.stderr).toContain("nosuch was not revoked: there is no such token");
  const left = JSON.parse((await run("list", "--json")).stdout) as readonly object[];
  expect(left).toEqual([expect.objectContaining({ join_token_id: stays, node_name: null, used: null })]);
});

test("reports on standard error why no release is offered, next to the line", { timeout: 60_000 }, async () => {
  await using etcd = await startEtcd();
  const folder = mkdtempSync(join(tmpdir(), "token-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const log = createLog({ name: "test", level: "silent" });
  const kv = connectEtcd({ endpoints: [etcd.endpoint], log });
  await readOrCreateAuthority(kv, openSecrets({ keyFile: join(folder, "keys") }), systemClock);
  await kv.close();
  mkdirSync(join(folder, "releases", "a"), { recursive: true });
  writeFileSync(join(folder, "keys.pem"), newReleaseKey().publicPem);
  const env = {
    ...COMPILE_CACHE,
    ELASTIC_ETCD: etcd.endpoint,
    ELASTIC_ENROLL_ADVERTISE: "control.example:8444",
    ELASTIC_RELEASES_DIR: join(folder, "releases"),
    ELASTIC_RELEASE_KEYS: join(folder, "keys.pem"),
  };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [MAIN, "token", "create"], { env });
  expect(stdout).toMatch(/^echo \S+ \| elastic-agent enroll --coordinator control\.example:8444 /);
  expect(stderr).toMatch(/releases\/a is not served: .*release\.json/);
  expect(stderr).toContain("so the line is for a machine where the agent is installed already\n");
});
