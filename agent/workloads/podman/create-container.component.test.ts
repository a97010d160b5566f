/** What is requested of Podman. A server stands in for it: what a real one makes of the words is not tested here. */
import { createServer } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import Docker, { type ContainerCreateOptions } from "dockerode";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { specOf } from "../../domain/workload-spec.ts";
import { assignmentOf } from "../../testing/orders.ts";
import { removeTemporaryFolders, temporaryFolder } from "../../testing/temporary-folder.ts";
import { containerPlan } from "../docker/container-config.ts";
import { PROFILE_PATH, SECCOMP_OPTION } from "../seccomp/seccomp-profile.ts";
import { shellContainer } from "../shell/shell-container-config.ts";
import { createOn } from "./create-container.ts";

afterAll(removeTemporaryFolders);

interface Requested {
  readonly path: string;
  readonly body: Record<string, unknown>;
}

async function fakePodman(status = 201): Promise<{ readonly docker: Docker; readonly requested: Requested[] }> {
  const requested: Requested[] = [];
  const socketPath = join(temporaryFolder(), "podman.sock");
  const server = createServer(async (request, response) => {
    requested.push({ path: request.url ?? "", body: (await json(request)) as Record<string, unknown> });
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(status === 201 ? { Id: "c1", Warnings: [] } : { message: "unresolvable CDI devices" }));
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  onTestFinished(() => void server.close());
  return { docker: new Docker({ socketPath }), requested };
}

function plan(gpuUuids: string[]) {
  const spec = specOf(assignmentOf("r/i@sha256:0", { gpuUuids, env: { A: "b=c" } }));
  if (spec === null) throw new Error("the assignment is not understood");
  const on = { host: { openFilesMax: 1_000, processesMax: 1_000 }, data: "/state/volume" };
  return containerPlan(spec, { Config: { Cmd: ["/prover"] } as never }, { nodeId: "n1", sessionId: "s1" }, on).options;
}

test("requests GPUs of Podman in its own words, with every restriction that a container has", async () => {
  const { docker, requested } = await fakePodman();
  const container = await createOn(docker, "podman")(plan(["GPU-1", "MIG-2"]));
  expect(container.id).toBe("c1");
  expect(requested).toHaveLength(1);
  expect(requested[0]?.path).toBe("/v4.0.0/libpod/containers/create");
  expect(requested[0]?.body).toMatchObject({
    devices: [{ path: "nvidia.com/gpu=GPU-1" }, { path: "nvidia.com/gpu=MIG-2" }],
    user: "65534:65534",
    env: { A: "b=c" },
    netns: { nsmode: "none" },
    ipcns: { nsmode: "private" },
    privileged: false,
    cap_drop: ["ALL"],
    no_new_privileges: true,
    seccomp_profile_path: PROFILE_PATH,
    read_only_filesystem: true,
    image_volume_mode: "ignore",
    mounts: [
      {
        destination: "/tmp",
        type: "tmpfs",
        options: ["rw", "nosuid", "nodev", "noexec", "size=16777216", "mode=1777", "U"],
      },
      { destination: "/data", type: "bind", source: "/state/volume", options: ["bind", "ro", "rprivate"] },
    ],
    resource_limits: {
      memory: { limit: 2 ** 28, swap: 2 ** 28 },
      cpu: { period: 100_000, quota: 100_000 },
      pids: { limit: 64 },
    },
    r_limits: expect.arrayContaining([{ type: "core", soft: 0, hard: 0 }]),
    restart_policy: "no",
  });
});

test.each([[[]], [["GPU-1"]]])("a shell's disks are mounted by the runtime, with GPUs %j", async (gpuUuids) => {
  const { docker, requested } = await fakePodman();
  const spec = specOf(assignmentOf("r/i@sha256:0", { gpuUuids }));
  if (spec === null) throw new Error("the assignment is not understood");
  const disks = { home: "/dev/loop7", scratch: "/dev/loop8" };
  const on = { host: { openFilesMax: 1_000, processesMax: 1_000 }, disks };
  await createOn(
    docker,
    "podman",
  )(shellContainer(spec, { Config: {} as never }, { nodeId: "n1", sessionId: "s1" }, on));
  const options = ["nosuid", "nodev", "noatime"];
  expect(requested).toMatchObject([
    {
      path: "/v4.0.0/libpod/containers/create",
      body: {
        mounts: [
          { destination: "/run", type: "tmpfs" },
          { destination: "/var/tmp", type: "tmpfs" },
          { destination: "/home/shell", type: "ext4", source: "/dev/loop7", options },
          { destination: "/tmp", type: "ext4", source: "/dev/loop8", options },
        ],
        devices: gpuUuids.map((uuid) => ({ path: `nvidia.com/gpu=${uuid}` })),
      },
    },
  ]);
});

test("a container without GPU or disk is made as on Docker", async () => {
  const { docker, requested } = await fakePodman();
  await createOn(docker, "podman")(plan([]));
  await createOn(docker, "docker")(plan(["GPU-1"]));
  expect(requested.map(({ path }) => path.split("?", 1)[0])).toEqual(["/containers/create", "/containers/create"]);
  const options = requested.map(({ body }) => (body as ContainerCreateOptions).HostConfig?.SecurityOpt);
  expect(options).toEqual([
    ["no-new-privileges", `seccomp=${PROFILE_PATH}`],
    ["no-new-privileges", SECCOMP_OPTION],
  ]);
  const memory = requested.map(({ body }) => (body as ContainerCreateOptions).HostConfig?.Tmpfs?.["/tmp"]);
  expect(memory).toEqual([
    expect.stringMatching(/,mode=1777,U$/),
    expect.stringMatching(/,mode=1777,uid=65534,gid=65534$/),
  ]);
});

test("reports what Podman refuses in its words", async () => {
  const { docker } = await fakePodman(500);
  await expect(createOn(docker, "podman")(plan(["GPU-1"]))).rejects.toThrow("unresolvable CDI devices");
});
