/**
 * What schedules and runs the Pods of a test's cluster: a scheduler that gives every Pod to the one node, and a kubelet that runs
 * its container on an engine of this machine. A Pod's address is one of the loopback network, at which its container's port is
 * relayed; nothing enforces NetworkPolicies here.
 */
import { once } from "node:events";
import { connect, createServer as createNetServer, type Server } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Relay, startRelay } from "@elastic/agent/workloads/docker/relay.ts";
import type { Pod } from "@elastic/agent/workloads/kubernetes/pod.ts";
import Docker from "dockerode";
import type { KubeAdmin } from "./kube-admin.ts";
import { type LogEndpoint, serveLogs } from "./kubelet-logs.ts";

export interface StandInKubelet extends AsyncDisposable {
  /** False: no Pod gets a node, as in a cluster that is full. */
  schedules: boolean;
  /** Ends the Pod's container and reports the Pod as a kubelet does that needs its memory. */
  evict(podName: string): Promise<void>;
  /** Kills the Pod's container and says nothing of it meanwhile. */
  container(podName: string): Docker.Container;
}

export interface KubeletOptions {
  readonly admin: KubeAdmin;
  readonly engineSocket: string;
  readonly namespace: string;
  readonly nodeName: string;
  readonly allocatable: Readonly<Record<string, string>>;
  readonly tls: { readonly certFile: string; readonly keyFile: string };
  /** For the sockets of relays. */
  readonly folder: string;
}

interface RunningPod {
  readonly container: Docker.Container;
  readonly relay: Relay;
  readonly server: Server;
  readonly ip: string;
}

interface Manifest extends Pod {
  readonly spec: {
    readonly nodeName?: string;
    readonly containers: readonly [
      {
        readonly name: string;
        readonly image: string;
        readonly env: readonly { readonly name: string; readonly value: string }[];
        readonly resources: { readonly limits: { readonly memory: string } };
      },
    ];
  };
}

const TURN_MS = 100;
const PROVER_PORT = 8080;
const CONNECTIONS_MAX = 64;
const RUN_AS = "65534:65534";

export async function startStandInKubelet(options: KubeletOptions): Promise<StandInKubelet> {
  const { admin, namespace, nodeName, allocatable } = options;
  const docker = new Docker({ socketPath: options.engineSocket });
  const running = new Map<string, RunningPod>();
  const begun = new Set<string>();
  const over = new Set<string>();
  const unscheduled = new Set<string>();
  const podsPath = `/api/v1/namespaces/${namespace}/pods`;
  const logs: LogEndpoint = await serveLogs(options.tls, (podName) => running.get(podName)?.container ?? null);
  await admin.create("/api/v1/nodes", { apiVersion: "v1", kind: "Node", metadata: { name: nodeName } });
  await admin.patchStatus(`/api/v1/nodes/${nodeName}`, {
    capacity: allocatable,
    allocatable,
    addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
    daemonEndpoints: { kubeletEndpoint: { Port: logs.port } },
    conditions: [{ type: "Ready", status: "True", reason: "KubeletReady", message: "" }],
  });
  let stopped = false;
  let lastAddress = 0;

  const report = (name: string, status: object): Promise<void> => admin.patchStatus(`${podsPath}/${name}`, status);

  const schedule = async ({ metadata: { name } }: Manifest): Promise<void> => {
    if (kubelet.schedules) {
      const target = { apiVersion: "v1", kind: "Node", name: nodeName };
      await admin.create(`${podsPath}/${name}/binding`, {
        apiVersion: "v1",
        kind: "Binding",
        metadata: { name },
        target,
      });
      return;
    }
    if (unscheduled.has(name)) return;
    unscheduled.add(name);
    const message = "0/1 nodes are available: 1 Insufficient nvidia.com/gpu.";
    await report(name, {
      conditions: [
        {
          type: "PodScheduled",
          status: "False",
          reason: "Unschedulable",
          message,
          lastTransitionTime: new Date().toISOString(),
        },
      ],
    });
  };

  const run = async (pod: Manifest): Promise<void> => {
    const { name } = pod.metadata;
    const [{ image }] = pod.spec.containers;
    const waiting = (reason: string, message = "") => statusOf(pod, { waiting: { reason, message } }, "Pending");
    await report(name, waiting("ContainerCreating"));
    try {
      await pull(docker, image);
    } catch (error) {
      begun.delete(name);
      await report(name, waiting("ErrImagePull", (error as Error).message));
      return;
    }
    const container = await docker.createContainer(containerOf(pod));
    await container.start();
    const { Pid } = (await container.inspect()).State;
    lastAddress += 1;
    const ip = `127.77.0.${lastAddress}`;
    const socketPath = join(options.folder, `pod-${lastAddress}.sock`);
    const relay = await startRelay({ pid: Pid, port: PROVER_PORT, socketPath, connectionsMax: CONNECTIONS_MAX });
    const server = await listenAt(ip, socketPath);
    running.set(name, { container, relay, server, ip });
    await report(name, {
      ...statusOf(pod, { running: { startedAt: new Date().toISOString() } }, "Running"),
      podIP: ip,
      podIPs: [{ ip }],
    });
  };

  const end = async (name: string): Promise<void> => {
    const pod = running.get(name);
    running.delete(name);
    if (pod === undefined) return;
    await pod.container.remove({ force: true }).catch(() => undefined);
    await pod.relay.stop();
    pod.server.close();
  };

  const watch = async (pod: Manifest): Promise<void> => {
    const { name } = pod.metadata;
    const { State } = (await running.get(name)?.container.inspect()) ?? {};
    if (State === undefined || State.Running || over.has(name)) return;
    over.add(name);
    const reason = State.OOMKilled ? "OOMKilled" : State.ExitCode === 0 ? "Completed" : "Error";
    await report(
      name,
      statusOf(
        pod,
        { terminated: { exitCode: State.ExitCode, reason } },
        State.ExitCode === 0 ? "Succeeded" : "Failed",
      ),
    );
  };

  const step = async (pod: Manifest): Promise<void> => {
    const { name, deletionTimestamp } = pod.metadata;
    if (deletionTimestamp !== undefined) {
      await end(name);
      await admin.delete(`${podsPath}/${name}`);
    } else if (pod.spec.nodeName === undefined) await schedule(pod);
    else if (running.has(name)) await watch(pod);
    else if (!begun.has(name)) {
      begun.add(name);
      await run(pod);
    }
  };

  const loop = async (): Promise<void> => {
    while (!stopped) {
      // The API server of a test goes and comes back.
      const pods = await admin.get<{ readonly items: readonly Manifest[] }>(podsPath).catch(() => null);
      await Promise.all((pods?.items ?? []).map((pod) => step(pod).catch(() => undefined)));
      // What was force-deleted has no record any more.
      const names = new Set(pods?.items.map(({ metadata }) => metadata.name));
      if (pods !== null) for (const name of running.keys()) if (!names.has(name)) await end(name);
      await delay(TURN_MS);
    }
  };
  const kubelet: StandInKubelet = {
    schedules: true,
    evict: async (podName) => {
      over.add(podName);
      await running.get(podName)?.container.kill({ signal: "SIGKILL" });
      await report(podName, {
        phase: "Failed",
        reason: "Evicted",
        message: "The node was low on resource: memory.",
        containerStatuses: [],
      });
    },
    container: (podName) => {
      const pod = running.get(podName);
      if (pod === undefined) throw new Error(`the Pod ${podName} does not run`);
      return pod.container;
    },
    async [Symbol.asyncDispose]() {
      stopped = true;
      await looping;
      for (const name of [...running.keys()]) await end(name);
      logs.close();
    },
  };
  const looping = loop();
  return kubelet;
}

function statusOf({ spec }: Manifest, state: object, phase: string): object {
  const [{ name, image }] = spec.containers;
  const isRunning = "running" in state;
  return {
    phase,
    conditions: [{ type: "PodScheduled", status: "True", lastTransitionTime: new Date().toISOString() }],
    containerStatuses: [{ name, image, imageID: image, ready: isRunning, restartCount: 0, started: isRunning, state }],
  };
}

/** As far as an engine has what the manifest demands and tests look at. */
function containerOf({ spec }: Manifest): Docker.ContainerCreateOptions {
  const [{ image, env, resources }] = spec.containers;
  const memory = Number(resources.limits.memory);
  return {
    Image: image,
    User: RUN_AS,
    // As a kubelet expands them.
    Env: env.map(({ name, value }) => `${name}=${value.replaceAll("$$", "$")}`),
    HostConfig: {
      NetworkMode: "none",
      ReadonlyRootfs: true,
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
      Tmpfs: { "/tmp": "rw,mode=1777" },
      Memory: memory,
      MemorySwap: memory,
    },
  };
}

async function pull(docker: Docker, image: string): Promise<void> {
  if (
    await docker
      .getImage(image)
      .inspect()
      .catch(() => null)
  )
    return;
  const stream = await docker.pull(image);
  await new Promise<void>((resolve, reject) => {
    docker.modem.followProgress(stream, (error) => (error ? reject(error) : resolve()));
  });
}

async function listenAt(host: string, socketPath: string): Promise<Server> {
  const server = createNetServer({ allowHalfOpen: true }, (socket) => {
    const inside = connect({ path: socketPath, allowHalfOpen: true });
    socket.on("error", () => inside.destroy()).on("close", () => inside.destroy());
    inside.on("error", () => socket.destroy()).on("close", () => socket.destroy());
    socket.pipe(inside).pipe(socket);
  });
  server.listen(PROVER_PORT, host);
  await once(server, "listening");
  return server;
}
