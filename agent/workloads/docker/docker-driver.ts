/** Runs provers as containers of this machine's engine. */
import type { Logger } from "@elastic/std/log.ts";
import type { Driver, Prover } from "../../domain/driver.ts";
import type { ReportProgress } from "../../domain/start-progress.ts";
import type { WorkloadSpec } from "../../domain/workload-spec.ts";
import type { GpuNodes } from "../../gpus/device-nodes.ts";
import type { CreateContainer } from "../podman/create-container.ts";
import { type BroughtIn, bringIn, type Suppliers } from "./bring-in.ts";
import { type ContainerOwner, containerPlan, LABELS, SHELL_KIND } from "./container-config.ts";
import { assertGpusGiven, assertNoVolumes, engineFailure } from "./engine-failure.ts";
import { enterContainer, relayPlace } from "./enter-container.ts";
import { foundContainer } from "./found-container.ts";
import type { HostLimits } from "./host-limits.ts";
import { removeContainer } from "./remove-container.ts";

export interface DockerDriverOptions extends Suppliers {
  readonly createContainer: CreateContainer;
  readonly owner: ContainerOwner;
  readonly hostLimits: HostLimits;
  readonly gpuNodes: GpuNodes;
  /** Whether anybody requested the end of that container. */
  readonly wasEndRequested: (containerId: string) => boolean;
  /** Where relays listen; its path is short, since a socket's may have 107 bytes. */
  readonly socketDir: string;
  readonly log: Logger;
}

export function dockerDriver(options: DockerDriverOptions): Driver {
  const { docker, owner } = options;
  /** Containers of an earlier process that this one has taken over. */
  const adopted = new Set<string>();

  return {
    name: "docker",
    find: async () => {
      const filters = { label: [`${LABELS.node}=${owner.nodeId}`] };
      const all = await docker.listContainers({ all: true, filters });
      return all
        .filter(({ Labels }) => Labels[LABELS.kind] !== SHELL_KIND)
        .filter(({ Id, Labels }) => Labels[LABELS.session] !== owner.sessionId && !adopted.has(Id))
        .map(({ Id, Labels }) => foundContainer(options, Id, Labels[LABELS.assignment] ?? "", adopted));
    },
    start: (spec, report, signal) => start(options, spec, report, signal),
  };
}

async function start(
  options: DockerDriverOptions,
  spec: WorkloadSpec,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<Prover> {
  const brought = await bringIn(options, spec, report, signal);
  try {
    const prover = await startContainer(options, spec, brought, { report, signal });
    void prover.ended.then(() => brought.volume?.release());
    return prover;
  } catch (error) {
    brought.volume?.release();
    throw error;
  }
}

async function startContainer(
  options: DockerDriverOptions,
  spec: WorkloadSpec,
  { image, volume, bytes }: BroughtIn,
  { report, signal }: { readonly report: ReportProgress; readonly signal: AbortSignal },
): Promise<Prover> {
  const { createContainer, owner, hostLimits, log } = options;
  report({ step: "starting", doneBytes: bytes, totalBytes: bytes });
  const on = { host: hostLimits, data: volume?.path ?? null };
  const { options: wanted, env } = containerPlan(spec, image, owner, on);
  if (env.leftOut.length > 0) {
    log.warn({ assignmentId: spec.assignmentId, names: env.leftOut }, "variables of the deployment were left out");
  }
  const container = await createContainer(wanted).catch((error: unknown) => {
    throw engineFailure("created", error, spec);
  });
  try {
    await assertNoVolumes(container);
    await container.start().catch((error: unknown) => {
      throw engineFailure("started", error, spec);
    });
    await assertGpusGiven(container, spec, options.gpuNodes);
    const checking = { step: "checking", doneBytes: bytes, totalBytes: bytes } as const;
    report(checking);
    return await enterContainer(container, relayPlace(options.socketDir, spec, container.id), {
      endRequested: () => options.wasEndRequested(container.id),
      report: (signs) => report({ ...checking, checking: signs }),
      signal,
    });
  } catch (error) {
    await removeContainer(container);
    throw error;
  }
}
