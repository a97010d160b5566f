import { existsSync, readdirSync, readFileSync } from "node:fs";
import { removeAbandonedEngines } from "@elastic/deploy/local/engine.ts";
import { publishImage } from "@elastic/deploy/local/image.ts";
import Docker from "dockerode";
import { expect, test } from "vitest";
import { startOwnEngine, whyNoEngineHere } from "./engine.ts";
import { startRegistry } from "./registry.ts";

const noEngine = await whyNoEngineHere();

/** A zombie process has no command line. */
function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
}

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

test.skipIf(noEngine !== null)(
  "a dedicated engine responds, and leaves nothing behind when it is stopped",
  async () => {
    await removeAbandonedEngines();
    const before = traces();
    {
      await using engine = await startOwnEngine();
      const info = (await new Docker({ socketPath: engine.socket }).info()) as { ServerVersion: string };
      expect(info.ServerVersion).toMatch(/\d/);
      expect(traces()).not.toEqual(before);
    }
    expect(traces()).toEqual(before);
  },
);

test.skipIf(noEngine !== null)(
  "an engine that was killed with a container running leaves neither it nor a mount behind",
  async () => {
    await using registry = await startRegistry();
    await removeAbandonedEngines();
    const before = traces();
    let pid = 0;
    {
      await using engine = await startOwnEngine();
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
    expect(traces()).toEqual(before);
  },
);
