/** A shell's assignment in the words of the contract. Its password stays here: sessions end at the gateway. */
import type { Assignment as WireAssignment } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import type { Assignment } from "../domain/assignment.ts";
import { SHELL_START_MS, type Shell } from "../domain/shell.ts";

export function encodeShellAssignment(
  { id, gpuUuids }: Assignment,
  shell: Shell,
  purpose: "run" | "erase",
): WireAssignment {
  const { cpuMillis, memoryBytes, pids, tmpBytes } = shell.resources;
  return {
    assignmentId: id,
    workload: {
      $case: "shell",
      value: {
        shellId: shell.id,
        teamId: shell.teamId,
        image: shell.image,
        homeBytes: BigInt(shell.homeBytes),
        rootBytes: BigInt(shell.scratchBytes),
        env: {},
        startTimeoutMs: SHELL_START_MS,
        erase: purpose === "erase",
      },
    },
    gpuUuids: [...gpuUuids],
    resources: { cpuMillis, memoryBytes: BigInt(memoryBytes), pids, tmpBytes: BigInt(tmpBytes) },
  };
}
