/** What a restore did, for its operator: as text, and as JSON. */
import { counted } from "@elastic/std/counted.ts";
import type { VerifiedBackup } from "../backup/restore/read-backup.ts";
import type { History } from "../backup/restore/read-later-changes.ts";
import type { RestoreCounts } from "../backup/restore/restored-batches.ts";

export interface Restored extends VerifiedBackup {
  readonly name: string;
  readonly epoch: number;
  readonly counts: RestoreCounts;
  readonly disablesKeys: boolean;
  readonly history: History;
  /** What the operator has to look at. */
  readonly warnings: readonly string[];
  readonly tookMs: number;
}

/** Of lost changes, in text. */
const SHOWN_MAX = 20;

export function restoredText(restored: Restored): string {
  const { name, header, counts, epoch, tookMs, history, warnings, disablesKeys } = restored;
  const { changed, leftOut } = counts;
  const { requeued = 0, disabled = 0, ...closed } = changed;
  const { voided = 0, archived = 0, identity: _, unopened: _remade, ...alsoClosed } = leftOut;
  const ended = Object.entries({ ...closed, ...alsoClosed }).map(([what, count]) => `${what} (${count})`);
  const lost = history.later.lost();
  return [
    `${counted(counts.restored, "entry", "entries")} restored from ${name} in ${(tookMs / 1000).toFixed(1)} s; the store's epoch is ${epoch}`,
    `${voided} sessions, one-time links, codes and tokens were left out; queued again: ${counted(requeued, "running task")}; ` +
      `in the archive, of tasks that ended since: ${counted(archived, "entry", "entries")}`,
    ...(ended.length > 0 ? [`ended again, as after the backup: ${ended.join(", ")}`] : []),
    ...(ended.length === 0 && history.unknownBecause === null ? ["nothing was ended after the backup"] : []),
    ...(history.unknownBecause === null
      ? [
          `lost, after ${timeText(header.takenAt)} UTC: ${counted(lost.total, "other change")}${lost.total === 0 ? "" : ":"}`,
          ...lost.changes.slice(0, SHOWN_MAX).map(lineOf),
          ...(lost.total > SHOWN_MAX ? [`  and ${lost.total - SHOWN_MAX} more, which --json names`] : []),
        ]
      : [`what was changed after the backup is not known: ${history.unknownBecause}`]),
    ...(disablesKeys
      ? [
          `disabled: ${counted(disabled, "access key")}. Revoke those that must not return, then elastic-coordinator key enable --all`,
        ]
      : []),
    ...warnings.map((warning) => `warning: ${warning}`),
    ...withoutMasterKeysText(counts.unopened),
    "Start the coordinators. Tasks that the backup did not know are listed by elastic-coordinator lost-tasks once agents have linked.",
  ].join("\n");
}

/** In the order in which an operator does it. */
const WITHOUT_MASTER_KEYS: Readonly<Record<string, string>> = {
  "keys of the node authority": "coordinators make a new authority: enroll every machine again (token create --node)",
  "SSH host keys": "coordinators make a new one: SSH clients see another host key (elastic shell info shows it)",
  "environments of deployments": "deploy again with the variables: these deployments start no container",
  "passwords of shells": "create these shells again",
  webhooks: "create them again: nothing can be signed with their secrets",
  "credentials of repositories": "connect the repositories again",
};

/** What cannot be opened any more, a line each. */
function withoutMasterKeysText(unopened: Readonly<Record<string, number>>): readonly string[] {
  const lines = Object.entries(unopened).map(
    ([what, count]) => `  ${what} (${count})${what in WITHOUT_MASTER_KEYS ? `: ${WITHOUT_MASTER_KEYS[what]}` : ""}`,
  );
  return lines.length === 0 ? [] : ["cannot be opened without the lost master keys:", ...lines];
}

type Lost = ReturnType<History["later"]["lost"]>["changes"][number];

function lineOf({ at, action, kind, id, name }: Lost): string {
  return `  ${timeText(at)}  ${action}  ${kind} ${name ?? id}`;
}

export function restoredJson({
  name,
  header,
  trailer,
  counts,
  epoch,
  tookMs,
  history,
  warnings,
  disablesKeys,
}: Restored): object {
  const { total, changes } = history.later.lost();
  return {
    name,
    store_id: header.storeId,
    taken: new Date(header.takenAt).toISOString(),
    epoch_before: header.epoch,
    epoch,
    entries: trailer.entries,
    restored: counts.restored,
    changed: counts.changed,
    left_out: counts.leftOut,
    unopened: counts.unopened,
    keys_disabled: disablesKeys,
    later_changes_unknown: history.unknownBecause,
    warnings,
    rotated_later: history.later.rotations().map(({ at, action, object, before, after }) => ({
      at: new Date(at).toISOString(),
      action,
      kind: object.kind,
      id: object.id,
      before,
      after,
    })),
    lost_changes_total: total,
    lost_changes: changes.map(({ at, action, kind, id, name: called, teamId, userId }) => ({
      at: new Date(at).toISOString(),
      action,
      kind,
      id,
      name: called,
      team_id: teamId === "" ? null : teamId,
      user_id: userId,
    })),
    took_ms: tookMs,
  };
}

function timeText(at: number): string {
  return new Date(at).toISOString().slice(0, 19);
}
