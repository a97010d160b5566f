/** `restore --check`: everything that a restore would find out, and nothing written. */

import { type Check, fail, ok, warn } from "@elastic/std/check.ts";
import { counted } from "@elastic/std/counted.ts";
import { BackupError } from "../file/backup-error.ts";
import type { BackupBlob, BackupCounts } from "../file/lines.ts";
import { type AdmitRestore, admitRestore, epochDoubt } from "./admit-restore.ts";
import { rotationWarnings } from "./later-rotations.ts";
import type { PresentBlobs } from "./present-blobs.ts";
import { type BackupSource, type VerifiedBackup, verifyBackup } from "./read-backup.ts";
import type { History } from "./read-later-changes.ts";
import { type RestoreRules, restoredEntry } from "./restored-entry.ts";

/** Of missing blobs, so many are named. */
const MISSING_NAMED_MAX = 1_000;
/** Blobs that were looked at a moment ago: many tasks may name one. */
const RECENT_MAX = 10_000;
const LOOKED_AT_ONCE = 64;

interface BlobFindings {
  readonly named: number;
  readonly missing: number;
  /** The first of them, as `team/sha256`. */
  readonly missingBlobs: readonly string[];
}

export interface BackupFindings extends VerifiedBackup {
  readonly blobs: BlobFindings;
  /** Records that would not be restored, since they let somebody in once or for a while. */
  readonly voided: number;
  readonly tasksRunning: number;
}

/** Reads all of it. Rejects with BackupError where it is not as it was written. */
export async function readFindings(
  source: BackupSource,
  present: PresentBlobs,
  onProgress: (entries: number) => void,
): Promise<BackupFindings> {
  const recent = new Set<string>();
  const missingBlobs: string[] = [];
  let looking: Promise<void>[] = [];
  let [entries, named, missing, voided, tasksRunning] = [0, 0, 0, 0, 0];
  const look = async (blob: BackupBlob) => {
    if (await present.has(blob)) return;
    missing += 1;
    if (missingBlobs.length < MISSING_NAMED_MAX) missingBlobs.push(`${blob.teamId}/${blob.sha256}`);
  };
  const verified = await verifyBackup(source, async (item) => {
    if (item.kind === "entry") {
      onProgress(entries++);
      const after = restoredEntry(item.entry, NOTHING_LATER);
      if (after.kind === "left out" && after.why === "voided") voided += 1;
      if (after.kind === "restored" && after.change === "requeued") tasksRunning += 1;
    }
    if (item.kind !== "blob") return;
    const name = `${item.blob.teamId}/${item.blob.sha256}`;
    if (recent.has(name)) return;
    if (recent.size >= RECENT_MAX) recent.clear();
    recent.add(name);
    named += 1;
    const found = look(item.blob);
    // Thrown below, whenever it fails.
    found.catch(() => undefined);
    looking.push(found);
    if (looking.length < LOOKED_AT_ONCE) return;
    await Promise.all(looking);
    looking = [];
  });
  await Promise.all(looking);
  return { ...verified, blobs: { named, missing, missingBlobs }, voided, tasksRunning };
}

const NOTHING_LATER: RestoreRules = {
  now: 0,
  disablesKeys: false,
  lacksMasterKeys: false,
  later: { of: () => null },
  archived: new Set(),
};

/** What an operator reads: a line for each thing that was checked. */
export function checksOf(
  findings: BackupFindings,
  asked: AdmitRestore,
  { present, history }: { readonly present: PresentBlobs; readonly history: History },
): readonly Check[] {
  const { header, trailer, blobs, voided, tasksRunning } = findings;
  const taken = new Date(header.takenAt).toISOString().slice(0, 19);
  return [
    ok(
      "file",
      `complete: ${countsText(trailer)}, taken ${taken} UTC at epoch ${header.epoch}, revision ${header.revision}`,
    ),
    admission(asked),
    ...epochChecks(asked),
    blobsCheck(blobs, asked.blobsOf, present.description),
    history.unknownBecause === null
      ? ok("archive", "what was revoked, removed and evicted after the backup is known and applied again")
      : warn(
          "archive",
          history.unknownBecause,
          "name the store's archive (ELASTIC_ARCHIVE); else every access key is restored disabled",
        ),
    ...history.warnings.map((text) => warn("clock", text, "compare the clocks of the machines")),
    ...rotationWarnings(history.later.rotations()).map((text) =>
      warn("rotation", text, "as that says, after the restore"),
    ),
    ok(
      "ended",
      `by a restore: ${voided} sessions, one-time links, codes and tokens; ${counted(tasksRunning, "running attempt")}`,
    ),
  ];
}

/** Where nothing says whose the blobs are, no coordinator has used the place: it may be another than they use. */
function blobsCheck({ named, missing }: BlobFindings, blobsOf: string | null, place: string): Check {
  const isUnused = blobsOf === null ? `; no coordinator has used ${place}` : "";
  if (missing > 0) {
    const remedy = "restore them there too (--json names them): tasks and volumes that need one fail";
    const correct =
      blobsOf === null ? "correct ELASTIC_BLOBS_DIR or ELASTIC_BLOBS if the blobs are elsewhere; else " : "";
    return warn(
      "blobs",
      `missing in ${place}: ${missing} of ${named} that the backup names${isUnused}`,
      correct + remedy,
    );
  }
  if (blobsOf !== null) return ok("blobs", `${named} named, all in ${place}`);
  return warn(
    "blobs",
    `no coordinator has used ${place}${named === 0 ? "" : `, which has all ${named} that the backup names`}`,
    "correct ELASTIC_BLOBS_DIR or ELASTIC_BLOBS, unless the coordinators are to begin with an empty place there",
  );
}

function admission(asked: AdmitRestore): Check {
  try {
    return ok("restore", `possible, as store epoch ${admitRestore(asked)}`);
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    return fail("restore", "would be rejected", error.message.replace(/^nothing was changed: /, ""));
  }
}

function epochChecks(asked: AdmitRestore): readonly Check[] {
  const doubt = epochDoubt(asked);
  if (doubt === null) return [];
  return [warn("epoch", "nothing but the backup says which epoch the store has had", doubt)];
}

function countsText({ entries, blobs }: BackupCounts): string {
  return `${counted(entries, "entry", "entries")}, ${counted(blobs, "blob")} named`;
}
