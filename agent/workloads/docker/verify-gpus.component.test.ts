/** A GPU is there or the workload does not start: a real engine, with a hook that gives what it is configured to. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { publishImage } from "@elastic/deploy/local/image.ts";
import { createLog } from "@elastic/std/log.ts";
import Docker from "dockerode";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OwnEngine, startOwnEngine, whyNoEngineHere } from "../../../test/cluster/engine.ts";
import { programPath } from "../../../test/cluster/machine.ts";
import { type Registry, startRegistry } from "../../../test/cluster/registry.ts";
import type { Driver, Prover } from "../../domain/driver.ts";
import { specOf } from "../../domain/workload-spec.ts";
import type { DeviceNode } from "../../gpus/device-nodes.ts";
import { type FakeHook, fakeRuntimeHook } from "../../gpus/testing/fake-runtime-hook.ts";
import { NO_EVICTIONS } from "../../testing/no-evictions.ts";
import { assignmentOf } from "../../testing/orders.ts";
import { removeTemporaryFolders, temporaryFolder } from "../../testing/temporary-folder.ts";
import { dockerDriver } from "./docker-driver.ts";
import { readHostLimits } from "./host-limits.ts";
import { deviceGroup } from "./verify-gpus.ts";

afterAll(removeTemporaryFolders);

const noEngine = await whyNoEngineHere();
/** The kernel's own /dev/null in the place of a GPU: every container may open it. */
const NULL = { major: 1, minor: 3 };
/** Memory of the machine, which no container may open. */
const FORBIDDEN = { major: 1, minor: 1 };
const NODES: readonly DeviceNode[] = [{ path: "/dev/nvidia0", number: NULL }];

let hook: FakeHook;
let engine: OwnEngine;
let registry: Registry;
let image: string;
let nodes = NODES;
let driver: Driver;
let docker: Docker;

beforeAll(async () => {
  if (noEngine !== null) return;
  hook = fakeRuntimeHook();
  [engine, registry] = await Promise.all([
    startOwnEngine({ path: `${hook.folder}:${programPath()}` }),
    startRegistry(),
  ]);
  docker = new Docker({ socketPath: engine.socket });
  const reference = await publishImage(engine.socket, { name: "misbehave", registryHost: registry.host, tag: "gpu" });
  image = (await docker.getImage(reference).inspect()).RepoDigests[0] ?? "";
  driver = dockerDriver({
    docker,
    owner: { nodeId: "n1", sessionId: "s1" },
    hostLimits: readHostLimits(),
    createContainer: (wanted) => docker.createContainer(wanted),
    gpuNodes: () => nodes,
    socketDir: temporaryFolder(),
    wasEndRequested: () => false,
    pullRight: async () => null,
    images: NO_EVICTIONS,
    mountVolume: async () => null,
    log: createLog({ name: "test", level: "silent" }),
  });
}, 120_000);

afterAll(async () => {
  await registry?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
}, 60_000);

async function start(wanted: readonly DeviceNode[] = NODES): Promise<Prover> {
  nodes = wanted;
  const spec = specOf(assignmentOf(image, { gpuUuids: ["GPU-1"], env: { MISBEHAVE: "echo" } }));
  if (spec === null) throw new Error("the assignment is not understood");
  return driver.start(spec, () => undefined, new AbortController().signal);
}

async function expectFault(message: RegExp, wanted?: readonly DeviceNode[]): Promise<void> {
  await expect(start(wanted)).rejects.toMatchObject({ reason: "gpu_fault", message: expect.stringMatching(message) });
  expect(await docker.listContainers({ all: true })).toEqual([]);
}

describe.skipIf(noEngine !== null)("a container to which a GPU was assigned", { timeout: 60_000 }, () => {
  test("starts with the GPU that was requested of its engine by name", async () => {
    hook.give([{ name: "nvidia0", ...NULL }]);
    const prover = await start();
    expect(readFileSync(join(hook.folder, "requested"), "utf8")).toContain("NVIDIA_VISIBLE_DEVICES=GPU-1");
    await prover.stop();
  });

  test("does not start without it", async () => {
    hook.give([]);
    await expectFault(/nvidia0 is not there/);
  });

  test("does not start with another one", async () => {
    hook.give([{ name: "nvidia0", major: 1, minor: 5 }]);
    await expectFault(/nvidia0 is another device/);
  });

  test("does not start with those of others in addition", async () => {
    hook.give(["nvidia0", "nvidia1"].map((name) => ({ name, ...NULL })));
    await expectFault(/it has GPUs of others: nvidia1/);
  });

  test("does not start where its control group forbids the GPU", async () => {
    hook.give([{ name: "nvidia0", ...FORBIDDEN }]);
    await expectFault(/cannot be opened: Operation not permitted/, [{ path: "/dev/nvidia0", number: FORBIDDEN }]);
  });
});

test("the rules on devices are found in either version of control groups", () => {
  expect(deviceGroup("5:memory:/m\n4:devices:/docker/abc\n0::/\n")).toBe("/sys/fs/cgroup/devices/docker/abc");
  expect(deviceGroup("0::/system.slice/docker-abc.scope\n")).toBe("/sys/fs/cgroup/system.slice/docker-abc.scope");
});
