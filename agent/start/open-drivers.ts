/** The drivers of workloads on this machine, each of which reserves GPUs before it starts one. */
import { join } from "node:path";
import type { AgentConfig } from "../config/config.ts";
import { guardDisks } from "../disks/guard-disks.ts";
import type { Driver } from "../domain/driver.ts";
import { guardGpus } from "../gpus/guard-gpus.ts";
import { type DockerDriverOptions, dockerDriver } from "../workloads/docker/docker-driver.ts";
import type { Engine } from "../workloads/docker/engine.ts";
import { readHostLimits } from "../workloads/docker/host-limits.ts";
import { lateDriver } from "../workloads/docker/late-driver.ts";
import { createOn } from "../workloads/podman/create-container.ts";
import { whyNoShells } from "../workloads/shell/can-have-shells.ts";
import { openShellDisks } from "../workloads/shell/shell-disks.ts";
import { type ShellDriverOptions, shellDriver } from "../workloads/shell/shell-driver.ts";
import type { Machine } from "./machine.ts";
import type { Node } from "./open-node.ts";
import type { Supplies } from "./open-supplies.ts";

export interface Drivers {
  readonly docker: Driver;
  readonly builtin: Driver;
  readonly shells: Driver;
}

export function openDrivers(
  { config, nodeId, sessionId, socketDir, log }: Node,
  machine: Machine,
  from: Supplies,
  pressure: () => string | null,
): Drivers {
  const { engine, gpus, gpuNodes, builtins } = machine;
  const { pullRight, images, mountVolume } = from;
  const owner = { nodeId, sessionId };
  const wasEndRequested = (containerId: string) => engine.wasEndRequested(containerId);
  const containers = { owner, socketDir, gpuNodes, wasEndRequested, pullRight, images, mountVolume, log };
  const shellParts = { ...containers, ...shellSettings(config) };
  const guarded = (driver: Driver) => guardDisks(driver, pressure);
  return {
    docker: guarded(lateDriver(engine, (found) => guardGpus(dockerOf(found, containers), gpus))),
    builtin: guarded(guardGpus(builtins.driver, gpus)),
    shells: guarded(lateDriver(engine, (found) => guardGpus(shellsOf(found, shellParts), gpus))),
  };
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
