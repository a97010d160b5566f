/** What a container is created with: the image's program inside the platform's sandbox. */
import { createHash } from "node:crypto";
import type { ContainerCreateOptions, ImageInspectInfo } from "dockerode";
import { StartFailure } from "../../domain/start-failure.ts";
import type { WorkloadSpec } from "../../domain/workload-spec.ts";
import { type ContainerEnv, containerEnv } from "./container-env.ts";
import { CONTAINER_USER, containerLimits, DATA_FOLDER } from "./container-limits.ts";
import type { HostLimits } from "./host-limits.ts";
import { imageVolumes } from "./image-volumes.ts";

export const LABELS = {
  /** The node whose agent made the container; only that agent touches it. */
  node: "elastic.node",
  assignment: "elastic.assignment",
  /** `prover` or `shell`; set for each, since a container inherits labels from its image. */
  kind: "elastic.kind",
  /** Start of the agent process that made it. */
  session: "elastic.session",
  /** Digest of what it was made for; another one means that it cannot be taken over. */
  spec: "elastic.spec",
} as const;

const PROVER_KIND = "prover";
export const SHELL_KIND = "shell";

export interface ContainerOwner {
  readonly nodeId: string;
  readonly sessionId: string;
}

export interface ContainerPlan {
  readonly options: ContainerCreateOptions;
  readonly env: ContainerEnv;
}

/** An image that starts in one of these might start in a folder of the host (CVE-2024-21626 and its like). */
const NO_WORKING_DIR = /^\/+(proc|sys|dev)(\/|$)/;

const STOP_SECONDS = 1;

/** Throws a StartFailure for an image that cannot be held within the sandbox. */
export function containerPlan(
  spec: WorkloadSpec,
  image: Pick<ImageInspectInfo, "Config">,
  owner: ContainerOwner,
  on: { readonly host: HostLimits; readonly data: string | null },
): ContainerPlan {
  refuseWithoutCommand(image.Config);
  const env = containerEnv(spec.env, image.Config.Env ?? [], spec);
  const volumes = otherVolumes(imageVolumes(image.Config.Volumes), on.data);
  const workingDir = image.Config.WorkingDir ?? "";
  return {
    env,
    options: {
      Image: spec.image,
      User: CONTAINER_USER,
      Env: [...env.entries],
      WorkingDir: workingDir === "" || NO_WORKING_DIR.test(workingDir) ? "/" : workingDir,
      Hostname: "prover",
      Tty: false,
      OpenStdin: false,
      AttachStdin: false,
      AttachStdout: false,
      AttachStderr: false,
      // The agent checks the prover itself; a check of the image's would only run in addition.
      Healthcheck: { Test: ["NONE"] },
      Labels: labelsOf(spec, owner),
      // A prover has nothing to put away: an engine that is stopped does not wait for it.
      StopTimeout: STOP_SECONDS,
      HostConfig: containerLimits(spec, volumes, on.data, on.host),
    },
  };
}

/** Engines refuse it in different words, some as it is created and some as it starts. */
function refuseWithoutCommand({ Entrypoint, Cmd }: ImageInspectInfo["Config"]): void {
  if ([Entrypoint, Cmd].flat().some((word) => word !== undefined && word !== null)) return;
  throw new StartFailure("prover_error", "the image names no program to start: it has neither ENTRYPOINT nor CMD");
}

/** An image may declare the place of the data volume itself; below it nothing can be, since it is read-only. */
function otherVolumes(volumes: readonly string[], data: string | null): readonly string[] {
  if (data === null) return volumes;
  const below = volumes.find((path) => path.startsWith(`${DATA_FOLDER}/`));
  if (below === undefined) return volumes.filter((path) => path !== DATA_FOLDER);
  const message = `the image declares the volume ${JSON.stringify(below)} within the deployment's read-only data volume`;
  throw new StartFailure("prover_error", message);
}

function labelsOf(spec: WorkloadSpec, owner: ContainerOwner): Record<string, string> {
  return {
    [LABELS.node]: owner.nodeId,
    // A verifier is never taken over: what an earlier process left of one belongs to no assignment.
    [LABELS.assignment]: spec.role === "prover" ? spec.assignmentId : `${spec.assignmentId}/verifier`,
    [LABELS.session]: owner.sessionId,
    [LABELS.spec]: specDigest(spec),
    [LABELS.kind]: PROVER_KIND,
  };
}

/** The order of an object's keys is no difference. */
export function specDigest(spec: WorkloadSpec): string {
  const env = Object.entries(spec.env).sort(([left], [right]) => (left < right ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify({ ...spec, env }))
    .digest("hex");
}
