/** What the commands of backups share: the settings of a coordinator, and what they name. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { createLog } from "@elastic/std/log.ts";
import { ArchiveUnavailableError } from "../archive/archive.ts";
import { type ArchiveReader, openArchiveReader } from "../archive/sql/read-archive.ts";
import type { Config } from "../config/config.ts";
import { etcdAccessOf } from "../config/etcd-access.ts";
import { readKeyFile } from "../secrets/key-file.ts";
import { connectEtcd } from "../store/etcd/etcd-kv.ts";
import { StoreIdentity } from "../store/identity/store-identity.ts";
import type { Kv } from "../store/kv.ts";
import type { CommandContext } from "./command-context.ts";

const log = createLog({ name: "elastic-coordinator", level: "silent" });
/** A line at a time, where it takes so long. */
const PROGRESS_EVERY_MS = 2_000;

export function connect(config: Config): { readonly kv: Kv; readonly clusterId: () => string } {
  const identity = new StoreIdentity();
  const kv = connectEtcd({ endpoints: config.etcd, access: etcdAccessOf(config), identity, log });
  return { kv, clusterId: () => identity.header()?.clusterId ?? "" };
}

/** Null where it cannot be read, with why. */
export async function readArchive(
  config: Pick<Config, "archive">,
): Promise<{ readonly archive: ArchiveReader | null; readonly whyUnread: string }> {
  try {
    return { archive: await openArchiveReader(config.archive, log), whyUnread: "" };
  } catch (error) {
    if (!(error instanceof ArchiveUnavailableError)) throw error;
    return { archive: null, whyUnread: `the archive cannot be read: ${error.message}` };
  }
}

/** Ids of the master keys; none where the file does not exist, which is not created. */
export function masterKeyIds({ secretsKeyFile }: Pick<Config, "secretsKeyFile">): readonly string[] {
  return existsSync(secretsKeyFile) ? readKeyFile(secretsKeyFile).map(({ id }) => id) : [];
}

export function identityFileOf(config: Pick<Config, "storeIdentityFile" | "secretsKeyFile">): string {
  return config.storeIdentityFile ?? join(dirname(config.secretsKeyFile), "store-identity.json");
}

/** Says on standard error how far it is, where it takes longer than two seconds. */
export function progressLine(context: Pick<CommandContext, "progress">, text: (count: number) => string) {
  let saidAtMs = performance.now();
  return (count: number): void => {
    if (performance.now() - saidAtMs < PROGRESS_EVERY_MS) return;
    saidAtMs = performance.now();
    context.progress(text(count));
  };
}
