/** Which blobs an entry of the store names. Pure. */
import type { Build } from "../../domain/build.ts";
import type { Deployment } from "../../domain/deployment.ts";
import type { Task } from "../../domain/task.ts";
import { isComplete, type TaskBatch } from "../../domain/task-batch.ts";
import type { Upload } from "../../domain/upload.ts";
import type { Volume } from "../../domain/volume.ts";
import { decodeRecord, isMalformedRecord } from "../../store/codec.ts";
import { parseAnyRecordKey } from "../../store/keys.ts";
import type { BackupBlob, BackupEntry } from "./lines.ts";

/** Of a volume only the list of its files, which is a blob itself and names them; none of a record that nobody can read. */
export function blobsOfEntry({ key, value }: BackupEntry): readonly BackupBlob[] {
  const of = parseAnyRecordKey(key);
  if (of === null || isMalformedRecord(of.kind, value)) return [];
  switch (of.kind) {
    case "tasks":
      return ofTask(decodeRecord(value).value as Task);
    case "uploads": {
      const { teamId, sha256, bytes } = decodeRecord(value).value as Upload;
      return [{ teamId, sha256, bytes }];
    }
    case "batches": {
      const batch = decodeRecord(value).value as TaskBatch;
      return isComplete(batch) ? [] : [{ teamId: batch.teamId, ...batch.body }];
    }
    case "builds": {
      const { teamId, source } = decodeRecord(value).value as Build;
      return source === null ? [] : [{ teamId, sha256: source.sha256, bytes: source.bytes }];
    }
    case "volumes": {
      const { teamId, manifestSha256, manifestBytes } = decodeRecord(value).value as Volume;
      return [{ teamId, sha256: manifestSha256, bytes: manifestBytes }];
    }
    case "deployments": {
      const { teamId, canary } = decodeRecord(value).value as Deployment;
      if (canary === undefined || canary.input.where !== "blob") return [];
      return [{ teamId, sha256: canary.input.sha256, bytes: canary.input.bytes }];
    }
    default:
      return [];
  }
}

function ofTask({ teamId, input, phase }: Task): readonly BackupBlob[] {
  const refs = phase.kind === "succeeded" ? [input, phase.result] : [input];
  return refs.filter(({ where }) => where === "blob").map(({ sha256, bytes }) => ({ teamId, sha256, bytes }));
}
