/**
 * All entries of the store as of one revision, page by page, while it is written to. Not etcd's own database file: this is
 * restored into any etcd, whatever its members, certificates and users.
 */

import { metaOf, type StoreMeta } from "../../store/identity/meta.ts";
import { isPassing, META_KEY } from "../../store/keys.ts";
import { CompactedError, type Kv } from "../../store/kv.ts";
import { readPages } from "../../store/read-pages.ts";
import { BackupError } from "../file/backup-error.ts";
import { blobsOfEntry } from "../file/blobs-of-entry.ts";
import type { BackupPage } from "../file/lines.ts";

export interface Snapshot {
  readonly revision: number;
  readonly meta: StoreMeta;
  /** Rejects with CompactedError where etcd has forgotten that revision meanwhile: then begin again. */
  pages(): AsyncGenerator<BackupPage>;
}

export async function openSnapshot(kv: Pick<Kv, "range" | "read">): Promise<Snapshot> {
  const { revision, entries } = await kv.read([META_KEY]);
  const meta = metaOf(entries[0]);
  if (meta === null) {
    throw new BackupError(
      "there is nothing to back up: no coordinator has started on this etcd yet (check ELASTIC_ETCD)",
    );
  }
  return { revision, meta, pages: () => pagesAt(kv, revision) };
}

export function isCompacted(error: unknown): boolean {
  return error instanceof CompactedError;
}

async function* pagesAt(kv: Pick<Kv, "range">, at: number): AsyncGenerator<BackupPage> {
  for await (const page of readPages(kv, at)) {
    const entries = page.filter(({ key }) => !isPassing(key));
    const blobs = new Map(entries.flatMap(blobsOfEntry).map((blob) => [`${blob.teamId}/${blob.sha256}`, blob]));
    yield { entries, blobs: [...blobs.values()] };
  }
}
