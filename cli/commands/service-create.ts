import { Command } from "commander";
import { createService } from "../api/services.ts";
import type { Context } from "../context/context.ts";
import { isThere, PROGRAM } from "../init/new-files.ts";
import { assertLinkable, writeLink } from "../link/service-link.ts";
import { printableLine } from "../output/printable.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";

/** `elastic service create`: creates a service and links it to the directory. */
export function serviceCreate(context: Context): Command {
  return withOutput(new Command("create"))
    .description("create a service and link it to the current directory")
    .argument("<service_name>", "name of the service")
    .addHelpText("after", examples("elastic service create poseidon"))
    .action(async (name: string) => {
      const { printer, directory } = context;
      await assertLinkable(directory);
      const caller = await openSession(context);
      const service = await createService(caller, name);
      const { service_id: serviceId, service_name: serviceName } = service;
      const path = await writeLink(directory, { url: caller.url, serviceId, serviceName });
      printer.result({
        json: { ...service, link: path },
        text: `Created the service ${printableLine(serviceName)} (${printableLine(serviceId)}), linked by ${path}.`,
      });
      const isOurs = isThere(directory, PROGRAM);
      printer.note(isOurs ? "Next: elastic build, then elastic deploy" : "Next: elastic deploy --image <image>");
    });
}
