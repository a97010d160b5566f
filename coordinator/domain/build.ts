/**
 * A build: an image made of a source on a machine of the fleet, and put into the site's registry.
 *
 *   preparing ──source read──▶ queued ──▶ running ──▶ succeeded | failed
 *       │                        ▲           │ its node is lost, three runs at most
 *       └──▶ failed              └───────────┘
 *   preparing | queued | running ──cancel──▶ cancelled
 */
import { BUILD_FAILURE_REASONS, type BuildFailureReason } from "@elastic/proto/failure-reasons.ts";
import type { Instant } from "@elastic/std/clock.ts";
import { isReleasing, type Release } from "./release.ts";
import type { ServiceSource } from "./service-source.ts";

export { BUILD_FAILURE_REASONS, type BuildFailureReason };

export interface BuildFailure {
  readonly reason: BuildFailureReason;
  readonly message: string;
  /** Line of the build file; null where none is to blame. */
  readonly line: number | null;
}

export interface BuildStage {
  readonly name: string;
  readonly millis: number;
}

type BuildState =
  /** Its source is being read from its repository. */
  | { readonly kind: "preparing"; readonly since: Instant }
  /** `waitingFor` says for a person what is missing; null while nothing is. */
  | { readonly kind: "queued"; readonly since: Instant; readonly waitingFor: string | null }
  | { readonly kind: "running"; readonly since: Instant; readonly assignmentId: string; readonly nodeId: string }
  | { readonly kind: "succeeded"; readonly since: Instant; readonly digest: string; readonly imageBytes: number }
  | { readonly kind: "failed"; readonly since: Instant; readonly failure: BuildFailure }
  | { readonly kind: "cancelled"; readonly since: Instant };

/** A tar archive that was sent, perhaps compressed with gzip: a blob of the team. */
export interface ArchiveSource {
  readonly kind: "archive";
  readonly sha256: string;
  readonly bytes: number;
  /** Leading directories of each path that are left out; left out for none. */
  readonly stripComponents?: number;
}

/** Where the source was read. */
export interface BuildRepository {
  /** As it was when the build was requested: by ids that the host never changes. */
  readonly from: ServiceSource;
  /** As requested; the service's branch where it is null. */
  readonly ref: string | null;
  /** What the ref stands for, by the push or when it was read; null until then. */
  readonly commit: string | null;
  /** First line of the commit's message; null until the commit was read. */
  readonly title: string | null;
}

/** What is made of the source. */
export interface BuildSettings {
  /** Relative to the source's root; empty for the root. */
  readonly baseDir: string;
  /** Relative to the base directory. */
  readonly buildFile: string;
  /** Stage of the build file to stop at; empty for the last. */
  readonly target: string;
  readonly buildArgs: Readonly<Record<string, string>>;
}

export interface Build {
  readonly id: string;
  readonly teamId: string;
  readonly serviceId: string;
  readonly creatorId: string;
  readonly createdAt: Instant;
  /** Null until it was read from its repository. */
  readonly source: ArchiveSource | null;
  /** Where it comes from; null for one that was sent. */
  readonly origin: BuildRepository | null;
  readonly settings: BuildSettings;
  readonly noCache: boolean;
  /** `<host>/<repository>`: where the image goes. */
  readonly repository: string;
  readonly tag: string;
  /** Builds of one team with the same identity give the same image; empty until the commit is known. */
  readonly identity: string;
  /** The build that this one repeats. */
  readonly retryOf: string | null;
  /** What follows it; null where it is built only. */
  readonly release: Release | null;
  /** The build whose image this one has, without running. */
  readonly reusedFrom: string | null;
  /** Runs begun. */
  readonly runs: number;
  readonly startedAt: Instant | null;
  /** Of the last run. */
  readonly stages: readonly BuildStage[];
  /** Of the last run, also after it. */
  readonly nodeId: string | null;
  readonly state: BuildState;
}

export type NewBuild = Omit<Build, "runs" | "startedAt" | "stages" | "nodeId" | "state" | "reusedFrom">;

export const BUILD_RUNS_MAX = 3;
export const BUILD_TIMEOUT_MS = 30 * 60_000;
/** Beyond its time a run whose agent does not say so has failed. */
export const BUILD_REPORT_MS = 2 * 60_000;
/** Within it there must be a machine that builds at all. */
export const BUILD_QUEUE_MS = 60 * 60_000;
export const BUILD_MEMORY_BYTES = 4 * 1024 ** 3;
export const BUILD_PIDS = 2_048;
export const BUILD_IMAGE_BYTES_MAX = 20 * 1024 ** 3;
export const BUILD_LOG_BYTES_MAX = 16 * 1024 ** 2;
export const SOURCE_BYTES_MAX = 512 * 1024 ** 2;
const RETAINED_MS = 30 * 24 * 3_600_000;
const RETAINED_PER_SERVICE_MAX = 100;

export function newBuild(build: NewBuild): Build {
  return {
    ...build,
    reusedFrom: null,
    runs: 0,
    startedAt: null,
    stages: [],
    nodeId: null,
    state:
      build.source === null
        ? { kind: "preparing", since: build.createdAt }
        : { kind: "queued", since: build.createdAt, waitingFor: null },
  };
}

/** The commit is known, and with it what the build is. */
export function identified(build: Build, origin: BuildRepository, identity: string): Build {
  assertPreparing(build);
  return { ...build, origin, identity };
}

/** Its source is there: a machine may take it. */
export function prepared(build: Build, source: ArchiveSource, now: Instant): Build {
  assertPreparing(build);
  return { ...build, source, state: { kind: "queued", since: now, waitingFor: null } };
}

/** It has the image of an identical build, at once. */
export function reused(build: Build, of: Build, now: Instant): Build {
  if (of.state.kind !== "succeeded") throw new Error(`build ${of.id} has no image`);
  const { repository, tag } = of;
  return { ...build, repository, tag, reusedFrom: of.id, startedAt: now, state: { ...of.state, since: now } };
}

export function isOpen({ state }: Pick<Build, "state">): boolean {
  return state.kind === "preparing" || state.kind === "queued" || state.kind === "running";
}

/** `<host>/<repository>@<digest>`; null without one. */
export function imageOf({ repository, state }: Pick<Build, "repository" | "state">): string | null {
  return state.kind === "succeeded" ? `${repository}@${state.digest}` : null;
}

export function running(
  build: Build,
  place: { readonly assignmentId: string; readonly nodeId: string },
  now: Instant,
): Build {
  assertOpen(build, "run");
  const { runs, startedAt } = build;
  const state = { kind: "running", since: now, ...place } as const;
  return { ...build, runs: runs + 1, startedAt: startedAt ?? now, stages: [], nodeId: place.nodeId, state };
}

export function waiting(build: Build, waitingFor: string | null): Build {
  if (build.state.kind !== "queued") throw new Error(`build ${build.id} is ${build.state.kind} and does not wait`);
  return { ...build, state: { ...build.state, waitingFor } };
}

/** Its node is lost: another may run it. */
export function requeued(build: Build, now: Instant): Build {
  assertOpen(build, "queued");
  return { ...build, state: { kind: "queued", since: now, waitingFor: null } };
}

export function succeeded(
  build: Build,
  image: { readonly digest: string; readonly imageBytes: number },
  now: Instant,
): Build {
  assertOpen(build, "succeeded");
  return { ...build, state: { kind: "succeeded", since: now, ...image } };
}

export function failed(build: Build, failure: BuildFailure, now: Instant): Build {
  assertOpen(build, "failed");
  return { ...build, state: { kind: "failed", since: now, failure } };
}

/** Cancelling what has ended changes nothing. */
export function cancelled(build: Build, now: Instant): Build {
  return isOpen(build) ? { ...build, state: { kind: "cancelled", since: now } } : build;
}

/** Of the builds of one service, those that are forgotten now. */
export function buildsToForget(builds: readonly Build[], now: Instant): readonly Build[] {
  const ended = builds
    .filter((build) => !isOpen(build) && !(build.release !== null && isReleasing(build.release)))
    .sort((left, right) => right.createdAt - left.createdAt);
  return ended.filter(({ state }, index) => index >= RETAINED_PER_SERVICE_MAX || state.since < now - RETAINED_MS);
}

function assertPreparing({ id, state }: Build): void {
  if (state.kind !== "preparing") throw new Error(`build ${id} is ${state.kind} and not being prepared`);
}

function assertOpen(build: Build, next: string): void {
  if (!isOpen(build)) throw new Error(`build ${build.id} is ${build.state.kind} and cannot be ${next}`);
}
