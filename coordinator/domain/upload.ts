/** Bytes that a client sent ahead, to be named as the input of a task. A task that names them keeps them for itself. */
import type { Instant } from "@elastic/std/clock.ts";

/** An input that is sent ahead or fetched; what comes inline is bounded in limits.ts. */
export const LARGE_INPUT_BYTES_MAX = 1024 * 1024 * 1024;
export const UPLOAD_LIFETIME_MS = 24 * 3_600_000;

export interface Upload {
  readonly id: string;
  readonly teamId: string;
  readonly creatorId: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly bytes: number;
  /** Lower-case hexadecimal; the bytes are a blob of the team. */
  readonly sha256: string;
}

export function isExpired({ expiresAt }: Upload, now: Instant): boolean {
  return expiresAt <= now;
}
