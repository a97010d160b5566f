import { Command } from "commander";
import type { Context } from "../context/context.ts";
import { examples } from "./examples.ts";
import { poolDelete } from "./pool-delete.ts";
import { poolInfo } from "./pool-info.ts";
import { poolList } from "./pool-list.ts";
import { poolResume } from "./pool-resume.ts";
import { poolSet } from "./pool-set.ts";
import { poolToken } from "./pool-token.ts";

/** `elastic pool …`: for those who run the service. */
export function poolGroup(context: Context): Command {
  return new Command("pool")
    .description("machines that are added and removed by what waits, for those who run the service")
    .addCommand(poolList(context))
    .addCommand(poolInfo(context))
    .addCommand(poolSet(context))
    .addCommand(poolResume(context))
    .addCommand(poolToken(context))
    .addCommand(poolDelete(context))
    .addHelpText("after", examples("elastic pool set h100 --file h100.json", "elastic pool list"));
}
