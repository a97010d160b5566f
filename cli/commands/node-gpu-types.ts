import { Command } from "commander";
import { listGpuTypes } from "../api/gpu-types.ts";
import type { Context } from "../context/context.ts";
import { gpuTypeLines } from "../output/node-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";

/** `elastic node gpu-types`: what a deployment or a shell may request; any key may list them. */
export function nodeGpuTypes(context: Context): Command {
  return withOutput(new Command("gpu-types"))
    .description("list the types of GPUs that exist, and how many are free")
    .addHelpText("after", examples("elastic node gpu-types", "elastic node gpu-types --json"))
    .action(async () => {
      const types = await listGpuTypes(await openSession(context));
      context.printer.result({ json: types, text: types.length === 0 ? "There are no GPUs." : gpuTypeLines(types) });
    });
}
