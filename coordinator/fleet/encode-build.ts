/** A build's assignment in the words of the contract. */
import type { Assignment as WireAssignment } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import type { Assignment } from "../domain/assignment.ts";
import {
  BUILD_IMAGE_BYTES_MAX,
  BUILD_LOG_BYTES_MAX,
  BUILD_MEMORY_BYTES,
  BUILD_PIDS,
  BUILD_TIMEOUT_MS,
  type Build,
} from "../domain/build.ts";

export function encodeBuildAssignment({ id }: Assignment, build: Build, storeEpoch: number): WireAssignment {
  const { source, settings } = build;
  if (source === null) throw new Error(`build ${build.id} has no source yet`);
  return {
    assignmentId: id,
    workload: {
      $case: "build",
      value: {
        buildId: build.id,
        teamId: build.teamId,
        source: {
          sha256: source.sha256,
          bytes: BigInt(source.bytes),
          stripComponents: source.stripComponents ?? 0,
        },
        baseDir: settings.baseDir,
        buildFile: settings.buildFile,
        target: settings.target,
        buildArgs: { ...settings.buildArgs },
        noCache: build.noCache,
        repository: build.repository,
        tag: build.tag,
        timeoutMs: BUILD_TIMEOUT_MS,
        imageBytesMax: BigInt(BUILD_IMAGE_BYTES_MAX),
        logBytesMax: BigInt(BUILD_LOG_BYTES_MAX),
        // A log is named as an attempt's: its number counts the runs, and nothing is fenced by a revision.
        log: { taskId: build.id, number: build.runs, token: { storeEpoch: BigInt(storeEpoch), revision: 1n } },
      },
    },
    gpuUuids: [],
    resources: { cpuMillis: 0, memoryBytes: BigInt(BUILD_MEMORY_BYTES), pids: BUILD_PIDS, tmpBytes: 0n },
  };
}
