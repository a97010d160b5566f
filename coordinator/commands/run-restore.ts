/** Restores one backup with the settings of a coordinator, or only checks it. */
import { type Check, checkText, fail } from "@elastic/std/check.ts";
import { systemClock } from "@elastic/std/clock.ts";
import { BackupError } from "../backup/file/backup-error.ts";
import { openFile } from "../backup/place/open-place.ts";
import { type AdmitRestore, admitRestore, epochDoubt, refuseRunning } from "../backup/restore/admit-restore.ts";
import { type BackupFindings, checksOf, readFindings } from "../backup/restore/check-backup.ts";
import { rotationWarnings } from "../backup/restore/later-rotations.ts";
import { type PresentBlobs, presentBlobs } from "../backup/restore/present-blobs.ts";
import { type BackupSource, backupSource, type VerifiedBackup, verifyBackup } from "../backup/restore/read-backup.ts";
import { type History, readHistory } from "../backup/restore/read-later-changes.ts";
import { readTarget } from "../backup/restore/read-target.ts";
import { type RestoreTurn, takeTurn, withoutTurn } from "../backup/restore/restore-mark.ts";
import { restoreStore } from "../backup/restore/restore-store.ts";
import type { Config } from "../config/config.ts";
import { readIdentity } from "../store/identity/identity-file.ts";
import type { Kv } from "../store/kv.ts";
import { connect, identityFileOf, masterKeyIds, progressLine, readArchive } from "./backup-access.ts";
import type { CommandContext } from "./command-context.ts";
import { readIdentityFile } from "./read-identity-file.ts";
import type { RestoreFlags } from "./restore.ts";
import type { Restored } from "./restored-text.ts";

type OpenedArchive = Awaited<ReturnType<typeof readArchive>>;

export interface RestoreTask {
  readonly context: CommandContext;
  readonly config: Config;
  readonly options: RestoreFlags;
  readonly source: BackupSource;
  readonly kv: Kv;
}

export async function openTask(
  context: CommandContext,
  config: Config,
  backup: string,
  options: RestoreFlags,
): Promise<RestoreTask> {
  const identities = await readIdentityFile(options.identity);
  const { place, name } = await openFile(backup, s3Of(config));
  return { context, config, options, source: backupSource(place, name, identities), kv: connect(config).kv };
}

export async function runRestore(task: RestoreTask): Promise<Restored> {
  const { context, options, source, kv } = task;
  const startedAtMs = performance.now();
  // What takes no time first.
  refuseRunning(await readTarget(kv));
  const verified = await verifyBackup(
    source,
    countEntries(progressLine(context, (count) => `${count} entries verified`)),
  );
  const opened = await readArchive(task.config);
  // Before anything is written, the lease included.
  await admit(task, verified, opened, null);
  const turn = await takeTurn(kv);
  try {
    const { epoch, isRepeated, doubt } = await admit(task, verified, opened, turn);
    const { archive, history } = await readLater(opened, verified);
    const now = systemClock.now();
    const disablesKeys = options.disableKeys === true || history.unknownBecause !== null;
    const counts = await restoreStore({
      kv,
      turn,
      source,
      ...verified,
      epoch,
      isRepeated,
      rules: {
        now,
        disablesKeys,
        lacksMasterKeys: options.withoutMasterKeys === true,
        masterKeys: masterKeyIds(task.config),
        later: history.later,
      },
      archive,
      onProgress: progressLine(context, (count) => `${count} of ${verified.trailer.entries} entries restored`),
    });
    await archive?.close();
    const warnings = [...history.warnings, ...rotationWarnings(history.later.rotations())];
    const tookMs = Math.round(performance.now() - startedAtMs);
    return {
      name: source.name,
      ...verified,
      epoch,
      counts,
      disablesKeys,
      history,
      warnings: [...doubt, ...warnings],
      tookMs,
    };
  } finally {
    await turn.end().catch(() => undefined);
  }
}

export async function runCheck(task: RestoreTask) {
  const { context, config, source } = task;
  const present = await presentBlobs(config.blobs, config.blobsDir, s3Of(config));
  const findings = await readFindings(
    source,
    present,
    progressLine(context, (count) => `${count} entries verified`),
  ).catch((error: unknown) => {
    if (error instanceof BackupError) return error;
    throw error;
  });
  if (findings instanceof BackupError) {
    return checked([fail("file", findings.message, "nothing was changed")], null);
  }
  const opened = await readArchive(config);
  const asked = await facts(task, findings, present, opened);
  const { archive, history } = await readLater(opened, findings);
  await archive?.close();
  return checked(checksOf(findings, asked, { present, history }), findings);
}

function checked(checks: readonly Check[], findings: BackupFindings | null) {
  const possible = checks.every(({ level }) => level !== "fail");
  return { possible, json: { possible, checks, ...checkJson(findings) }, text: checks.map(checkText).join("\n") };
}

async function admit(task: RestoreTask, verified: VerifiedBackup, opened: OpenedArchive, turn: RestoreTurn | null) {
  const { config } = task;
  const present = await presentBlobs(config.blobs, config.blobsDir, s3Of(config));
  try {
    const now = await facts(task, verified, present, opened);
    const asked = { ...now, found: withoutTurn(now.found, turn) };
    const doubt = epochDoubt(asked);
    return { epoch: admitRestore(asked), isRepeated: asked.found.mark !== null, doubt: doubt === null ? [] : [doubt] };
  } finally {
    present.close();
  }
}

async function facts(
  { config, options, kv }: RestoreTask,
  { header, trailer }: VerifiedBackup,
  present: PresentBlobs,
  { archive }: OpenedArchive,
): Promise<AdmitRestore> {
  const isOwn = archive !== null && archive.id === header.archive?.id;
  return {
    header,
    digest: trailer.sha256,
    found: await readTarget(kv),
    known: await readIdentity(identityFileOf(config)),
    archivedEpoch: isOwn ? await archive.restoredEpoch(header.storeId) : null,
    aboveEpoch: options.aboveEpoch ?? 0,
    restarts: options.restart === true,
    masterKeys: masterKeyIds(config),
    withoutMasterKeys: options.withoutMasterKeys === true,
    blobsOf: await present.storeId(),
  };
}

async function readLater({ archive, whyUnread }: OpenedArchive, { header }: VerifiedBackup) {
  const history: History = await readHistory(archive, whyUnread, header, systemClock.now());
  // Another archive says nothing of this store's tasks either.
  const isOwn = archive !== null && archive.id === header.archive?.id;
  if (!isOwn) await archive?.close();
  return { archive: isOwn ? archive : null, history };
}

function countEntries(onProgress: (count: number) => void): () => void {
  let count = 0;
  return () => onProgress(count++);
}

function checkJson(findings: BackupFindings | null): object {
  if (findings === null) return {};
  const { header, trailer, blobs, voided, tasksRunning } = findings;
  return {
    store_id: header.storeId,
    epoch: header.epoch,
    revision: header.revision,
    taken: new Date(header.takenAt).toISOString(),
    entries: trailer.entries,
    blobs: { named: blobs.named, missing: blobs.missing, missing_blobs: blobs.missingBlobs },
    voided,
    tasks_running: tasksRunning,
  };
}

function s3Of({ s3Region: region, s3Endpoint: endpoint }: Config) {
  return { region, endpoint };
}
