/** etcd, a coordinator and an agent: what the demo always runs. */
import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { newId } from "@elastic/std/ids.ts";
import { openDevCa } from "../dev-ca.ts";
import { agentProgram, agentReady } from "../local/agent.ts";
import type { Child } from "../local/child.ts";
import { bootstrap, coordinatorProgram, coordinatorReady, type FirstKey, loginLink } from "../local/coordinator.ts";
import { etcdEndpoint, etcdProgram, etcdServes, findEtcd, isRecent } from "../local/etcd.ts";
import { lineWithMessage } from "../local/json-line.ts";
import { removeContainersOf } from "../local/node-containers.ts";
import type { ContainerParts } from "./container-parts.ts";
import { type Enrollment, enrollmentSettings, enrollOwnAgent } from "./enrollment.ts";
import type { Ground } from "./ground.ts";
import { httpPort, USUAL_HTTP_PORT } from "./http-port.ts";
import type { Parts } from "./parts.ts";
import type { RestartRecord } from "./restart-record.ts";

const START_TIMEOUT_MS = 60_000;
/** One a core, as an agent has by default, and room for services of the user in addition to the demo's. */
const SLOTS = availableParallelism() + 4;
/** Nothing waits for it. */
const SCORE_TIMEOUT_MS = 600_000;
const STARTS_MAX = 3;
const NAMES = { user: "demo", team: "demo" };

export async function startEtcd(parts: Parts, { places, restart, path }: Ground): Promise<string> {
  const { path: binary, version } = findEtcd(path);
  if (!isRecent(version)) parts.say(`etcd ${version} is old: install 3.5 or newer for anything but a trial.`);
  const clientPort = await restart.port("etcd");
  const peerPort = await restart.port("etcd-peer");
  const place = { binary, dataDir: places.etcd, clientPort, peerPort, logFile: places.log("etcd") };
  await parts.start("etcd", {
    program: () => etcdProgram(place),
    becomesReady: (child) => child.whileRunning((signal) => etcdServes(etcdEndpoint(place), START_TIMEOUT_MS, signal)),
  });
  return etcdEndpoint(place);
}

export interface Coordinator {
  readonly url: string;
  readonly grpc: string;
  readonly metrics: string;
  readonly firstKey: FirstKey;
}

export async function startCoordinator(
  parts: Parts,
  { places, restart, path }: Ground,
  of: {
    readonly etcd: string;
    readonly registry: string | null;
    readonly keep: boolean;
    readonly settings: Readonly<Record<string, string>>;
    readonly enrollment: Enrollment | null;
  },
): Promise<Coordinator> {
  const firstKey = await keyOf(restart, of.etcd, path);
  mkdirSync(places.coordinator, { recursive: true });
  const { enrollment } = of;
  const tls = enrollment === null ? openDevCa(places.ca).coordinator() : null;
  const choosePorts = async () => ({
    http: await httpPort(restart, of.keep || places.lasting ? USUAL_HTTP_PORT : undefined, parts.say),
    grpc: await restart.port("grpc"),
    metrics: await restart.port("coordinator-metrics"),
  });
  const ports = await startOn(choosePorts, (chosen) =>
    parts.start("coordinator", {
      program: () =>
        coordinatorProgram({
          name: "coordinator",
          etcd: [of.etcd],
          ports: chosen,
          blobsDir: places.blobs,
          secretsKeyFile: places.secretsKeyFile,
          tls,
          registryHost: of.registry,
          logFile: places.log("coordinator"),
          path,
          settings: {
            ...of.settings,
            ...(enrollment === null ? {} : enrollmentSettings(enrollment, chosen.grpc)),
          },
        }),
      becomesReady: (child) => coordinatorReady(child, START_TIMEOUT_MS),
    }),
  );
  const at = (port: number): string => `127.0.0.1:${port}`;
  return {
    url: `http://${at(ports.http)}`,
    grpc: `${enrollment?.address ?? "127.0.0.1"}:${ports.grpc}`,
    metrics: `http://${at(ports.metrics)}/metrics`,
    firstKey,
  };
}

/** The key of the earlier start, or the first one of an empty store. */
async function keyOf(restart: RestartRecord, etcd: string, path: string): Promise<FirstKey> {
  const { firstKey } = restart.facts();
  if (firstKey !== undefined) return firstKey;
  const made = await bootstrap({ etcd: [etcd], path }, NAMES);
  restart.set({ firstKey: made });
  return made;
}

/** Chooses again where another program took a port meanwhile, as a second demo does that starts at the same time. */
async function startOn<P>(choose: () => Promise<P>, start: (ports: P) => Promise<void>): Promise<P> {
  for (let tries = 1; ; tries += 1) {
    const ports = await choose();
    try {
      await start(ports);
      return ports;
    } catch (error) {
      if (tries === STARTS_MAX || !String(error).includes("another program listens there")) throw error;
    }
  }
}

/** Opened in a browser, it logs the demo's user in. */
export function demoLoginLink(of: {
  readonly path: string;
  readonly etcd: string;
  readonly url: string;
}): Promise<string> {
  return loginLink({ etcd: [of.etcd], path: of.path }, { user: NAMES.user, url: of.url });
}

/** Starts an agent that is linked to the coordinator; returns the address of its metrics. */
export async function startAgent(
  parts: Parts,
  ground: Ground,
  of: {
    readonly etcd: string;
    readonly grpc: string;
    readonly enrollment: Enrollment | null;
    readonly containers: ContainerParts | null;
    /** ELASTIC_ACCEL_LIBRARY of the agent, which measures its node some seconds after its start. */
    readonly accelLibrary: string;
  },
): Promise<string> {
  const { places, restart, path } = ground;
  const nodeId = restart.facts().nodeId ?? newId(Date.now());
  restart.set({ nodeId });
  const metricsPort = await restart.port("agent-metrics");
  const { containers, enrollment } = of;
  const tls = enrollment === null ? openDevCa(places.ca).node(nodeId) : null;
  mkdirSync(places.agent, { recursive: true });
  if (enrollment !== null) await enrollOwnAgent(enrollment, { etcd: of.etcd, nodeId }, ground);
  if (containers !== null && !containers.ownEngine) {
    parts.atEnd(() => removeContainersOf(containers.engineSocket, nodeId));
  }
  await parts.start("agent", {
    program: () =>
      agentProgram({
        name: "agent",
        coordinators: enrollment === null ? [of.grpc] : [],
        tls,
        stateDir: places.agent,
        engineSocket: containers?.engineSocket ?? null,
        metricsPort,
        logFile: places.log("agent"),
        path,
        settings: { ELASTIC_SLOTS: String(SLOTS), ELASTIC_ACCEL_LIBRARY: of.accelLibrary },
      }),
    async becomesReady(child) {
      await agentReady(child, START_TIMEOUT_MS);
      await child.line(lineWithMessage("linked"), START_TIMEOUT_MS);
      void sayScore(child, parts);
    },
  });
  return `http://127.0.0.1:${metricsPort}/metrics`;
}

/** Nothing where there is no acceleration library, or the demo ends before. */
async function sayScore(child: Child, parts: Parts): Promise<void> {
  const measured = await child.line(lineWithMessage("a device was measured"), SCORE_TIMEOUT_MS).catch(() => null);
  if (measured !== null) parts.say(`\nThe node was measured. Score ${measured.score}: ${measured.device}.`);
}
