/** What a user can do about a build that failed, in the words of the console and of `elastic` alike. */
import type { BuildFailureReason } from "./failure-reasons.ts";

/** Null for what has its own way on in the message. */
export const BUILD_FAILURE_ADVICE: Readonly<Record<BuildFailureReason, string | null>> = {
  source_unavailable: null,
  source_invalid: null,
  build_file_missing: "Run elastic init in the directory of the prover, or name the directory that has a Dockerfile.",
  base_image_unavailable:
    "Begin from an image that this installation has. Its operators can add base images, or a mirror of a public registry.",
  build_failed: "Correct the line that the message names. The log of the build has what that step wrote.",
  timeout: "Make the build shorter: copy only what a step needs before it, so that earlier steps come from the cache.",
  out_of_memory: "Let the build use less memory, for example with fewer compilers at a time (CARGO_BUILD_JOBS=1).",
  disk_full: "Write less: use a base image that has what you need, and remove files in the step that made them.",
  log_limit: "Let the steps write less to their output.",
  image_invalid:
    "Correct the build file as the message says: the image is for linux/amd64, has an entry point and port 8080.",
  registry_unavailable: "The registry of this installation did not take the image. Try again in a while.",
  no_builder: "No machine of this installation builds images at present. Build on your own machine with elastic build.",
  too_many_builds: null,
  node_lost: "Machines were lost while they built. Try again.",
  internal: "Try again. If it fails again, whoever runs this installation can see why in the log of the machine.",
};
