/**
 * A data volume: a team's named set of files, such as proving keys, that workloads see read-only at /data. It never
 * changes. The files are blobs of the team, and so is their list, the manifest: a record would be too small for it.
 */
import type { Instant } from "@elastic/std/clock.ts";

export const VOLUME_FILES_MAX = 1_000;
export const VOLUME_BYTES_MAX = 64 * 1024 * 1024 * 1024;
/** Of all that a team keeps. */
export const VOLUME_BYTES_PER_TEAM_MAX = 1024 * 1024 * 1024 * 1024;
/** Of the longest list that keeps to the limits of its paths. */
export const MANIFEST_BYTES_MAX = 2 * 1024 * 1024;

export interface VolumeFile {
  /** Relative and clean; see volume-path.ts. */
  readonly path: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
}

export interface Manifest {
  /** In the order of their paths. */
  readonly files: readonly VolumeFile[];
}

export interface Volume {
  readonly id: string;
  readonly teamId: string;
  /** Several may have the same name: the newest of them is meant by it. */
  readonly name: string;
  readonly creatorId: string;
  readonly createdAt: Instant;
  /** When it was last deployed. Written with each deployment that uses it, so that a deletion cannot overlook one. */
  readonly usedAt: Instant | null;
  readonly manifestSha256: string;
  readonly manifestBytes: number;
  readonly files: number;
  readonly bytes: number;
}

/** The bytes of a manifest: the same files have the same, in whatever order they were named. */
export function manifestText(files: readonly VolumeFile[]): string {
  const inOrder = [...files]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, sha256, bytes }) => ({ path, sha256, bytes }));
  return JSON.stringify({ files: inOrder } satisfies Manifest);
}
