/** Names of backups: the store, when it was taken, and of which state. Of one store the state decides which is newer. Pure. */
import type { BackupHeader } from "./header.ts";

const NAME =
  /^elastic-(?<storeId>[0-9a-f]{32})-(?<time>\d{8}T\d{6}Z)-(?<epoch>\d{1,10})-(?<revision>\d{1,16})\.backup\.age$/;

export function backupName({ storeId, takenAt, epoch, revision }: BackupHeader): string {
  const time = new Date(takenAt).toISOString().replace(/[-:]|\.\d+/g, "");
  return `elastic-${storeId}-${time}-${epoch}-${revision}.backup.age`;
}

interface NamedState {
  readonly storeId: string;
  readonly time: string;
  readonly epoch: number;
  readonly revision: number;
}

/** Null for what is no backup's name. */
export function parseBackupName(name: string): NamedState | null {
  const groups = NAME.exec(name)?.groups;
  if (groups === undefined) return null;
  const { storeId = "", time = "", epoch, revision } = groups;
  return { storeId, time, epoch: Number(epoch), revision: Number(revision) };
}

/**
 * Those of the store beyond the newest `keep`, the oldest first, and never the one that was just taken. Epoch and revision say
 * which is newer, and not the time, which is of whichever clock took it. Whatever else is there is left alone.
 */
export function namesToRemove(
  names: readonly string[],
  { storeId, taken, keep }: { readonly storeId: string; readonly taken: string; readonly keep: number },
): readonly string[] {
  const others = names.flatMap((name) => {
    const found = parseBackupName(name);
    return found === null || found.storeId !== storeId || name === taken ? [] : [{ name, ...found }];
  });
  others.sort((a, b) => a.epoch - b.epoch || a.revision - b.revision || compareText(a.time, b.time));
  return others.slice(0, Math.max(0, others.length - Math.max(0, keep - 1))).map(({ name }) => name);
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
