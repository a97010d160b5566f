/** Writes a build's log out, every byte once. After a cut connection it resumes at the byte where it was. */
import { away } from "../api/away.ts";
import { getBuild, openBuildLog } from "../api/builds.ts";
import type { Caller } from "../api/caller.ts";
import type { Context } from "../context/context.ts";
import { isOpenBuild } from "../output/build-text.ts";

export interface BuildLogWish {
  readonly buildId: string;
  readonly follow: boolean;
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** What comes is of another run: the machine of the one before was lost. */
  readonly onRun: (run: number) => Promise<void>;
}

/**
 * Resolves at the end of the log, or with `follow` of the build. Waits up to a minute for a service that is
 * unavailable, then throws.
 */
export async function writeBuildLog(
  { signal }: Pick<Context, "signal">,
  caller: Caller,
  wish: BuildLogWish,
): Promise<void> {
  let run: number | null = null;
  let offset = 0;
  const waiting = away(signal);
  for (;;) {
    try {
      const log = await openBuildLog(caller, wish.buildId, { offset, follow: wish.follow });
      waiting.end();
      if (run !== null && log.number !== run) {
        run = log.number;
        offset = 0;
        await wish.onRun(run);
        continue;
      }
      run = log.number;
      for await (const bytes of log.bytes) {
        offset += bytes.length;
        await wish.write(bytes);
      }
      const build = wish.follow ? await getBuild(caller, wish.buildId) : null;
      if (build === null || !isOpenBuild(build)) return;
    } catch (error) {
      await waiting.pause(error);
    }
  }
}
