import { existsSync, readdirSync, readFileSync } from "node:fs";
import Docker from "dockerode";
import { expect, test } from "vitest";
import { startOwnEngine, whyNoEngineHere } from "./engine.ts";

const noEngine = await whyNoEngineHere();

/** What an engine could leave behind on a machine. */
function traces(): readonly string[] {
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  const places = ["/etc/docker", "/opt", "/run"].flatMap((folder) =>
    existsSync(folder) ? readdirSync(folder).map((name) => `${folder}/${name}`) : [],
  );
  return [...mounts, ...places, ...readdirSync("/sys/fs/cgroup"), ...readdirSync("/sys/class/net")].sort();
}

test.skipIf(noEngine !== null)(
  "an engine of the test's own answers, and leaves nothing behind when it is stopped",
  async () => {
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
