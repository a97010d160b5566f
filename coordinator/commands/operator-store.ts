/** For commands that change the store and exit: of the settings they need only those with which etcd is reached. */
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { auditedRotations } from "../audit/audited-rotations.ts";
import { auditedStore } from "../audit/audited-store.ts";
import type { AuditContext } from "../audit/entries-of-commit.ts";
import { etcdAccessOf } from "../config/etcd-access.ts";
import { connectEtcd } from "../store/etcd/etcd-kv.ts";
import type { Kv } from "../store/kv.ts";
import { openStore } from "../store/open/open-store.ts";
import type { Store } from "../store/store.ts";
import type { CommandContext } from "./command-context.ts";
import { configOf } from "./setting-options.ts";
import { whyNotStarted } from "./why-not-started.ts";

/**
 * Runs `act` over the store, whose commits are in the audit log, prints what it returns and ends the process; what it
 * throws is printed in one line. What changes nothing that a team sees may commit to the third, which is not audited. Steps of
 * rotations, which are no commits, have their entries by the second.
 */
export async function withOperatorStore(
  context: CommandContext,
  etcd: string | undefined,
  act: (store: Store, kv: Kv, unaudited: Store) => Promise<string>,
): Promise<never> {
  const config = configOf(context, { roles: "http", ...(etcd === undefined ? {} : { etcd }) });
  const log = createLog({ name: "elastic-coordinator", level: "silent" });
  try {
    const kv = connectEtcd({ endpoints: config.etcd, access: etcdAccessOf(config), log });
    const store = await openStore({ kv, clock: systemClock, log });
    const audited = auditedStore(store, () => operatorOf(context), systemClock);
    const rotations = auditedRotations(kv, operatorOf(context), systemClock);
    context.print(await act(audited, rotations, store));
    await store.close();
    await kv.close();
    return context.done();
  } catch (error) {
    return context.fail(whyNotStarted(error, config) ?? error);
  }
}

function operatorOf(context: CommandContext): AuditContext {
  const credential = { kind: "operator", id: null } as const;
  return { action: context.command(), userId: null, credential, address: null, requestId: null, teamId: null };
}
