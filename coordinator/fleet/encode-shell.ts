/** A shell's assignment in the words of the contract. Its password stays here: sessions end at the gateway. */
import type { Assignment as WireAssignment } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { covers, type EgressRule, parseEgressRule } from "@elastic/std/net/egress-rule.ts";
import type { Assignment } from "../domain/assignment.ts";
import { SHELL_START_MS, type Shell } from "../domain/shell.ts";

export function encodeShellAssignment(
  { id, gpuUuids }: Assignment,
  shell: Shell,
  purpose: "run" | "erase",
  allowed: readonly EgressRule[],
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
        egress: stillAllowed(shell.egress ?? [], allowed),
        erase: purpose === "erase",
      },
    },
    gpuUuids: [...gpuUuids],
    resources: { cpuMillis, memoryBytes: BigInt(memoryBytes), pids, tmpBytes: BigInt(tmpBytes) },
  };
}

/** What was allowed as the shell was made and is not any more ends with the next start. */
function stillAllowed(texts: readonly string[], allowed: readonly EgressRule[]): EgressRule[] {
  const rules = texts.map(parseEgressRule).filter((rule) => rule !== null);
  return rules.filter((rule) => allowed.some((wide) => covers(wide, rule)));
}
