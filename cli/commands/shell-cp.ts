import { existsSync } from "node:fs";
import { Command } from "commander";
import type { Context } from "../context/context.ts";
import { usageError } from "../errors/cli-error.ts";
import { openSession } from "../session/session.ts";
import { addressOf } from "../shell/address.ts";
import { notComing } from "../shell/await-shell.ts";
import { copyArguments, parseCopyPlace, shellOfCopy } from "../shell/copy-arguments.ts";
import { findShell } from "../shell/find-shell.ts";
import { findWay } from "../shell/find-way.ts";
import { runOpenssh } from "../shell/run-openssh.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";

/** `elastic shell cp`: the system's scp takes over. */
export function shellCp(context: Context): Command {
  return new Command("cp")
    .description("copy a file into a shell or out of it, with the system's scp")
    .argument("<from>", "a path here, or <shell>:<path>", notEmpty("place"))
    .argument("<to>", "the same", notEmpty("place"))
    .option("-r, --recursive", "a folder with everything in it")
    .addHelpText("after", examples("elastic shell cp prover.rs lab:src/", "elastic shell cp -r lab:results ."))
    .action(async (from: string, to: string, options: { readonly recursive?: boolean }) => {
      const places = [parseCopyPlace(from), parseCopyPlace(to)] as const;
      const named = shellOfCopy(...places);
      const [source] = places;
      if (source.shell === null && !existsSync(source.path)) throw usageError(`There is no file ${source.path} here.`);
      const caller = await openSession(context);
      const shell = await findShell(caller, named);
      if (shell.state !== "READY") throw notComing(shell);
      const address = addressOf(shell);
      const way = await findWay(context.settings.configDir, caller, address);
      await runOpenssh("scp", context, way, copyArguments(way.target, places, options.recursive ?? false));
    });
}
