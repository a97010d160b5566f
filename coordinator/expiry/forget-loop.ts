/**
 * Removes expired records, now and then: idempotency keys, batches, uploads, tickets for terminals, logins, device codes, deliveries
 * and grants of source hosts, services and shells that were deleted, nodes that were evicted or lost, and machines of pools that were
 * released, with their join tokens. A record is removed only
 * as it was read, so a task that is being made from an upload, or a key that is used again, is never overtaken.
 */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { Loop } from "@elastic/std/loop.ts";
import { isDeviceCodeOver } from "../domain/device-code.ts";
import { isForgotten } from "../domain/idempotency.ts";
import { isLostTaskForgotten } from "../domain/lost-task.ts";
import { isMachineForgotten } from "../domain/pool-machine.ts";
import { isPoolTokenOver } from "../domain/pool-token.ts";
import { isShellForgotten } from "../domain/shell-retention.ts";
import { isDeliveryForgotten } from "../domain/source-delivery.ts";
import { isGrantExpired } from "../domain/source-grant.ts";
import { isBatchForgotten } from "../domain/task-batch.ts";
import { isTicketOver } from "../domain/terminal-ticket.ts";
import { isExpired } from "../domain/upload.ts";
import { isLoginForgotten } from "../domain/used-login.ts";
import type { Versioned } from "../domain/versioned.ts";
import { type LoopMetrics, startMeteredLoop } from "../metrics/loop-metrics.ts";
import { remove } from "../store/change.ts";
import type { UnreadableRecordError } from "../store/codec.ts";
import type { Kv } from "../store/kv.ts";
import { readAllVersioned } from "../store/read-all.ts";
import type { RecordTypes, Store } from "../store/store.ts";
import type { TaskLogs } from "../task-logs/task-logs.ts";
import { forgetDeletedServices } from "./deleted-services.ts";
import { forgetBuilds } from "./ended-builds.ts";
import { forgetPastNodes } from "./past-nodes.ts";

const EVERY_MS = 10 * 60_000;
/** Commits under way at once: they share transactions. */
const AT_ONCE = 100;
/** What is more comes with the next round. */
const ROUND_MAX = 100_000;

export interface ForgetOptions {
  readonly kv: Pick<Kv, "range">;
  readonly store: Pick<Store, "commit" | "view">;
  readonly logs: Pick<TaskLogs, "remove">;
  readonly clock: Clock;
  /** One coordinator is enough. */
  readonly isLeading: () => boolean;
  readonly log: Logger;
}

export function startForgetting(options: ForgetOptions & { readonly loops: LoopMetrics }): Loop {
  const { isLeading: isActive, loops, log } = options;
  return startMeteredLoop({
    name: "forget_expired",
    everyMs: EVERY_MS,
    isActive,
    turn: () => forget(options),
    loops,
    log,
    failure: "nothing could be forgotten",
  });
}

export async function forget(options: Omit<ForgetOptions, "isLeading">): Promise<void> {
  const now = options.clock.now();
  const keys = await forgetEach(options, "idempotency-keys", (note) => isForgotten(note, now));
  const batches = await forgetEach(options, "batches", (batch) => isBatchForgotten(batch, now));
  const uploads = await forgetEach(options, "uploads", (upload) => isExpired(upload, now));
  const tickets = await forgetEach(options, "terminal-tickets", (ticket) => isTicketOver(ticket, now));
  const logins = await forgetEach(options, "used-logins", (login) => isLoginForgotten(login, now));
  const codes = await forgetEach(options, "device-codes", (code) => isDeviceCodeOver(code, now));
  const deliveries = await forgetEach(options, "source-deliveries", (delivery) => isDeliveryForgotten(delivery, now));
  const grants = await forgetEach(options, "source-grants", (grant) => isGrantExpired(grant, now));
  const shells = await forgetEach(options, "shells", (shell) => isShellForgotten(shell, now));
  const lost = await forgetEach(options, "lost-tasks", (task) => isLostTaskForgotten(task, now));
  const machines = await forgetEach(options, "pool-machines", (machine) => isMachineForgotten(machine, now));
  const poolTokens = await forgetEach(options, "pool-tokens", (token) => isPoolTokenOver(token, now));
  const builds = await forgetBuilds(options, now);
  const nodes = await forgetPastNodes(options.store, now);
  const ofServices = await forgetDeletedServices(options.store, now);
  const forgotten = {
    keys,
    batches,
    uploads,
    tickets,
    logins,
    codes,
    deliveries,
    grants,
    shells,
    lost,
    machines,
    poolTokens,
    builds,
    nodes,
    ofServices,
  };
  if (Object.values(forgotten).some((count) => count > 0)) options.log.info(forgotten, "removed expired records");
}

type Expiring =
  | "idempotency-keys"
  | "batches"
  | "uploads"
  | "terminal-tickets"
  | "used-logins"
  | "device-codes"
  | "source-deliveries"
  | "source-grants"
  | "shells"
  | "lost-tasks"
  | "pool-machines"
  | "pool-tokens";

/** Returns how many. */
async function forgetEach<K extends Expiring>(
  { kv, store, log }: Pick<ForgetOptions, "kv" | "store" | "log">,
  kind: K,
  isOver: (value: RecordTypes[K]) => boolean,
): Promise<number> {
  let removed = 0;
  let batch: Versioned<RecordTypes[K]>[] = [];
  const flush = async () => {
    await Promise.all(batch.map((read) => store.commit([remove(kind, read)])));
    removed += batch.length;
    batch = [];
  };
  const passOver = (err: UnreadableRecordError) => log.error({ err }, "a record cannot be read and stays");
  for await (const read of readAllVersioned(kv, kind, { passOver })) {
    if (isOver(read.value)) batch.push(read);
    if (batch.length === AT_ONCE) await flush();
    if (removed >= ROUND_MAX) return removed;
  }
  await flush();
  return removed;
}
