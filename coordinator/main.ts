#!/usr/bin/env node
/** `elastic-coordinator`: reads the command line and the environment, and starts what they ask for. */
import { systemClock } from "@elastic/std/clock.ts";
import { createLog, type Logger } from "@elastic/std/log.ts";
import { Command, Option } from "commander";
import { bootstrapStore } from "./bootstrap.ts";
import { type Config, ConfigError, loadConfig } from "./config.ts";
import { serve } from "./serve.ts";
import { SETTINGS, type SettingName } from "./settings.ts";
import { connectEtcd } from "./store/etcd/etcd-kv.ts";
import { openStore } from "./store/open-store.ts";

/** Every part stops faster; a stop that hangs must not keep a supervisor from starting anew. */
const STOP_WITHIN_MS = 20_000;

type Flags = Readonly<Partial<Record<SettingName, string>>>;

const program = new Command("elastic-coordinator")
  .description("Control plane of the Elastic Proving Service: the public API, the scheduler, and the links to agents.")
  .addCommand(serveCommand(), { isDefault: false })
  .addCommand(bootstrapCommand());

await program.parseAsync();

function serveCommand(): Command {
  const command = new Command("serve").description("run a coordinator until it is told to stop (SIGTERM or SIGINT)");
  for (const name of Object.keys(SETTINGS) as SettingName[]) command.addOption(optionOf(name));
  return command
    .addHelpText(
      "after",
      `
Every setting is also an environment variable; flags go before. Examples:
  $ elastic-coordinator serve --tls-ca ca.pem --tls-cert coordinator.pem --tls-key coordinator.key
  $ ELASTIC_ETCD=http://10.0.0.5:2379 ELASTIC_GRPC_LISTEN=0.0.0.0:8443 elastic-coordinator serve
  $ elastic-coordinator serve --roles http --http-listen 0.0.0.0:8080`,
    )
    .action(async (flags: Flags) => {
      const config = configOrExit(flags);
      await runUntilSignal(config, createLog({ name: "elastic-coordinator", level: config.logLevel }));
    });
}

function bootstrapCommand(): Command {
  return new Command("bootstrap")
    .description("make the first user, team and access key of an empty store, and print the key once")
    .requiredOption("--user <name>", "name of the user")
    .requiredOption("--team <name>", "name of the team, which the user owns")
    .option("--key-name <name>", "name of the access key", "first key")
    .option("--json", "print one JSON object")
    .addOption(optionOf("etcd"))
    .addHelpText(
      "after",
      `
Examples:
  $ elastic-coordinator bootstrap --user ada --team research
  $ elastic-coordinator bootstrap --user ada --team research --json | jq -r .key`,
    )
    .action(bootstrap);
}

function optionOf(name: SettingName): Option {
  const { flag, placeholder, help, env, default: byDefault } = SETTINGS[name];
  const told = byDefault === "" ? env : `${env}, default ${byDefault}`;
  return new Option(`${flag} ${placeholder}`, `${help} (${told})`);
}

async function runUntilSignal(config: Config, log: Logger): Promise<void> {
  const signalled = Promise.withResolvers<string>();
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      // A second signal does not wait for the stop that the first began.
      process.on(signal, () => process.exit(130));
      signalled.resolve(signal);
    });
  }
  const serving = await serve(config, log).catch((error: unknown) => {
    log.fatal({ err: error }, "could not start");
    return exitWith(error);
  });
  log.info({ signal: await signalled.promise }, "stopping");
  setTimeout(() => {
    log.error({ withinMs: STOP_WITHIN_MS }, "the stop took too long");
    process.exit(1);
  }, STOP_WITHIN_MS).unref();
  await serving.stop();
  log.info("stopped");
  process.exit(0);
}

interface BootstrapOptions {
  readonly user: string;
  readonly team: string;
  readonly keyName: string;
  readonly json?: true;
  readonly etcd?: string;
}

async function bootstrap({ user, team, keyName, json, etcd }: BootstrapOptions): Promise<void> {
  const config = configOrExit({ roles: "http", ...(etcd === undefined ? {} : { etcd }) });
  const log = createLog({ name: "elastic-coordinator", level: "silent" });
  const kv = connectEtcd({ endpoints: config.etcd, log });
  const store = await openStore({ kv, clock: systemClock, log }).catch(exitWith);
  const made = await bootstrapStore(store, { user, team, key: keyName }, systemClock).catch(exitWith);
  if (made === null) return exitWith("this store has its first user already; keys are made by its users now");
  const { userId, teamId, key } = made;
  if (json) console.log(JSON.stringify({ key, user_id: userId, team_id: teamId, team_name: team }));
  else console.log(`team ${team} (${teamId})\nkey ${key}\nThe key is shown once and cannot be shown again.`);
  await store.close();
  await kv.close();
  process.exit(0);
}

function configOrExit(flags: Flags): Config {
  try {
    return loadConfig(process.env, flags);
  } catch (error) {
    if (error instanceof ConfigError) return exitWith(error);
    throw error;
  }
}

function exitWith(reason: unknown): never {
  console.error(`elastic-coordinator: ${reason instanceof Error ? reason.message : String(reason)}`);
  process.exit(1);
}
