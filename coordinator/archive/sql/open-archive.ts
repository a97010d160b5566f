/** Opens the archive that a setting names, and makes sure that it is the one of this store. */
import type { Clock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import type { Logger } from "@elastic/std/log.ts";
import { claimArchive } from "../../store/archive-claim.ts";
import type { Kv } from "../../store/kv.ts";
import type { Archive } from "../archive.ts";
import { type ArchiveLocation, describeLocation } from "../location.ts";
import { openPostgres } from "./postgres.ts";
import type { Sql } from "./sql.ts";
import { openSqlArchive } from "./sql-archive.ts";
import { openSqlite } from "./sqlite.ts";

export interface OpenArchiveOptions {
  readonly location: ArchiveLocation;
  readonly kv: Pick<Kv, "txn" | "read">;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Rejects with a sentence when the store's history is elsewhere. */
export async function openArchive({ location, kv, clock, log }: OpenArchiveOptions): Promise<Archive> {
  const archive = await openSqlArchive(await openDatabase(location, log), newId(clock.now()));
  try {
    const claimed = await claimArchive(kv, { id: archive.id, kind: location.kind });
    if (claimed.id !== archive.id) throw new Error(refusal(location, claimed.kind));
    return archive;
  } catch (error) {
    await archive.close();
    throw error;
  }
}

export function openDatabase(location: ArchiveLocation, log: Logger): Promise<Sql> {
  return location.kind === "sqlite" ? openSqlite(location) : openPostgres({ url: location.url, log });
}

function refusal(location: ArchiveLocation, claimedKind: ArchiveLocation["kind"]): string {
  const elsewhere = `this store's history is in another archive (${claimedKind}), not in ${describeLocation(location)}`;
  const several =
    location.kind === "sqlite"
      ? "A file serves one coordinator: for several, configure PostgreSQL (ELASTIC_ARCHIVE=postgres://user@host/database) for each. "
      : "";
  return `${elsewhere}. ${several}To change a store's archive, stop its coordinators and run elastic-coordinator use-archive`;
}
