import { Command } from "commander";
import type { Context } from "../context/context.ts";
import { type Check, checkText, failedBy, ok } from "../doctor/check.ts";
import { checkEngine, checkRegistry } from "../doctor/engine-checks.ts";
import { checkCargo, checkLink, checkNode } from "../doctor/machine-checks.ts";
import { checkService } from "../doctor/service-checks.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";

/** `elastic doctor`: looks at everything the other commands need, and says what to do about what is missing. */
export function doctor(context: Context): Command {
  return withOutput(new Command("doctor"))
    .description("check this machine, the login and the service")
    .addHelpText("after", examples("elastic doctor", "elastic doctor --json"))
    .action(async () => {
      const checks = await allChecks(context);
      const healthy = checks.every(({ level }) => level !== "fail");
      context.printer.result({ json: { healthy, checks }, text: checks.map(checkText).join("\n") });
      if (!healthy) throw new CliError("Something is amiss.", { exitCode: EXIT.failure, code: "unhealthy" });
    });
}

async function allChecks(context: Context): Promise<readonly Check[]> {
  const machine = [
    checkNode(process.versions.node),
    await checkCargo(context.settings.cargoHome),
    await checkLink(context.directory),
  ];
  machine.push(await checkEngine(context.settings.engine, context.signal));
  return [...machine, ...(await loginChecks(context))];
}

/** Without a login there is no service to query. */
async function loginChecks(context: Context): Promise<readonly Check[]> {
  try {
    const caller = await openSession(context);
    const service = await checkService(caller, Date.now);
    const isReachable = service.every(({ level }) => level !== "fail");
    const registry = isReachable ? [await checkRegistry(caller)] : [];
    return [ok("login", `as stored or set, for ${caller.url}`), ...service, ...registry];
  } catch (error) {
    if (error instanceof CliError) return [failedBy("login", error)];
    throw error;
  }
}
