import { Command } from "commander";
import { deleteService, getService } from "../api/services.ts";
import type { Context } from "../context/context.ts";
import { findLink, removeLink } from "../link/service-link.ts";
import { printableLine } from "../output/printable.ts";
import { assertConfirmed } from "../prompts/confirm.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";
import { chosenServiceId, type ServiceOption, withService } from "./service-option.ts";

interface Options extends ServiceOption {
  readonly yes?: boolean;
}

/** `elastic service delete`: ends its workloads, cancels what is open, and frees the directory for another service. */
export function serviceDelete(context: Context): Command {
  return withOutput(withService(new Command("delete")))
    .description("delete the service: its open tasks are cancelled, and its directory is linked no longer")
    .option("--yes", "skip the confirmation")
    .addHelpText("after", examples("elastic service delete", "elastic service delete --service <service_id> --yes"))
    .action(async (options: Options) => {
      const { printer } = context;
      const caller = await openSession(context);
      const { service_id: id, service_name: name } = await getService(
        caller,
        await chosenServiceId(context, caller, options),
      );
      const named = `${printableLine(name)} (${printableLine(id)})`;
      if (!options.yes) await assertConfirmed(context, `Delete the service ${named} and cancel its open tasks?`);
      await deleteService(caller, id);
      printer.result({ json: { service_id: id, deleted: true }, text: `Deleted ${named}.` });
      const found = await findLink(context.directory).catch(() => null);
      if (found?.link.serviceId !== id || found.link.url !== caller.url) return;
      await removeLink(found.path);
      printer.note(`Removed ${found.path}: this directory can have another service.`);
    });
}
