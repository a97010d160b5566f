/** Follows a build to its end: what it waits for and its log for people, and its record or why there is no image. */
import { setTimeout as delay } from "node:timers/promises";
import { away } from "../api/away.ts";
import { getBuild } from "../api/builds.ts";
import type { Caller } from "../api/caller.ts";
import type { BuildRecord } from "../api/records.ts";
import type { Context } from "../context/context.ts";
import { CliError, interrupted } from "../errors/cli-error.ts";
import { waiting } from "../errors/stopped-waiting.ts";
import { isOpenBuild } from "../output/build-text.ts";
import { printableStream } from "../output/printable-stream.ts";
import { nextAfter } from "./build-advice.ts";
import { writeBuildLog } from "./write-build-log.ts";

const POLL_MS = 500;

type Surroundings = Pick<Context, "printer" | "signal">;

/** Throws a CliError for a build that ends without an image, and where Ctrl-C ends the wait: the build continues. */
export async function awaitBuild(context: Surroundings, caller: Caller, begun: BuildRecord): Promise<BuildRecord> {
  const { build_id: id } = begun;
  const followed = follow(context, caller, begun).catch((error: unknown) => {
    throw context.signal.aborted ? interrupted() : error;
  });
  return await waiting(followed, {
    what: `The build ${id}`,
    next: `Run \`elastic build logs ${id} --follow\`, or \`elastic build cancel ${id}\`.`,
  });
}

async function follow(context: Surroundings, caller: Caller, begun: BuildRecord): Promise<BuildRecord> {
  if (isOpenBuild(await untilRun(context, caller, begun))) await showLog(context, caller, begun.build_id);
  const build = await getBuild(caller, begun.build_id);
  if (build.phase === "succeeded") return build;
  const { failure } = build;
  const at = failure?.line ? ` (line ${failure.line} of ${build.build_file})` : "";
  const why = failure === null ? "it was cancelled" : `${failure.reason}: ${failure.message}${at}`;
  throw new CliError(`The build ended without an image: ${why}`, {
    code: failure?.reason ?? "cancelled",
    next: nextAfter(build),
  });
}

/** Resolves once the build is on a machine or has ended. */
async function untilRun({ printer, signal }: Surroundings, caller: Caller, begun: BuildRecord): Promise<BuildRecord> {
  const beganMs = performance.now();
  const service = away(signal);
  let build = begun;
  while (build.phase === "queued") {
    const seconds = Math.floor((performance.now() - beganMs) / 1000);
    if (build.waiting_for !== null) printer.progress(`Waits for ${build.waiting_for}`, seconds);
    await delay(POLL_MS, undefined, { signal }).catch(() => {
      throw interrupted();
    });
    try {
      build = await getBuild(caller, begun.build_id);
      service.end();
    } catch (error) {
      await service.pause(error);
    }
  }
  return build;
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
