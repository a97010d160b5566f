/** Whether a backup may be restored into the store as it is, and as which epoch. Pure. */
import type { KnownStore } from "../../store/identity/compare-store.ts";
import { type StoreMeta, schemaOfStore } from "../../store/identity/meta.ts";
import { whyOutgrown } from "../../store/store-schema.ts";
import { BackupError } from "../file/backup-error.ts";
import type { BackupHeader } from "../file/header.ts";
import type { RestoreMark } from "./restore-mark.ts";

/** What stands in etcd before anything is written. */
export interface FoundTarget {
  readonly revision: number;
  /** Null where no coordinator has written it, or a restore that did not end has removed it. */
  readonly meta: StoreMeta | null;
  /** Whether there is any other key of this service. */
  readonly isEmpty: boolean;
  /** Processes that run on it. */
  readonly coordinators: readonly string[];
  readonly hasLeader: boolean;
  /** Of a restore that was begun and did not end. */
  readonly mark: RestoreMark | null;
}

export interface AdmitRestore {
  readonly header: BackupHeader;
  /** Names the file by its content. */
  readonly digest: string;
  readonly found: FoundTarget;
  /** What the coordinator of this machine knows of the store; null for nothing. */
  readonly known: KnownStore | null;
  /** The highest epoch of an earlier restore by the store's archive, 0 for none; null where that cannot be read. */
  readonly archivedEpoch: number | null;
  /** An epoch that the store is known to have had, as the operator says; 0 for none. */
  readonly aboveEpoch: number;
  /** Whether another restore that did not end may be abandoned. */
  readonly restarts: boolean;
  /** Ids of the master keys that this machine has. */
  readonly masterKeys: readonly string[];
  /** Whether the master keys may be missing. */
  readonly withoutMasterKeys: boolean;
  /** To which store the blobs belong that coordinators will use; null where nothing says so yet. */
  readonly blobsOf: string | null;
}

/** The epoch that the store gets. Throws BackupError with what to do. */
export function admitRestore(asked: AdmitRestore): number {
  const { header, digest, found, restarts } = asked;
  refuseRunning(found);
  const why = whyOutgrown(schemaOfStore(header));
  if (why !== null) throw refusal(`the backup is of a later version: ${why}`);
  admitKeys(asked);
  if (asked.blobsOf !== null && asked.blobsOf !== header.storeId) {
    throw refusal(
      `the blobs are of store ${asked.blobsOf}, and the backup is of ${header.storeId}: correct ELASTIC_BLOBS or ` +
        "ELASTIC_BLOBS_DIR, or name a backup of that store",
    );
  }
  if (found.mark !== null) admitAgain(found.mark, { header, digest, restarts });
  else admitTarget(header, found);
  const epochs = [header.epoch, found.meta?.epoch ?? 0, epochKnownHere(asked), (found.mark?.epoch ?? 1) - 1];
  return Math.max(...epochs, asked.archivedEpoch ?? 0, asked.aboveEpoch) + 1;
}

/** What to do where nothing outside of the backup says which epoch the store has had; null where something does. */
export function epochDoubt(asked: AdmitRestore): string | null {
  const { header, archivedEpoch, aboveEpoch } = asked;
  if (archivedEpoch !== null || aboveEpoch > 0 || epochKnownHere(asked) > 0) return null;
  return (
    "the archive of this store, which has the epochs of earlier restores, was not read, and this machine does not know the " +
    `store. If it was restored or accepted after epoch ${header.epoch} before, machines may reject the coordinators for good: ` +
    "empty this etcd and restore with --above-epoch and the highest epoch in the coordinators' ELASTIC_STORE_IDENTITY_FILE; or " +
    "restart all agents"
  );
}

function epochKnownHere({ header, known }: AdmitRestore): number {
  return known?.blobStoreId === header.storeId ? known.epoch : 0;
}

/** Throws BackupError while coordinators run. */
export function refuseRunning({ coordinators, hasLeader }: Pick<FoundTarget, "coordinators" | "hasLeader">): void {
  if (coordinators.length === 0 && !hasLeader) return;
  const where = coordinators.length > 0 ? `: ${coordinators.join(", ")}` : "";
  throw refusal(`coordinators run on this etcd${where}. Stop all of them, wait 10 s, and repeat the command`);
}

function admitKeys({ header, masterKeys, withoutMasterKeys }: AdmitRestore): void {
  const missing = header.masterKeys.filter((id) => !masterKeys.includes(id));
  if (missing.length === 0 || withoutMasterKeys) return;
  throw refusal(
    `the master keys ${missing.join(", ")} are not in ELASTIC_SECRETS_KEY_FILE, and what the store has sealed is readable ` +
      "with them alone: copy the file here; or, if it is lost, repeat the command with --without-master-keys",
  );
}

function admitAgain(
  mark: RestoreMark,
  { header, digest, restarts }: Pick<AdmitRestore, "header" | "digest" | "restarts">,
): void {
  if (mark.digest === digest) return;
  if (mark.storeId !== header.storeId) {
    throw refusal(
      `a restore of another store, from ${mark.name}, did not end: repeat it, or empty this etcd first (${EMPTY_IT})`,
    );
  }
  if (restarts) return;
  throw refusal(
    `a restore from ${mark.name} did not end: repeat it, or add --restart to restore from this file instead`,
  );
}

function admitTarget(header: BackupHeader, { meta, isEmpty, revision }: FoundTarget): void {
  if (meta === null) {
    if (isEmpty) return;
    throw refusal(
      `this etcd holds keys under /elastic/v1/ and no identity of a store: check ELASTIC_ETCD, or empty it first (${EMPTY_IT})`,
    );
  }
  if (meta.blobStoreId !== header.storeId) {
    throw refusal(
      `this etcd holds store ${meta.blobStoreId}, and the backup is of ${header.storeId}: check ELASTIC_ETCD; or, to give up ` +
        `what this etcd holds, empty it first (${EMPTY_IT})`,
    );
  }
  // Revisions of one epoch are of one history, also where etcd was restored from its own snapshot into another cluster.
  const isNewer = meta.epoch > header.epoch || (meta.epoch === header.epoch && revision > header.revision);
  if (!isNewer) return;
  throw refusal(
    `this etcd holds a newer state of the store (epoch ${meta.epoch}, revision ${revision}) than the backup (epoch ` +
      `${header.epoch}, revision ${header.revision}): start the coordinators with it; or, to give it up, empty it first (${EMPTY_IT})`,
  );
}

const EMPTY_IT = "etcdctl del --prefix /elastic/v1/";

function refusal(why: string): BackupError {
  return new BackupError(`nothing was changed: ${why}`);
}
