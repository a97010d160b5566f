/** `elastic-coordinator serve`: runs a coordinator until it receives a signal to stop. */

import { setTimeout as delay } from "node:timers/promises";
import { createLog, type Logger } from "@elastic/std/log.ts";
import { logUncaughtErrors } from "@elastic/std/log-uncaught-errors.ts";
import { tuneYoungGeneration } from "@elastic/std/young-generation.ts";
import { Command } from "commander";
import { type Config, formerVariables } from "../config/config.ts";
import { SETTINGS, type SettingName } from "../config/settings.ts";
import { PROVIDER_HELP } from "../login/provider-settings.ts";
import { SOURCE_HELP } from "../source-hosts/source-settings.ts";
import type { CommandContext } from "./command-context.ts";
import { configOf, type Flags, optionOf } from "./setting-options.ts";
import { whyNotStarted } from "./why-not-started.ts";

/** Every part stops faster; a stop that hangs must not keep a supervisor from restarting the process. */
const STOP_WITHIN_MS = 20_000;

export function serveCommand(context: CommandContext): Command {
  const command = new Command("serve").description("run a coordinator until it receives SIGTERM or SIGINT");
  for (const name of Object.keys(SETTINGS) as SettingName[]) command.addOption(optionOf(name));
  return command
    .addHelpText(
      "after",
      `
Every setting is also an environment variable; flags go before.
${PROVIDER_HELP}
${SOURCE_HELP}

Examples:
  $ elastic-coordinator serve --tls-ca ca.pem --tls-cert coordinator.pem --tls-key coordinator.key
  $ ELASTIC_ETCD=http://10.0.0.5:2379 ELASTIC_GRPC_LISTEN=0.0.0.0:8443 elastic-coordinator serve
  $ elastic-coordinator serve --roles http --http-listen 0.0.0.0:8080`,
    )
    .action(async (flags: Flags) => {
      const config = configOf(context, flags);
      const log = createLog({ name: "elastic-coordinator", level: config.logLevel });
      for (const line of formerVariables(context.env)) log.warn(line);
      await runUntilSignal(context, config, log);
    });
}

async function runUntilSignal(context: CommandContext, config: Config, log: Logger): Promise<never> {
  tuneYoungGeneration();
  logUncaughtErrors(log);
  const signalled = Promise.withResolvers<string>();
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      // A second signal does not wait for the stop that the first began.
      process.on(signal, () => process.exit(130));
      signalled.resolve(signal);
    });
  }
  // Here, so that the other commands need not load a server.
  const { serve } = await import("../startup/serve.ts");
  const serving = await serve(config, log).catch((error: unknown) => {
    const why = whyNotStarted(error, config);
    if (why === null) log.fatal({ err: error }, "could not start");
    else log.fatal({ why }, "could not start");
    return context.fail(why ?? error);
  });
  const signal = await signalled.promise;
  serving.announceStop();
  // Whoever presses Ctrl-C waits for it.
  const delayS = signal === "SIGTERM" && config.roles.includes("http") ? config.shutdownDelay : 0;
  log.info({ signal, afterS: delayS }, delayS === 0 ? "stopping" : "no longer ready, and stopping soon");
  await delay(1000 * delayS);
  setTimeout(() => {
    log.error({ withinMs: STOP_WITHIN_MS }, "the stop took too long");
    process.exit(1);
  }, STOP_WITHIN_MS).unref();
  await serving.stop();
  log.info("stopped");
  return context.done();
}
