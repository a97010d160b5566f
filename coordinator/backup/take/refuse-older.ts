/** Whether what etcd holds is older than what is backed up already: such a copy must not push out the good ones. Pure. */
import { BackupError } from "../file/backup-error.ts";

const NAME = /^elastic-(?<storeId>[0-9a-f]{32})-.*-(?<epoch>\d{1,10})-(?<revision>\d{1,16})\.backup\.age$/;

export interface StoreState {
  readonly storeId: string;
  readonly epoch: number;
  readonly revision: number;
}

/** Throws BackupError where one of the names is of a later state of the same store. `where` is the place of the names. */
export function refuseOlder(state: StoreState, names: readonly string[], where: string): void {
  const later = names.find((name) => {
    const groups = NAME.exec(name)?.groups;
    if (groups === undefined || groups.storeId !== state.storeId) return false;
    const epoch = Number(groups.epoch);
    return epoch > state.epoch || (epoch === state.epoch && Number(groups.revision) > state.revision);
  });
  if (later === undefined) return;
  throw new BackupError(
    `no backup was written or removed: etcd holds an older state (epoch ${state.epoch}, revision ${state.revision}) than the ` +
      `backup ${later} in ${where}, so an older copy of etcd was put back. Put back etcd's newest data or restore the newest ` +
      "backup (docs/operators.md, etcd was put back or emptied); to back up what etcd has now all the same, name another --to",
  );
}
