/** The operators' order to upgrade agents, as separate processes on a real etcd without coordinators. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { manifestText, type ReleaseFile } from "@elastic/std/program-release/manifest.ts";
import { newReleaseKey, readSigningKey, signatureOf } from "@elastic/std/program-release/signature.ts";
import { startEtcd } from "@elastic/test/cluster/etcd.ts";
import { expect, onTestFinished, test } from "vitest";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

test("orders a signed release and no other, pauses it, and takes back no upgrade before which there was nothing", {
  timeout: 90_000,
}, async () => {
  await using etcd = await startEtcd();
  const folder = mkdtempSync(join(tmpdir(), "upgrade-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const key = newReleaseKey();
  writeFileSync(join(folder, "keys.pem"), key.publicPem);
  const release = join(folder, "releases", "a");
  const minimum = { minimumCoordinator: "0.1.0", minimumAgent: "0.1.0" };
  const agent = { name: "elastic-agent-0.2.0-linux-x64.tar.zst", sha256: "a".repeat(64), size: 5, unpackedSize: 9 };
  const publish = (at: string, version: string, files: readonly ReleaseFile[]): void => {
    mkdirSync(at, { recursive: true });
    const manifest = manifestText({ version, platform: "linux-x64", ...minimum, files });
    writeFileSync(join(at, "release.json"), manifest);
    writeFileSync(join(at, "release.json.sig"), signatureOf(Buffer.from(manifest), readSigningKey(key.privatePem)));
  };
  publish(release, "0.2.0", [agent]);
  const env = {
    ...COMPILE_CACHE,
    ELASTIC_ETCD: etcd.endpoint,
    ELASTIC_ENROLL_ADVERTISE: "control.example:8444",
    ELASTIC_RELEASES_DIR: join(folder, "releases"),
    ELASTIC_RELEASE_KEYS: join(folder, "keys.pem"),
  };
  const run = (...args: readonly string[]) =>
    new Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>((resolve) => {
      const child = execFile(process.execPath, [MAIN, "upgrade", ...args], { env }, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode, stdout, stderr }),
      );
    });

  const unknown = await run("start", "--version", "0.3.0");
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("there is no signed release 0.3.0 in ") });
  expect((await run("start")).stderr).toMatch(
    /there is no signed release in \S+ \(\S+ is not offered: elastic-agent-0\.2\.0-linux-x64\.tar\.zst, which release 0\.2\.0 lists, is not there: copy it there\): /,
  );
  writeFileSync(join(release, agent.name), "agent");
  const canary = await run("start", "--canary", "gpu-7");
  expect(canary).toMatchObject({ code: 1, stderr: expect.stringContaining("there is no node gpu-7: name a node as ") });
  // A newer one of the coordinator alone.
  publish(join(folder, "releases", "b"), "0.4.0", []);
  const without = await run("start", "--version", "0.4.0");
  expect(without).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("release 0.4.0 has no package of the agent"),
  });
  const started = JSON.parse((await run("start", "--batch", "7", "--json")).stdout) as object;
  expect(started).toMatchObject({ version: "0.2.0", state: "running", batch_size: 7, batch: [], nodes_by_version: {} });
  expect((await run("pause")).stdout).toContain("upgrade to 0.2.0: paused: an operator paused it");
  expect((await run("rollback")).stderr).toContain(
    "no version is known from before the upgrade to 0.2.0, and there is no node that has it. Nothing was changed",
  );
  expect(JSON.parse((await run("status", "--json")).stdout)).toMatchObject({
    state: "paused",
    why: "an operator paused it",
  });
});
