/** What a build is: an assignment as it came over the wire, checked once. */
import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import type { Assignment } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { isId } from "@elastic/std/ids.ts";

export interface BuildSpec {
  readonly assignmentId: string;
  readonly buildId: string;
  readonly teamId: string;
  readonly source: BuildSource;
  /** Relative to the source's root; empty for the root itself. */
  readonly baseDir: string;
  /** Relative to the base directory. */
  readonly buildFile: string;
  /** Stage of the build file to stop at; empty for the last. */
  readonly target: string;
  readonly buildArgs: Readonly<Record<string, string>>;
  readonly noCache: boolean;
  /** `<host>/<repository>`: where the image goes. */
  readonly repository: string;
  readonly tag: string;
  readonly limits: BuildLimits;
  /** Names the build's log. */
  readonly log: AttemptRef;
}

/** A tar archive, perhaps compressed with gzip. */
interface BuildSource {
  readonly sha256: string;
  readonly bytes: number;
  /** Leading directories of each path that are left out. */
  readonly stripComponents: number;
}

interface BuildLimits {
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  readonly pids: number;
  /** Of the image, compressed. */
  readonly imageBytes: number;
  readonly logBytes: number;
}

/** Null for an assignment that is no build, or that this version does not understand. */
export function buildSpecOf({ assignmentId, workload, resources }: Assignment): BuildSpec | null {
  if (workload?.$case !== "build" || resources === undefined) return null;
  const { value } = workload;
  const { source, log } = value;
  // They become paths.
  if (source === undefined || log === undefined || !isId(assignmentId) || !isId(value.teamId)) return null;
  return {
    assignmentId,
    buildId: value.buildId,
    teamId: value.teamId,
    source: { sha256: source.sha256, bytes: Number(source.bytes), stripComponents: source.stripComponents },
    baseDir: value.baseDir,
    buildFile: value.buildFile,
    target: value.target,
    buildArgs: value.buildArgs,
    noCache: value.noCache,
    repository: value.repository,
    tag: value.tag,
    limits: {
      timeoutMs: value.timeoutMs,
      memoryBytes: Number(resources.memoryBytes),
      pids: resources.pids,
      imageBytes: Number(value.imageBytesMax),
      logBytes: Number(value.logBytesMax),
    },
    log,
  };
}
