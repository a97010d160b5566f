/** The drivers of workloads on this machine, each of which reserves GPUs before it starts one. */
import { join } from "node:path";
import { type AgentConfig, ConfigError } from "../config/config.ts";
import { guardDisks } from "../disks/guard-disks.ts";
import type { Driver } from "../domain/driver.ts";
import { type ExecutionLedger, openExecutionLedger } from "../executions/execution-ledger.ts";
import { recordExecutions } from "../executions/record-executions.ts";
import { guardGpus } from "../gpus/guard-gpus.ts";
import { type DockerDriverOptions, dockerDriver } from "../workloads/docker/docker-driver.ts";
import type { Engine } from "../workloads/docker/engine.ts";
import { readHostLimits } from "../workloads/docker/host-limits.ts";
import { lateDriver } from "../workloads/docker/late-driver.ts";
import { kubernetesDriver } from "../workloads/kubernetes/kubernetes-driver.ts";
import { createOn } from "../workloads/podman/create-container.ts";
import { whyNoShells } from "../workloads/shell/can-have-shells.ts";
import { openShellDisks } from "../workloads/shell/shell-disks.ts";
import { type ShellDriverOptions, shellDriver } from "../workloads/shell/shell-driver.ts";
import type { Machine } from "./machine.ts";
import type { Node } from "./open-node.ts";
import type { Supplies } from "./open-supplies.ts";

export interface Drivers {
  /** Of prover images. */
  readonly docker: Driver;
  readonly builtin: Driver;
  readonly shells: Driver;
}

export function openDrivers(
  { config, nodeId, sessionId, socketDir, log }: Node,
  machine: Machine,
  from: Supplies,
  pressure: () => string | null,
  ledger: ExecutionLedger | null,
): Drivers {
  const { engine, cluster, gpus, gpuNodes, builtins } = machine;
  const { pullRight, images, mountVolume } = from;
  const owner = { nodeId, sessionId };
  const wasEndRequested = (containerId: string) => engine.wasEndRequested(containerId);
  const containers = { owner, socketDir, gpuNodes, wasEndRequested, pullRight, images, mountVolume, log };
  const shellParts = { ...containers, ...shellSettings(config) };
  const guarded = (driver: Driver) => guardDisks(driver, pressure);
  const alone = (driver: Driver) => guardGpus(recordExecutions(driver, ledger), gpus);
  const onEngine = lateDriver(engine, (found) => alone(dockerOf(found, containers)));
  // A cluster gives out its GPUs itself.
  const inCluster = cluster && recordExecutions(kubernetesDriver({ ...cluster, owner, log }), ledger);
  return {
    docker: guarded(inCluster ?? onEngine),
    builtin: guarded(alone(builtins.driver)),
    shells: guarded(lateDriver(engine, (found) => alone(shellsOf(found, shellParts)))),
  };
}

/** Null where none is set. */
export function openLedger({ config, nodeId, sessionId, log }: Node): ExecutionLedger | null {
  const { executionLedger: file } = config;
  if (file === null) return null;
  try {
    return openExecutionLedger({ file, nodeId, sessionId, log });
  } catch (error) {
    throw new ConfigError(`ELASTIC_EXECUTION_LEDGER: the file cannot be appended to: ${(error as Error).message}`);
  }
}

function dockerOf(
  engine: Engine,
  options: Omit<DockerDriverOptions, "docker" | "createContainer" | "hostLimits">,
): Driver {
  const createContainer = createOn(engine.docker, engine.name);
  return dockerDriver({ ...options, docker: engine.docker, createContainer, hostLimits: readHostLimits() });
}

/** What shells have in addition to what provers have. */
type ShellSettings = Pick<ShellDriverOptions, "disks" | "whyNot" | "egressRanges">;

function shellSettings({ stateDir, shellEgressRanges: egressRanges }: AgentConfig): ShellSettings {
  return { disks: openShellDisks(join(stateDir, "shells")), whyNot: whyNoShells(), egressRanges };
}

function shellsOf(
  { docker, name, rootId }: Engine,
  options: Omit<ShellDriverOptions, "docker" | "createContainer" | "hostLimits" | "rootId">,
): Driver {
  return shellDriver({
    ...options,
    docker,
    rootId,
    createContainer: createOn(docker, name),
    hostLimits: readHostLimits(),
  });
}
