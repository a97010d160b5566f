/** `elastic-agent upgrade` against a coordinator that the test plays, on a machine where no agent runs. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { newReleaseKey } from "@elastic/std/program-release/signature.ts";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { type ScriptedReleases, scriptReleases, writeAgent } from "../testing/scripted-releases.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { claimUpgrade } from "../upgrade/one-at-a-time.ts";
import { type UpgradeOptions, upgrade } from "./upgrade.ts";

afterAll(removeTemporaryFolders);

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const KEY = newReleaseKey();
let releases: ScriptedReleases;
let home: string;
/** Returns what is printed, or what is said instead. */
let command: (given?: Partial<UpgradeOptions>) => Promise<string>;

beforeEach(async () => {
  releases = await scriptReleases();
  onTestFinished(() => releases.stop());
  const folder = temporaryFolder();
  home = join(folder, "opt");
  writeAgent(join(home, "elastic-agent-1.0.0"), "1.0.0");
  symlinkSync("elastic-agent-1.0.0", join(home, "elastic-agent"));
  const identity = join(folder, "state", "identity");
  mkdirSync(identity, { recursive: true });
  writeFileSync(join(identity, "ca.pem"), releases.caPem);
  writeFileSync(
    join(identity, "coordinators.json"),
    JSON.stringify({ coordinators: [], enrollment: releases.address }),
  );
  writeFileSync(join(folder, "keys.pem"), KEY.publicPem);
  command = async (given = {}) => {
    const options = { drain: true, drainWithin: 5, healthyWithin: 5, ...given };
    const context = {
      packageRoot: join(home, "elastic-agent-1.0.0", "lib", "elastic-agent"),
      keysFile: join(folder, "keys.pem"),
      signal: new AbortController().signal,
      onProgress: () => undefined,
    };
    const env = { ELASTIC_STATE_DIR: join(folder, "state") };
    return await upgrade(env, options, context).then(
      ({ text }) => text,
      (error: Error) => error.message,
    );
  };
});

const installed = (): string =>
  execFileSync(join(home, "elastic-agent/bin/elastic-agent"), { encoding: "utf8" }).trim();

/** Nothing else was written either. */
function expectUnchanged(): void {
  expect(installed()).toBe("1.0.0");
  expect(
    readdirSync(home)
      .filter((name) => name !== ".lock")
      .sort(),
  ).toEqual(["elastic-agent", "elastic-agent-1.0.0"]);
}

test("installs the newest release, retains the version before, and returns to it without a download", async () => {
  releases.publish("1.1.0", KEY);
  expect(await command()).toBe(
    "1.1.0 is installed, and no agent runs: start it; elastic-agent upgrade --rollback returns to 1.0.0",
  );
  expect(installed()).toBe("1.1.0");
  expect(readlinkSync(join(home, "previous"))).toBe("elastic-agent-1.0.0");
  expect(await command()).toBe("the agent is of version 1.1.0, and the release too");
  releases.files.clear();
  expect(await command({ rollback: true })).toContain("1.0.0 is installed");
  expect(installed()).toBe("1.0.0");
});

test("downloads a version again that was released again, and not the same release", async () => {
  releases.publish("1.1.0", KEY);
  expect(await command()).toContain("1.1.0 is installed");
  expect(await command({ rollback: true })).toContain("1.0.0 is installed");
  releases.paths.length = 0;
  expect(await command()).toContain("1.1.0 is installed");
  expect(releases.paths.filter((path) => path.endsWith(".tar.zst"))).toEqual([]);
  expect(await command({ rollback: true })).toContain("1.0.0 is installed");
  releases.publish("1.1.0", KEY, { comment: "mended" });
  expect(await command()).toContain("1.1.0 is installed");
  expect(readFileSync(join(home, "elastic-agent/bin/elastic-agent"), "utf8")).toContain("mended");
});

test("reports a node that an interrupted upgrade left drained", async () => {
  releases.publish("1.0.0", KEY);
  writeFileSync(join(home, ".drained-by-upgrade"), "");
  expect(await command()).toMatch(
    /^the agent is of version 1\.0\.0, and the release too\. The node is still drained and takes no work \(no agent runs with .*\): repeat this command/,
  );
  expect(existsSync(join(home, ".drained-by-upgrade"))).toBe(true);
});

test("only says what is offered with --check", async () => {
  releases.publish("1.1.0", KEY);
  expect(await command({ check: true })).toBe(
    "1.1.0 is an upgrade of this agent, 1.0.0: elastic-agent upgrade installs it",
  );
  expect(JSON.parse(await command({ check: true, json: true }))).toEqual({
    installed: "1.0.0",
    offered: "1.1.0",
    coordinator: "1.0.0",
    upgrade: true,
    why: null,
  });
  expectUnchanged();
});

test("refuses an older release, unless a roll-back to it is meant", async () => {
  releases.publish("0.9.0", KEY);
  expect(await command()).toMatch(/^release 0\.9\.0 is older than this agent, 1\.0\.0: .* Nothing was changed$/);
  expect(await command({ version: "0.9.0" })).toContain("is older than this agent");
  expectUnchanged();
  expect(await command({ version: "0.9.0", rollback: true })).toContain("0.9.0 is installed");
  expect(installed()).toBe("0.9.0");
});

test("refuses a release that no trusted key signed, or that is another than was named", async () => {
  releases.publish("1.1.0", newReleaseKey());
  expect(await command()).toMatch(/is not signed by a key that this machine trusts: do not install it/);
  expectUnchanged();
  releases.publish("1.2.0", KEY);
  const platform = `linux-${process.arch}`;
  for (const file of ["release.json", "release.json.sig"]) {
    releases.files.set(`${platform}/1.1.0/${file}`, releases.files.get(`${platform}/1.2.0/${file}`) ?? Buffer.of());
  }
  expect(await command({ version: "1.1.0" })).toMatch(/offers release 1\.2\.0 for linux-\w+ in place of this/);
  expectUnchanged();
});

test("refuses an archive that is tampered with, truncated, too long, or of another version", async () => {
  const path = releases.publish("1.1.0", KEY);
  const archive = releases.files.get(path) ?? Buffer.of();
  const tampered = Buffer.from(archive);
  tampered[20] = (tampered[20] ?? 0) ^ 1;
  for (const [bytes, why] of [
    [tampered, /is not what its release lists: it was tampered with or damaged/],
    [archive.subarray(0, 100), /was not received completely, 100 of \d+ bytes; repeat the command/],
    [Buffer.concat([archive, Buffer.of(0)]), /was not received: it is longer than the \d+ bytes/],
  ] as const) {
    releases.files.set(path, bytes);
    expect(await command()).toMatch(why);
    expectUnchanged();
  }
  releases.publish("1.1.0", KEY, { prints: "1.0.9" });
  expect(await command()).toMatch(/contains an agent of version 1\.0\.9: package it again\. Nothing was changed/);
  expectUnchanged();
});

test("refuses what needs later coordinators, a disk without room, and a second upgrade at a time", async () => {
  releases.publish("1.1.0", KEY, { manifest: { minimumCoordinator: "1.1.0" } });
  expect(await command()).toMatch(/takes coordinators of 1\.1\.0 or later, and they are 1\.0\.0: upgrade them first/);
  const name = `elastic-agent-1.2.0-linux-${process.arch}.tar.zst`;
  const files = [{ name, sha256: "a".repeat(64), size: 1, unpackedSize: 2 ** 52 }];
  releases.publish("1.2.0", KEY, { manifest: { files } });
  expect(await command()).toMatch(/MiB left, and the upgrade takes \d+ MiB: make room\. Nothing was changed$/);
  releases.publish("1.3.0", KEY);
  const release = await claimUpgrade(home);
  expect(await command()).toMatch(/another upgrade of this machine runs/);
  await release?.();
  expectUnchanged();
});

test("takes --version for the version to install, and installs nothing over a checkout", () => {
  const { status, stderr } = spawnSync(process.execPath, [MAIN, "upgrade", "--version", "0.2.0"], { encoding: "utf8" });
  expect(stderr).toMatch(/this agent was not installed by the line of .*: upgrade it as it was installed/);
  expect(status).toBe(1);
});

test("says where to look when there is no coordinator, no key, no earlier version, and no such installation", async () => {
  expect(await command()).toMatch(
    /^no release can be read from 127\.0\.0\.1:\d+: this coordinator has no such release/,
  );
  expect(await command({ coordinator: "127.0.0.1:1" })).toMatch(
    /no release can be read from 127\.0\.0\.1:1: .*ECONNREFUSED/,
  );
  expect(await command({ rollback: true })).toMatch(/^no earlier version is on this machine: name one with --version/);
  expect(await command({ version: "../1" })).toBe("--version ../1 is no version, such as 0.2.0");
  expectUnchanged();
  expect(existsSync(join(home, "previous"))).toBe(false);
});
