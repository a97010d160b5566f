import { expect, test } from "vitest";
import type { AdmitRestore } from "./admit-restore.ts";
import { type BackupFindings, checksOf } from "./check-backup.ts";
import type { PresentBlobs } from "./present-blobs.ts";
import type { History } from "./read-later-changes.ts";

const DIR = "/var/lib/other";

/** The line on blobs of a backup that names so many, in a directory of this store, or of none. */
function blobsLine(blobs: { readonly named: number; readonly missing: number }, blobsOf: string | null) {
  const header = { takenAt: 0, storeId: "s", epoch: 1, revision: 1, masterKeys: [], archive: null };
  const trailer = { entries: 1, blobs: blobs.named, sha256: "" };
  const findings = { header, trailer, blobs: { ...blobs, missingBlobs: [] }, voided: 0, tasksRunning: 1 };
  const asked = {
    header,
    digest: "",
    found: { meta: null, mark: null, isEmpty: true, revision: 1, coordinators: [] },
    known: null,
    archivedEpoch: 1,
    aboveEpoch: 0,
    restarts: false,
    masterKeys: [],
    withoutMasterKeys: false,
    blobsOf,
  };
  const history = { unknownBecause: null, warnings: [], later: { rotations: () => [] } };
  const context = { present: { description: DIR } as PresentBlobs, history: history as unknown as History };
  const checks = checksOf(findings as unknown as BackupFindings, asked as unknown as AdmitRestore, context);
  return checks.find(({ name }) => name === "blobs");
}

test("is satisfied with the blobs of the store alone, where none is missing", () => {
  expect(blobsLine({ named: 3, missing: 0 }, "s")).toMatchObject({ level: "ok", finding: `3 named, all in ${DIR}` });
  expect(blobsLine({ named: 3, missing: 1 }, "s")).toMatchObject({
    level: "warn",
    finding: `missing in ${DIR}: 1 of 3 that the backup names`,
    remedy: expect.stringMatching(/^restore them there too/),
  });
});

test("warns of a directory that no coordinator has used, also where the backup names no blob", () => {
  expect(blobsLine({ named: 3, missing: 3 }, null)).toMatchObject({
    level: "warn",
    finding: `missing in ${DIR}: 3 of 3 that the backup names; no coordinator has used ${DIR}`,
    remedy: expect.stringMatching(/^correct ELASTIC_BLOBS_DIR/),
  });
  expect(blobsLine({ named: 0, missing: 0 }, null)).toMatchObject({
    level: "warn",
    finding: `no coordinator has used ${DIR}`,
    remedy: expect.stringMatching(/^correct ELASTIC_BLOBS_DIR/),
  });
});
