import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { startCluster } from "../cluster/cluster.ts";
import { whyNoEngineHere } from "../cluster/engine.ts";

const noEngine = await whyNoEngineHere();

const MIB = 1024 * 1024;
const NO_CAPABILITIES = "0000000000000000";
/** Address of the host on Docker's default bridge, where there is one. */
const USUAL_BRIDGE = "172.17.0.1";

/** What the misbehave image reports of its surroundings; see provers/misbehave/src/probe.rs. */
interface Report {
  readonly status: Readonly<Record<string, string>>;
  readonly writable: Readonly<Record<string, boolean>>;
  readonly mounts: readonly string[];
  readonly cgroup: Readonly<Record<string, string>>;
  readonly limits: Readonly<Record<string, readonly string[]>>;
  readonly interfaces: readonly string[];
  readonly connect: Readonly<Record<string, string>>;
  readonly env: readonly string[];
  readonly devices: readonly string[];
  readonly root: readonly string[];
}

test.skipIf(noEngine !== null)(
  "a prover in a container has no privilege, no network, and no more than it was given",
  async () => {
    await using cluster = await startCluster({ engine: true });
    const client = cluster.client();
    const service = await client.readyService("probe", {
      image: await cluster.publish("misbehave"),
      env: { MISBEHAVE: "probe" },
      resources: { memory_bytes: 64 * MIB, pids: 32, cpu_millis: 500, tmp_bytes: 8 * MIB },
    });
    const listener = await listenEverywhere();
    const coordinator = cluster.coordinators[0];
    const targets = [
      new URL(coordinator?.url ?? "").host,
      coordinator?.grpc ?? "",
      new URL(cluster.etcd.endpoint).host,
      ...[...hostAddresses(), USUAL_BRIDGE].map((address) => `${address}:${listener.port}`),
      "192.0.2.1:80",
    ];
    const task = await client.prove(service.service_id, JSON.stringify({ connect: targets }));
    listener.server.close();
    expect(task.failure).toBe(null);
    const report = JSON.parse(task.result ?? "") as Report;

    for (const set of ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"])
      expect(report.status[set], set).toBe(NO_CAPABILITIES);
    expect(report.status.NoNewPrivs).toBe("1");
    expect(report.status.Seccomp).toBe("2");
    expect(report.status.Uid).not.toMatch(/\b0\b/);
    expect(report.status.Gid).not.toMatch(/\b0\b/);

    expect(report.writable).toMatchObject({ "/": false, "/etc": false, "/tmp": true });
    expect(report.mounts.find((mount) => mount.split(" ")[4] === "/")).toMatch(/ \/ ro,/);
    expect(report.mounts.filter((mount) => /docker\.sock|\/var\/run/.test(mount))).toEqual([]);

    expect(memoryLimit(report)).toBe(64 * MIB);
    expect(pidsLimit(report)).toBe(32);
    expect(cpuShare(report)).toBeCloseTo(0.5);
    expect(Number(report.limits["Max open files"]?.[1])).toBeLessThanOrEqual(1024 * 1024);
    expect(report.limits["Max core file size"]).toEqual(["0", "0"]);

    expect(report.interfaces).toEqual(["lo"]);
    expect(Object.keys(report.connect).sort()).toEqual([...new Set(targets)].sort());
    expect(Object.entries(report.connect).filter(([, outcome]) => outcome === "connected")).toEqual([]);
    expect(listener.connections()).toBe(0);

    expect(report.env.filter((name) => /KEY|SECRET|TOKEN|ETCD|TLS/.test(name))).toEqual([]);
    expect(report.devices.filter((name) => /^(sd|vd|nvme|mem|kmsg|fuse)/.test(name))).toEqual([]);
  },
);

/** A listener on every address of this machine: what a container must not reach by any of them. */
async function listenEverywhere(): Promise<{ server: Server; port: number; connections: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  server.listen(0, "0.0.0.0");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { server, port: address.port, connections: () => connections };
}

function hostAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).flatMap(({ family, address }) => (family === "IPv4" ? [address] : [])),
  );
}

/** In version 1 of cgroups, else in version 2. */
function memoryLimit({ cgroup }: Report): number {
  return Number(cgroup["/sys/fs/cgroup/memory/memory.limit_in_bytes"] ?? cgroup["/sys/fs/cgroup/memory.max"]);
}

function pidsLimit({ cgroup }: Report): number {
  return Number(cgroup["/sys/fs/cgroup/pids/pids.max"] ?? cgroup["/sys/fs/cgroup/pids.max"]);
}

function cpuShare({ cgroup }: Report): number {
  const [quota, period] = cgroup["/sys/fs/cgroup/cpu.max"]?.split(" ") ?? [
    cgroup["/sys/fs/cgroup/cpu/cpu.cfs_quota_us"],
    cgroup["/sys/fs/cgroup/cpu/cpu.cfs_period_us"],
  ];
  return Number(quota) / Number(period);
}
