/**
 * What teams have sent that no volume names: it takes space that no quota of volumes counts, until it is swept. Each
 * coordinator counts in memory what was sent to it; after a restart it begins at zero.
 */
import type { Clock } from "@elastic/std/clock.ts";
import { VOLUME_BYTES_MAX } from "../../domain/volume.ts";
import { Problem } from "../problems/problem.ts";

export interface UnreferencedLimits {
  readonly bytes: number;
  readonly files: number;
}

/** The largest volume while another is replaced, and ten of the longest lists. */
const UNREFERENCED_MAX: UnreferencedLimits = { bytes: 2 * VOLUME_BYTES_MAX, files: 10_000 };
/** A sweep comes each hour, and takes what is older than one. */
const SWEPT_WITHIN_MS = 2 * 3_600_000;

interface TeamFiles {
  /** By digest, or by the volume that was deleted; the oldest first. */
  readonly files: Map<string, { readonly bytes: number; readonly atMs: number }>;
  bytes: number;
}

export interface UnreferencedUploadDeps {
  readonly unreferencedUploads: UnreferencedUploads;
}

export class UnreferencedUploads {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #max: UnreferencedLimits;
  readonly #teams = new Map<string, TeamFiles>();

  constructor(clock: Pick<Clock, "monotonicMs">, max: UnreferencedLimits = UNREFERENCED_MAX) {
    this.#clock = clock;
    this.#max = max;
  }

  /** Throws where so many bytes more are too many. `restBytes` is what the team's volumes leave of their quota. */
  refuseBeyond(teamId: string, inFlightBytes: number, restBytes: number): void {
    this.#forgetSwept();
    const { files, bytes } = this.#teams.get(teamId) ?? NOTHING;
    const bytesMax = Math.min(this.#max.bytes, restBytes);
    if (bytes + inFlightBytes <= bytesMax && files.size < this.#max.files) return;
    const detail =
      `The team has sent ${files.size} files of ${bytes} bytes that no volume names, of at most ${this.#max.files} ` +
      `and ${bytesMax}. Create their volumes, or send more once they are forgotten, after two hours.`;
    throw new Problem("quota_exceeded", detail);
  }

  /** `name` is the file's digest, or the id of a volume that was deleted. */
  add(teamId: string, name: string, bytes: number): void {
    this.remove(teamId, [name]);
    const team = this.#teams.get(teamId) ?? { files: new Map(), bytes: 0 };
    this.#teams.set(teamId, team);
    team.files.set(name, { bytes, atMs: this.#clock.monotonicMs() });
    team.bytes += bytes;
  }

  /** A volume names them by now. */
  remove(teamId: string, names: Iterable<string>): void {
    const team = this.#teams.get(teamId);
    if (team === undefined) return;
    for (const name of names) {
      team.bytes -= team.files.get(name)?.bytes ?? 0;
      team.files.delete(name);
    }
    if (team.files.size === 0) this.#teams.delete(teamId);
  }

  #forgetSwept(): void {
    const before = this.#clock.monotonicMs() - SWEPT_WITHIN_MS;
    for (const [teamId, { files }] of this.#teams) {
      const swept: string[] = [];
      for (const [name, { atMs }] of files) {
        if (atMs > before) break;
        swept.push(name);
      }
      this.remove(teamId, swept);
    }
  }
}

const NOTHING: TeamFiles = { files: new Map(), bytes: 0 };
