import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeAbandonedEngines } from "@elastic/deploy/local/engine.ts";
import { publishImage } from "@elastic/deploy/local/image.ts";
import Docker from "dockerode";
import { expect, test } from "vitest";
import { type Engine, startOwnEngine, whyNoEngineHere } from "./engine.ts";
import { toolEnvironment } from "./machine.ts";
import { startRegistry } from "./registry.ts";
import { makeWorkFolder } from "./work-folder.ts";

const noEngine = await whyNoEngineHere();

/** A zombie process has no command line. */
function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
}

/** Names of engines of ours, by what theirs end with. */
const ENGINE = /elastic-(?:engine-)?([0-9a-f]{8})\b/;
/** Where all engines of ours write to: they go with the last one. */
const SHARED = ["/etc/docker", "/opt/containerd", "/run/docker", "/run/containerd"];

/** Builds and shells of tests that run meanwhile. */
const OF_OTHERS = /elastic-(builder|build|agent-test|test)-|\/dev\/loop/;

/** What an engine could leave behind on a machine. */
function traces(): readonly string[] {
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  const places = ["/etc/docker", "/opt", "/run"].flatMap((folder) =>
    existsSync(folder) ? readdirSync(folder).map((name) => `${folder}/${name}`) : [],
  );
  const all = [...mounts, ...places, ...readdirSync("/sys/fs/cgroup"), ...readdirSync("/sys/class/net")];
  return all.filter((one) => !OF_OTHERS.test(one)).sort();
}

/** What was not there before, but for what other engines brought that run meanwhile. */
function addedSince(before: readonly string[], { socket }: Engine): readonly string[] {
  const own = nameOf(socket);
  const hasOthers = readdirSync("/run").some((name) => name.startsWith("elastic-engine-") && nameOf(name) !== own);
  const isOthers = (one: string) => (ENGINE.test(one) ? nameOf(one) !== own : hasOthers && SHARED.includes(one));
  return traces().filter((one) => !before.includes(one) && !isOthers(one));
}

function nameOf(text: string): string {
  return ENGINE.exec(text)?.[1] ?? "";
}

test.skipIf(noEngine !== null)(
  "a dedicated engine responds, and leaves nothing behind when it is stopped",
  async () => {
    await removeAbandonedEngines();
    const before = traces();
    let stopped: Engine;
    {
      await using engine = await startOwnEngine();
      stopped = engine;
      const info = (await new Docker({ socketPath: engine.socket }).info()) as { ServerVersion: string };
      expect(info.ServerVersion).toMatch(/\d/);
      expect(addedSince(before, engine)).not.toEqual([]);
    }
    expect(addedSince(before, stopped)).toEqual([]);
  },
);

test.skipIf(noEngine !== null)(
  "an engine that was killed with a container running leaves neither it nor a mount behind",
  async () => {
    await using registry = await startRegistry();
    await removeAbandonedEngines();
    const before = traces();
    let pid = 0;
    let killed: Engine;
    {
      await using engine = await startOwnEngine();
      killed = engine;
      const image = await publishImage(engine.socket, { name: "misbehave", registryHost: registry.host, tag: "test" });
      const container = await new Docker({ socketPath: engine.socket }).createContainer({
        Image: image,
        Env: ["MISBEHAVE=hang"],
        HostConfig: { NetworkMode: "none", Memory: 64 * 1024 * 1024 },
      });
      await container.start();
      pid = (await container.inspect()).State.Pid;
      await engine.kill();
      expect(isRunning(pid)).toBe(true);
    }
    expect(isRunning(pid)).toBe(false);
    expect(addedSince(before, killed)).toEqual([]);
  },
);

test.skipIf(noEngine !== null)("an engine uses no disk of a build that was mounted when it started", async () => {
  using folder = makeWorkFolder();
  const [disk, place] = [join(folder.path, "team.ext4"), join(folder.path, "disks/mounted/team")];
  mkdirSync(place, { recursive: true });
  writeFileSync(disk, "");
  truncateSync(disk, 8 * 1024 * 1024);
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { env: toolEnvironment() }).toString();
  run("mkfs.ext4", "-q", disk);
  run("mount", "-o", "loop", disk, place);
  try {
    await using engine = await startOwnEngine();
    expect(engine.own).toBe(true);
    run("umount", "--lazy", place);
    await expect.poll(() => run("losetup", "--associated", disk)).toBe("");
  } finally {
    spawnSync("umount", ["--lazy", place]);
  }
});
