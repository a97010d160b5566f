/** What a reader can do about each reason for which a task or a deployment fails. Pure. */
import type { components } from "elastic-client/gen/schema.ts";

type Task = components["schemas"]["Task"];
export type FailureReason = NonNullable<Task["failure"]>["reason"];

/** What a page offers as the next step. */
type NextStep = "run again" | "change settings" | "correct the prover";

export interface FailureAdvice {
  /** The reason, for a person. */
  readonly title: string;
  /** What to do about a task that ended with it. */
  readonly ofTask: string;
  readonly next: NextStep;
  /** What to do about a deployment that did not come up for it. */
  readonly ofDeployment: string;
}

const UNUSUAL =
  "This is unusual for a deployment. Deploy again; if it fails in the same way, report the deployment's id to the operator.";

const ADVICE: Readonly<Record<FailureReason, FailureAdvice>> = {
  queue_timeout: {
    title: "No prover was free in time",
    ofTask:
      "Allow more workloads or a longer queue timeout in the service's settings, or run the task again when fewer tasks wait.",
    next: "change settings",
    ofDeployment:
      "No machine had room for it. Request fewer GPUs, less memory or fewer CPUs, remove labels that few machines have, or wait until other workloads end.",
  },
  start_timeout: {
    title: "The prover did not start in time",
    ofTask:
      "The log shows how far the start came. Allow a longer start timeout in the service's settings if the image is large or loads keys.",
    next: "change settings",
    ofDeployment:
      "The log shows how far the start came. The prover must listen on $PORT and respond to GET /healthz; allow a longer start timeout if it loads large keys.",
  },
  run_timeout: {
    title: "The proof took too long",
    ofTask: "Allow a longer run timeout or give the prover more CPUs or a GPU, or split the input into smaller tasks.",
    next: "change settings",
    ofDeployment: UNUSUAL,
  },
  cancelled: {
    title: "The task was cancelled",
    ofTask: "Nothing is wrong. Run it again if the proof is still needed.",
    next: "run again",
    ofDeployment: "Another deployment took its place, or the service was deleted. Deploy again if it is still needed.",
  },
  prover_error: {
    title: "The prover refused the input or failed",
    ofTask:
      "The message and the log are the prover's own words. The same input fails again: correct the input, or the prover and deploy it.",
    next: "correct the prover",
    ofDeployment:
      "The prover ended while it started. The log shows why; a missing environment variable or file is the usual cause. Try the image on your machine with the same environment.",
  },
  bad_output: {
    title: "The output is not valid, or its verifier rejected it",
    ofTask:
      "The prover responded with something that is no proof. Try the same input on your machine, correct the prover and deploy it.",
    next: "correct the prover",
    ofDeployment: "The prover responded to the health check with something unexpected. Try the image on your machine.",
  },
  out_of_memory: {
    title: "The prover used more memory than it has",
    ofTask: "Give it more memory in the service's settings, or send a smaller input. The same input fails again.",
    next: "change settings",
    ofDeployment: "It needs more memory to start than it was given. Deploy with more memory.",
  },
  image_unavailable: {
    title: "The image could not be pulled",
    ofTask:
      "The image or its registry is not available. Deploy an image that the service may pull, then run the task again.",
    next: "change settings",
    ofDeployment:
      "Check that the image is still in the registry, is built for linux/amd64, and that the machines reach the registry; then deploy again.",
  },
  node_lost: {
    title: "The machine was lost while it ran",
    ofTask: "Other machines were tried. Run the task again; if it happens again, the input may overload the machines.",
    next: "run again",
    ofDeployment: "Deploy again: another machine is chosen.",
  },
  input_corrupt: {
    title: "The stored input is damaged or missing",
    ofTask: "No prover was given it. Send the same input again: it is stored again.",
    next: "run again",
    ofDeployment: UNUSUAL,
  },
  node_disk_full: {
    title: "The machine's disk was full",
    ofTask: "Run the task again: another machine is chosen. If it fails again, report it to the operator.",
    next: "run again",
    ofDeployment:
      "Deploy again, with a smaller image or data volume if you can. If it fails again, report it to the operator.",
  },
  gpu_fault: {
    title: "The GPU failed",
    ofTask:
      "Run the task again: another GPU is chosen. If it fails again, report the machine of the attempt to the operator.",
    next: "run again",
    ofDeployment:
      "Deploy again: another GPU is chosen. If it fails again, check that the prover's CUDA version suits the GPU.",
  },
  internal: {
    title: "The service failed",
    ofTask: "This is no fault of yours. Run the task again; if it fails again, report the task's id to the operator.",
    next: "run again",
    ofDeployment:
      "This is no fault of yours. Deploy again; if it fails again, report the deployment's id to the operator.",
  },
};

export const FAILURE_REASONS = Object.keys(ADVICE) as readonly FailureReason[];

export function failureAdvice(reason: FailureReason): FailureAdvice {
  return ADVICE[reason];
}
