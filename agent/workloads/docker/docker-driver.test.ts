/**
 * What the driver does with an engine that does not do what it was requested to do; docker.component.test.ts has a real
 * one.
 */
import { createLog } from "@elastic/std/log.ts";
import type Docker from "dockerode";
import { expect, test } from "vitest";
import { specOf } from "../../domain/workload-spec.ts";
import { NO_EVICTIONS } from "../../testing/no-evictions.ts";
import { assignmentOf } from "../../testing/orders.ts";
import { dockerDriver } from "./docker-driver.ts";

test("a container that was given a volume all the same is removed before it starts", async () => {
  const done: string[] = [];
  const container = {
    inspect: async () => ({
      Mounts: [
        { Type: "tmpfs", Destination: "/tmp" },
        { Type: "volume", Destination: "/data" },
      ],
    }),
    start: async () => void done.push("started"),
    remove: async ({ v }: { readonly v: boolean }) => void done.push(v ? "removed with its volumes" : "removed"),
  };
  const docker = {
    getImage: () => ({ inspect: async () => ({ Config: { Cmd: ["/prover"] } }) }),
    createContainer: async () => container,
  } as unknown as Docker;
  const driver = dockerDriver({
    docker,
    owner: { nodeId: "n1", sessionId: "s1" },
    hostLimits: { openFilesMax: 1_000, processesMax: 1_000 },
    createContainer: (wanted) => docker.createContainer(wanted),
    gpuNodes: () => [],
    socketDir: "/nowhere",
    wasEndRequested: () => false,
    pullRight: async () => null,
    images: NO_EVICTIONS,
    mountVolume: async () => null,
    log: createLog({ name: "test", level: "silent" }),
  });
  const spec = specOf(assignmentOf("r/i@sha256:0"));
  if (spec === null) throw new Error("the assignment is not understood");
  const starting = driver.start(spec, () => undefined, new AbortController().signal);
  await expect(starting).rejects.toThrow("volumes on the host's disk for /data");
  expect(done).toEqual(["removed with its volumes"]);
});
