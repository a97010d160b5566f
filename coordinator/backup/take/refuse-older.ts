/** Whether what etcd holds is older than what is backed up already: such a copy must not push out the good ones. Pure. */
import { BackupError } from "../file/backup-error.ts";
import { parseBackupName } from "../file/backup-name.ts";

export interface StoreState {
  readonly storeId: string;
  readonly epoch: number;
  readonly revision: number;
}

/** Throws BackupError where one of the names is of a later state of the same store. `where` is the place of the names. */
export function refuseOlder(state: StoreState, names: readonly string[], where: string): void {
  const later = names.find((name) => {
    const found = parseBackupName(name);
    if (found === null || found.storeId !== state.storeId) return false;
    return found.epoch > state.epoch || (found.epoch === state.epoch && found.revision > state.revision);
  });
  if (later === undefined) return;
  throw new BackupError(
    `no backup was written or removed: etcd holds an older state (epoch ${state.epoch}, revision ${state.revision}) than the ` +
      `backup ${later} in ${where}, so an older copy of etcd was put back. Put back etcd's newest data or restore the newest ` +
      "backup (docs/operators.md, etcd was put back or emptied); to back up what etcd has now all the same, name another --to",
  );
}
