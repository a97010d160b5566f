/** Backups under a prefix of a bucket. */
import type { Bucket } from "../../blobs/s3/bucket.ts";
import type { BackupPlace } from "./backup-place.ts";

export function bucketPlace(bucket: Bucket, description: string): BackupPlace {
  return {
    description,
    write: (name, file) => bucket.putStream(name, file),
    read: async (name) => (await bucket.get(name, 0))?.stream ?? null,
    list: async () => {
      const names: string[] = [];
      for await (const page of bucket.list("")) names.push(...page.map(({ key }) => key));
      return names;
    },
    remove: (name) => bucket.remove(name),
    close: () => bucket.close(),
  };
}
