/** Follows a build to its end: its log for people, and its record or why there is no image. */
import { getBuild } from "../api/builds.ts";
import type { Caller } from "../api/client.ts";
import type { BuildRecord } from "../api/records.ts";
import type { Context } from "../context.ts";
import { CliError } from "../errors/cli-error.ts";
import { isOpenBuild } from "../output/build-text.ts";
import { printableStream } from "../output/printable-stream.ts";
import { writeBuildLog } from "./write-build-log.ts";

type Surroundings = Pick<Context, "printer" | "signal">;

/** Throws a CliError for a build that ends without an image. */
export async function awaitBuild(context: Surroundings, caller: Caller, begun: BuildRecord): Promise<BuildRecord> {
  const { printer } = context;
  if (begun.waiting_for !== null) printer.note(`Waits for ${begun.waiting_for}.`);
  if (isOpenBuild(begun)) await showLog(context, caller, begun.build_id);
  const build = await getBuild(caller, begun.build_id);
  if (build.phase === "succeeded") return build;
  const { failure, build_id: id } = build;
  const at = failure?.line ? ` (line ${failure.line} of ${build.build_file})` : "";
  const why = failure === null ? "it was cancelled" : `${failure.reason}: ${failure.message}${at}`;
  throw new CliError(`The build ended without an image: ${why}`, {
    code: failure?.reason ?? "cancelled",
    next: `\`elastic build logs ${id}\` shows what it wrote; \`elastic build retry ${id} --no-cache\` runs every step again.`,
  });
}

async function showLog(context: Surroundings, caller: Caller, buildId: string): Promise<void> {
  const { printer } = context;
  const text = printableStream();
  const show = (lines: string) => {
    for (const line of lines.split("\n")) if (line !== "") printer.note(line);
  };
  await writeBuildLog(context, caller, {
    buildId,
    follow: true,
    write: async (bytes) => show(text.take(bytes)),
    onRun: async (run) => show(`${text.end()}\nIts machine was lost; run ${run}:`),
  });
  show(text.end());
}
