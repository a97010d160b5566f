/** How far it is from a source to a service that serves: its stages, and how each stands. Pure. */
import type { Build } from "../builds/builds-query.ts";

/** `cancelled`: it was ended on purpose, which is no failure. */
export type StageState = "waiting" | "active" | "done" | "failed" | "cancelled";

export interface ReleaseStage {
  readonly name: "Source" | "Build" | "Deploy" | "Ready";
  readonly state: StageState;
}

export function releaseStages(build: Build): readonly ReleaseStage[] {
  const source = sourceState(build);
  const built = source === "done" ? buildState(build) : "waiting";
  const stages = [
    { name: "Source", state: source },
    { name: "Build", state: built },
  ] as const;
  const { release } = build;
  if (release === null) return stages;
  const deployed = built === "done" ? deployState(release.state) : "waiting";
  return [
    ...stages,
    { name: "Deploy", state: deployed },
    { name: "Ready", state: deployed === "done" ? "done" : "waiting" },
  ];
}

/** A source that was sent is there from the beginning. */
function sourceState({ repository, source, phase, reused_from }: Build): StageState {
  if (repository === null || source !== null || reused_from !== null || phase === "succeeded") return "done";
  return phase === "failed" || phase === "cancelled" ? phase : "active";
}

function buildState({ phase }: Build): StageState {
  if (phase === "succeeded") return "done";
  return phase === "failed" || phase === "cancelled" ? phase : "active";
}

function deployState(state: NonNullable<Build["release"]>["state"]): StageState {
  switch (state) {
    case "waiting":
    case "deploying":
      return "active";
    case "released":
      return "done";
    case "failed":
      return "failed";
    case "superseded":
      return "cancelled";
  }
}

/** What the card is called. */
export function releaseTitle(build: Build): string {
  const stages = releaseStages(build);
  const failed = stages.find(({ state }) => state === "failed");
  const what = build.release?.trigger === "push" ? "The newest push" : "The newest build";
  if (build.release?.state === "superseded") {
    return build.phase === "cancelled" ? "Superseded; no image" : "Superseded; not deployed";
  }
  if (build.phase === "cancelled") return "Cancelled; no image";
  if (failed?.name === "Deploy") return `${what} was not deployed`;
  if (failed !== undefined) return `${what} failed`;
  const active = stages.find(({ state }) => state === "active")?.name;
  if (active === undefined) return "Built";
  return { Source: "Reading the source", Build: "Building", Deploy: "Deploying", Ready: "Deploying" }[active];
}
