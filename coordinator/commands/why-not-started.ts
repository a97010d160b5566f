/** Why a coordinator did not start, for its operator: what is no fault of the program is logged without a stack. */
import { ListenError } from "@elastic/std/net/listen-error.ts";
import { BackupError } from "../backup/file/backup-error.ts";
import type { Config } from "../config/config.ts";
import { KeysDoNotServeError } from "../startup/open-serving-secrets.ts";
import { EtcdFileError } from "../store/etcd/etcd-files.ts";
import { StoreOutgrownError } from "../store/identity/meta.ts";
import { StoreChangedError, StoreUnavailableError } from "../store/kv.ts";
import { StoreRestoringError } from "../store/refuse-restoring.ts";
import { etcdAdvice } from "./etcd-advice.ts";

/** One sentence and what to do; null for an error that has to be looked into. */
export function whyNotStarted(error: unknown, { etcd }: Pick<Config, "etcd">): string | null {
  if (error instanceof BackupError) return error.message;
  if (error instanceof ListenError || error instanceof StoreChangedError) return error.message;
  if (error instanceof EtcdFileError || error instanceof StoreRestoringError) return error.message;
  if (error instanceof StoreOutgrownError || error instanceof KeysDoNotServeError) return error.message;
  if (!(error instanceof StoreUnavailableError)) return null;
  const advice = etcdAdvice(error.message, etcd);
  if (advice !== null) return advice;
  const isNamed = etcd.every((endpoint) => error.message.includes(endpoint));
  const now = isNamed ? "" : ` (now ${etcd.join(",")})`;
  return `${error.message}. Start etcd, or name where it listens by --etcd or ELASTIC_ETCD${now}`;
}
