/** Builds a folder on a machine of the fleet and waits for the image. */
import type { Caller } from "../api/caller.ts";
import type { BuildRecord } from "../api/records.ts";
import type { Context } from "../context/context.ts";
import { awaitBuild } from "./await-build.ts";
import { startBuild } from "./start-build.ts";

export interface RemoteBuildWish {
  readonly serviceId: string;
  readonly folder: string;
  /** Values of the build file's ARGs. */
  readonly buildArgs: Readonly<Record<string, string>>;
  readonly tag?: string;
  /** Whether earlier steps and images may be used. */
  readonly cache: boolean;
  /** The same key makes one build, however often it is requested. */
  readonly idempotencyKey?: string;
}

/** Throws a CliError where there is no image at the end. */
export async function remoteBuild(context: Context, caller: Caller, wish: RemoteBuildWish): Promise<BuildRecord> {
  const { serviceId, folder, buildArgs, tag, cache, idempotencyKey } = wish;
  const options = { build_args: { ...buildArgs }, no_cache: !cache, ...(tag === undefined ? {} : { tag }) };
  const begun = await startBuild(context, caller, { serviceId, folder, options, idempotencyKey });
  const { build_id: id, reused_from: reusedFrom } = begun;
  const reuse = reusedFrom === null ? "" : `: the image of ${reusedFrom}, unchanged.`;
  context.printer.begun({ json: { build_id: id }, text: `Build ${id}${reuse}` });
  return await awaitBuild(context, caller, begun);
}
