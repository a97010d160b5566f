/** What an engine's refusal means. Engines use a status code and words; the words are passed on. */
import type { Container } from "dockerode";
import { StartFailure } from "../../domain/start-failure.ts";
import type { WorkloadSpec } from "../../domain/workload-spec.ts";
import type { GpuNodes } from "../../gpus/device-nodes.ts";
import { whyGpusMissing } from "./verify-gpus.ts";

/** Words of Docker, Podman and NVIDIA's runtime for a GPU that cannot be had. */
const GPU_WORDS = /nvidia|device driver|gpu|cdi/i;

/** `step` is the past participle of what the engine was requested to do with the container. */
export function engineFailure(step: "created" | "started", error: unknown, spec: WorkloadSpec): StartFailure {
  const words = error instanceof Error ? error.message : String(error);
  const status = (error as { readonly statusCode?: number }).statusCode ?? 0;
  const message = `the container could not be ${step}: ${words}`;
  if (spec.gpuUuids.length > 0 && GPU_WORDS.test(words))
    return new StartFailure("gpu_fault", message, { cause: error });
  if (step === "created" && status === 404) return new StartFailure("image_unavailable", message, { cause: error });
  // Of a start: the image has no program that can be run, as its maker would have to mend.
  if (step === "started" && (status === 400 || status === 404)) {
    return new StartFailure("prover_error", message, { cause: error });
  }
  return new StartFailure("internal", message, { cause: error });
}

/** The container must run. A workload that has no GPU where it requires one does not start. */
export async function assertGpusGiven(container: Container, spec: WorkloadSpec, gpuNodes: GpuNodes): Promise<void> {
  if (spec.gpuUuids.length === 0) return;
  const { State } = await container.inspect();
  // What ended already is reported with its exit.
  if (!State.Running || State.Pid === 0) return;
  const why = await whyGpusMissing(State.Pid, gpuNodes(spec.gpuUuids));
  if (why === null) return;
  const message = `the engine did not give the container its GPUs (${spec.gpuUuids.join(", ")}): ${why}`;
  throw new StartFailure("gpu_fault", message);
}

/** Whatever an engine makes of an image's volumes: none may be a folder of the host, which has no end. */
export async function assertNoVolumes(container: Container): Promise<void> {
  const paths = await volumesGiven(container);
  if (paths.length === 0) return;
  throw new StartFailure("internal", `the engine made volumes on the host's disk for ${paths.join(", ")}`);
}

export async function volumesGiven(container: Container): Promise<readonly string[]> {
  const { Mounts } = await container.inspect();
  return Mounts.filter(({ Type }) => Type === "volume").map(({ Destination }) => Destination);
}

/** Whether an error of an engine's call is the engine's response, and not that there was none. */
export function hasEngineResponded(error: unknown): boolean {
  return (error as { readonly statusCode?: number }).statusCode !== undefined;
}
