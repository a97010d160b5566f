/** What BuildKit's last lines say of why a build failed. Pure. */
import type { AgentBuildFailureReason } from "@elastic/proto/failure-reasons.ts";
import { BuildFailure } from "../../domain/build-failure.ts";

const MESSAGE_CHARACTERS_MAX = 500;

/** `tail` is the end of what buildctl wrote; `memoryKills`: processes that the kernel killed at the memory limit. */
export function explainFailure(
  tail: string,
  facts: { readonly memoryKills: number; readonly diskIsFull: boolean },
): BuildFailure {
  const line = /^\w[\w.-]*:(\d+)\n-{5,}$/m.exec(tail)?.[1];
  const at = { line: line === undefined ? null : Number(line) };
  const sentence = /^error: (?:failed to solve: )?(.*)$/m.exec(tail)?.[1]?.trim();
  const said = sentence ?? lastLine(tail);
  const message = said.slice(0, MESSAGE_CHARACTERS_MAX);
  // Without a sentence BuildKit itself was killed, and not one of its steps.
  if (facts.memoryKills > 0 && (sentence === undefined || /exit code: 137|killed/i.test(said))) {
    return new BuildFailure("out_of_memory", `a step was killed at the build's memory limit: ${message}`, at);
  }
  if (facts.diskIsFull || /no space left on device/i.test(tail)) {
    return new BuildFailure("disk_full", `the disk of the team's builds is full: ${message}`, at);
  }
  return new BuildFailure(reasonOf(said), message, at);
}

function reasonOf(said: string): AgentBuildFailureReason {
  if (/failed to (?:resolve source metadata|do request)|pull access denied|failed to (?:copy|fetch)/i.test(said))
    return "base_image_unavailable";
  return "build_failed";
}

function lastLine(tail: string): string {
  return tail.trimEnd().split("\n").at(-1) || "it ended, and its log does not say why";
}
