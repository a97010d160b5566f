/** Data volumes as the commands print them. */
import type { VolumeRecord } from "../api/records.ts";
import { columns } from "./columns.ts";
import { sizeText } from "./size-text.ts";

export function volumeLines(volumes: readonly VolumeRecord[]): string {
  return columns(
    ["NAME", "VOLUME ID", "FILES", "SIZE", "CREATED", "LAST DEPLOYED"],
    volumes.map(({ name, volume_id: id, file_count: files, bytes, created, last_deployed: deployed }) => [
      name,
      id,
      String(files),
      sizeText(bytes),
      created,
      deployed,
    ]),
  );
}
