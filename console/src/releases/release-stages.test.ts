import { expect, test } from "vitest";
import type { Build } from "../builds/builds-query.ts";
import { BUILD } from "../builds/testing/a-build.ts";
import { releaseStages, releaseTitle } from "./release-stages.ts";

const READ = { source: { sha256: "0".repeat(64), bytes: 9 }, waiting_for: null } as const;
const FAILURE = { reason: "build_failed", message: "no", line: 3 } as const;

function releaseOf(state: NonNullable<Build["release"]>["state"], trigger: "push" | "request" = "push") {
  return { release: { trigger, state, deployment_id: null, message: null } };
}

test.each<[string, Partial<Build>, string, string]>([
  ["whose source is read", {}, "active waiting waiting waiting", "Reading the source"],
  [
    "whose source is absent",
    { phase: "failed", failure: FAILURE },
    "failed waiting waiting waiting",
    "The newest push failed",
  ],
  ["that waits", { ...READ }, "done active waiting waiting", "Building"],
  ["that runs", { ...READ, phase: "running" }, "done active waiting waiting", "Building"],
  [
    "that failed",
    { ...READ, phase: "failed", failure: FAILURE, ...releaseOf("failed") },
    "done failed waiting waiting",
    "The newest push failed",
  ],
  [
    "that was cancelled",
    { ...READ, phase: "cancelled", ...releaseOf("failed") },
    "done cancelled waiting waiting",
    "Cancelled; no image",
  ],
  [
    "that was cancelled before its source was read",
    { phase: "cancelled" },
    "cancelled waiting waiting waiting",
    "Cancelled; no image",
  ],
  [
    "that a newer push took the place of",
    { ...READ, phase: "cancelled", ...releaseOf("superseded") },
    "done cancelled waiting waiting",
    "Superseded; no image",
  ],
  [
    "whose image another deployment took the place of",
    { ...READ, phase: "succeeded", ...releaseOf("superseded") },
    "done done cancelled waiting",
    "Superseded; not deployed",
  ],
  [
    "whose image is deployed",
    { ...READ, phase: "succeeded", ...releaseOf("deploying") },
    "done done active waiting",
    "Deploying",
  ],
  [
    "whose image does not come up",
    { ...READ, phase: "succeeded", ...releaseOf("failed", "request") },
    "done done failed waiting",
    "The newest build was not deployed",
  ],
  ["that serves", { ...READ, phase: "succeeded", ...releaseOf("released") }, "done done done done", "Built"],
  [
    "that has an earlier image",
    { phase: "succeeded", reused_from: "1", ...releaseOf("deploying") },
    "done done active waiting",
    "Deploying",
  ],
  [
    "that was sent and is not deployed",
    { repository: null, phase: "running", release: null },
    "done active",
    "Building",
  ],
])("shows the stages of a build %s", (_, given, states, title) => {
  const build = { ...BUILD, ...given };
  expect(
    releaseStages(build)
      .map(({ state }) => state)
      .join(" "),
  ).toBe(states);
  expect(releaseTitle(build)).toBe(title);
});
