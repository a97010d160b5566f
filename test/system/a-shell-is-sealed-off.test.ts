import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { containersOf } from "@elastic/deploy/local/node-containers.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { type Engine, startEngine, whyNoEngineHere } from "../cluster/engine.ts";
import { inContainer } from "../cluster/in-container.ts";
import { importImage } from "../cluster/package-image.ts";
import { createShell, readyShell, shellOf } from "../cluster/shell.ts";
import { importShellImage } from "../cluster/shell-image.ts";

const noEngine = await whyNoEngineHere();

const MIB = 1024 * 1024;
const WITHIN = { timeout: 90_000 };
/** Servers, distinguished by their port. */
const allowed = serving("allowed");
const other = serving("other");

const parts = new AsyncDisposableStack();
let engine: Engine;
let cluster: Cluster;

beforeAll(async () => {
  if (noEngine !== null) return;
  for (const server of [allowed, other]) {
    server.listen(0, "0.0.0.0");
    await once(server, "listening");
    parts.defer(() => void server.close());
  }
  engine = parts.use(await startEngine());
  const image = await importShellImage(engine.socket);
  const bare = await importImage(engine.socket, "elastic-bare", () => ({ files: ["/etc/passwd"], renames: [] }));
  cluster = parts.use(
    await startCluster({
      engine,
      coordinatorSettings: {
        ELASTIC_SHELL_IMAGES: `base=${image},bare=${bare},gone=127.0.0.1:1/gone:1`,
        ELASTIC_SHELL_EGRESS: `127.0.0.1:${portOf(allowed)},*:443`,
      },
      agentSettings: { ELASTIC_SHELL_EGRESS_RANGES: "127.0.0.1", ELASTIC_SLOTS: "8" },
    }),
  );
}, 180_000);
afterAll(() => parts.disposeAsync());

/** Runs commands in the container that is there since `create` was called. */
async function shellWith(options: object): Promise<(command: string) => Promise<string>> {
  const nodeId = cluster.agents[0]?.nodeId ?? "";
  const before = (await containersOf(engine.socket, nodeId)).map(({ Id }) => Id);
  await readyShell(cluster.client(), { home_bytes: 64 * MIB, ...options });
  const [made] = (await containersOf(engine.socket, nodeId)).filter(({ Id }) => !before.includes(Id));
  return (command) => inContainer(engine.socket, made?.Id ?? "", command);
}

describe.skipIf(noEngine !== null)("a shell", { timeout: 240_000 }, () => {
  test("has no privilege, no network, and no more than it was given", async () => {
    const run = await shellWith({ memory_bytes: 128 * MIB, cpu_millis: 500 });
    const status = await run("cat /proc/self/status");
    for (const set of ["Inh", "Prm", "Eff", "Bnd", "Amb"]) expect(status).toMatch(new RegExp(`Cap${set}:\\t0{16}\\n`));
    expect(status).toMatch(/\nNoNewPrivs:\t1\nSeccomp:\t2\n/);
    expect(status).toMatch(/\nUid:(\t65534){4}\nGid:(\t65534){4}\n/);

    expect(await run("for at in / /etc /usr /proc/sys/kernel; do touch $at/x 2>/dev/null && echo $at; done")).toBe("");
    expect(await run("for at in ~ /tmp /var/tmp; do touch $at/x && echo $at; done")).toBe(
      "/home/shell\n/tmp\n/var/tmp\n",
    );
    const mounts = await run("cat /proc/self/mountinfo");
    expect(mounts.split("\n").find((mount) => mount.split(" ")[4] === "/")).toMatch(/ \/ ro,/);
    for (const at of ["/home/shell", "/tmp"]) {
      const mount = mounts.split("\n").find((line) => line.split(" ")[4] === at);
      expect(mount).toMatch(/ rw,nosuid,nodev,noatime - |nosuid,nodev.* - ext4 \/dev\/loop/);
    }
    expect(mounts).not.toMatch(/docker\.sock|\/var\/run/);

    const group = (name: string, older: string) =>
      run(`cat /sys/fs/cgroup/${name} 2>/dev/null || cat /sys/fs/cgroup/${older}`);
    expect(await group("memory.max", "memory/memory.limit_in_bytes")).toBe(`${128 * MIB}\n`);
    expect(await group("pids.max", "pids/pids.max")).toBe("2048\n");
    expect(await group("cpu.max", "cpu/cpu.cfs_quota_us")).toMatch(/^50000\b/);
    expect(await run("ulimit -c")).toBe("0\n");

    expect(await run("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '")).toBe("lo\n");
    expect(await run("cat /proc/net/route | tail -n +2")).toBe("");
    expect(await run("cat /proc/net/tcp | tail -n +2")).toBe("");
    expect(await run("env")).not.toMatch(/proxy|KEY|SECRET|TOKEN|ETCD|TLS/i);
    expect(await run("ls /dev")).not.toMatch(/\b(sd|vd|nvme|loop|mem|kmsg|fuse)/);
    const output = await run(`socat -T2 - TCP4:127.0.0.1:${portOf(allowed)} </dev/null 2>&1 || echo none`);
    expect(output).toContain("none");
  });

  test("connects to the hosts of its list and nowhere else, also after its agent was killed", async () => {
    const here = `127.0.0.1:${portOf(allowed)}`;
    const run = await shellWith({ egress: [here, "crates.io"], memory_bytes: 128 * MIB });
    expect(await run("echo $http_proxy $https_proxy")).toBe("http://127.0.0.1:3128 http://127.0.0.1:3128\n");
    const through = (host: string, port: number) =>
      run(`socat - PROXY:127.0.0.1:${host}:${port},proxyport=3128 </dev/null 2>&1`);
    expect(await through("127.0.0.1", portOf(allowed))).toBe("allowed");
    expect(await through("127.0.0.1", portOf(other))).toContain("Forbidden");
    expect(await through("static.crates.io", 443)).toContain("Forbidden");
    expect(await through("169.254.169.254", 443)).toContain("Forbidden");
    expect(await run(`socat - TCP4:127.0.0.1:${portOf(allowed)} </dev/null 2>&1`)).toContain("Connection refused");
    // In clear, as http_proxy is used.
    const request = `GET http://127.0.0.1:${portOf(other)}/ HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n`;
    expect(await run(`printf '${request}' | socat -t2 - TCP4:127.0.0.1:3128`)).toMatch(/^HTTP\/1\.1 403 /);

    const [agent] = cluster.agents;
    await agent?.kill();
    await agent?.start();
    await agent?.linked();
    await expect.poll(() => through("127.0.0.1", portOf(allowed)), WITHIN).toBe("allowed");
  });

  test("whose image cannot be pulled, or has no /bin/sh, fails with a message that states it", async () => {
    const client = cluster.client();
    const failing = async (image: string) => {
      const id = await createShell(client, { image, home_bytes: 64 * MIB });
      await expect.poll(async () => (await shellOf(client, id)).state, WITHIN).toBe("FAILED");
      return (await shellOf(client, id)).failure;
    };
    expect(await failing("gone")).toMatchObject({ reason: "image_unavailable" });
    expect(await failing("bare")).toMatchObject({
      reason: "image_unavailable",
      message: expect.stringContaining("the image cannot be a shell's, which needs its /bin/sh"),
    });
  });
});

function serving(text: string): Server {
  return createServer((socket) => {
    socket.on("error", () => undefined);
    socket.end(text);
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
