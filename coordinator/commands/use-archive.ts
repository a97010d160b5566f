/** `elastic-coordinator use-archive`: changes where a store's history is, from a file to PostgreSQL for one. */

import { systemClock } from "@elastic/std/clock.ts";
import { counted } from "@elastic/std/counted.ts";
import { newId } from "@elastic/std/ids.ts";
import { createLog, type Logger } from "@elastic/std/log.ts";
import { Command } from "commander";
import { type ArchiveLocation, describeLocation, parseArchiveLocation } from "../archive/location.ts";
import { copyArchive } from "../archive/sql/copy-archive.ts";
import { migrate } from "../archive/sql/migrate.ts";
import { openDatabase } from "../archive/sql/open-archive.ts";
import { ConfigError } from "../config/config.ts";
import { etcdAccessOf } from "../config/etcd-access.ts";
import { replaceArchiveClaim } from "../store/archive-claim.ts";
import { livingCoordinators } from "../store/coordinators.ts";
import { connectEtcd } from "../store/etcd/etcd-kv.ts";
import type { CommandContext } from "./command-context.ts";
import { examples } from "./examples.ts";
import { configOf, optionOf } from "./setting-options.ts";
import { whyNotStarted } from "./why-not-started.ts";

interface Options {
  readonly archive: string;
  readonly copyFrom?: string;
  readonly etcd?: string;
}

export function useArchiveCommand(context: CommandContext): Command {
  return new Command("use-archive")
    .description("change where ended tasks are stored; the coordinators must be stopped")
    .requiredOption(
      "--archive <place>",
      "where they are from now on: sqlite:<file> or postgres://<user>@<host>/<database>",
    )
    .option("--copy-from <place>", "where they were: they are copied first; without it they are no longer shown")
    .addOption(optionOf("etcd"))
    .addHelpText(
      "after",
      examples(
        "elastic-coordinator use-archive --copy-from sqlite:/var/lib/elastic/archive.db --archive postgres://elastic@db/history",
      ),
    )
    .action((options: Options) => useArchive(context, options));
}

async function useArchive(context: CommandContext, { archive, copyFrom, etcd }: Options): Promise<never> {
  const config = configOf(context, { roles: "http", ...(etcd === undefined ? {} : { etcd }) });
  const log = createLog({ name: "elastic-coordinator", level: "silent" });
  try {
    const kv = connectEtcd({ endpoints: config.etcd, access: etcdAccessOf(config), log });
    const to = locationOf(archive);
    const living = await livingCoordinators(kv);
    if (living.length > 0) throw new Error(`stop the coordinators of this store first: ${living.join(", ")}`);
    const { id, copied } = await prepare(to, copyFrom === undefined ? null : locationOf(copyFrom), log);
    await replaceArchiveClaim(kv, { id, kind: to.kind });
    await kv.close();
    const outcome =
      copied === null ? "Tasks that ended before are no longer shown." : `Copied: ${counted(copied, "task")}.`;
    context.print(`${outcome}\nStart the coordinators with ELASTIC_ARCHIVE=${describeLocation(to)}`);
    return context.done();
  } catch (error) {
    return context.fail(whyNotStarted(error, config) ?? error);
  }
}

/** The archive's id, and how many tasks were copied into it. */
async function prepare(to: ArchiveLocation, from: ArchiveLocation | null, log: Logger) {
  const fresh = newId(systemClock.now());
  await using opened = new AsyncDisposableStack();
  const target = await openDatabase(to, log);
  opened.defer(() => target.close());
  const id = await migrate(target, fresh);
  if (from === null) return { id, copied: null };
  const source = await openDatabase(from, log);
  opened.defer(() => source.close());
  const sourceId = await migrate(source, fresh);
  return { id: sourceId, copied: await copyArchive(source, target) };
}

function locationOf(text: string): ArchiveLocation {
  const location = parseArchiveLocation(text);
  if (location === null) throw new ConfigError(`${JSON.stringify(text)} is neither sqlite:<file> nor postgres://…`);
  return location;
}
