import { Command } from "commander";
import { getService } from "../api/services.ts";
import type { Context } from "../context/context.ts";
import { noDeploymentText, noLogText } from "../deploy/no-log.ts";
import { showComingUp, showComingUpNow } from "../deploy/show-coming-up.ts";
import { openSession } from "../session/session.ts";
import { writeServiceLog } from "../tasks/write-service-log.ts";
import { parseCount } from "./counts.ts";
import { examples } from "./examples.ts";
import { chosenServiceId, type ServiceOption, withService } from "./service-option.ts";

const TASKS = 20;

interface Options extends ServiceOption {
  readonly follow?: boolean;
  readonly tasks: number;
}

/** `elastic service logs`: what the provers of the directory's service wrote, and with `--follow` what they write. */
export function serviceLogs(context: Context): Command {
  return withService(new Command("logs"))
    .description(
      "print what the provers of the service wrote for its newest tasks, each line with its task's last digits, and what a prover that is coming up wrote",
    )
    .option("-f, --follow", "follow what they write, from the start of a prover that is coming up, until Ctrl-C")
    .option("--tasks <count>", "how many of the newest tasks to begin with, up to 50", parseCount, TASKS)
    .addHelpText(
      "after",
      examples(
        "elastic service logs",
        "elastic service logs -f --tasks 0",
        "elastic service logs --service poseidon -f | grep -i error",
      ),
    )
    .action(async ({ follow = false, tasks, ...options }: Options) => {
      const { printer } = context;
      const caller = await openSession(context);
      const serviceId = await chosenServiceId(context, caller, options);
      // Where it is unavailable, what reads the log waits or says why.
      const service = await getService(caller, serviceId).catch(() => null);
      const write = async () => await writeServiceLog(context, caller, serviceId, { tasks, follow });
      if (!follow) {
        const isStarting = service !== null && (await showComingUpNow(context, caller, service));
        const isWritten = await write();
        if (service !== null && !isStarting && !isWritten) printer.note(`No log yet: ${noLogText(service)}`);
        return;
      }
      const nothing = service && noDeploymentText(service);
      if (nothing) printer.note(`No log yet: ${nothing}; what its prover writes follows here.`);
      const over = new AbortController();
      void showComingUp(context, { ...caller, signal: over.signal }, serviceId, over.signal);
      await write().finally(() => over.abort());
    });
}
