/** A builder of this machine without a coordinator: what a test and a child process that it kills both open. */
import { createLog } from "@elastic/std/log.ts";
import type { BuildSettings } from "../../domain/build-settings.ts";
import { BUILDKIT_FOLDER } from "../../testing/start-test-agent.ts";
import type { OpenFile } from "../../volumes/fetch-file.ts";
import { type Builder, openBuilder } from "../open-builder.ts";

export interface BuilderPlace {
  /** The builder's own, with the teams' disks. */
  readonly folder: string;
  readonly socketDir: string;
}

const MIB = 1024 ** 2;
const SETTINGS: BuildSettings = {
  max: 1,
  egress: [],
  egressRanges: [],
  mirror: null,
  diskBytes: 1024 * MIB,
  cacheBytes: 4096 * MIB,
  // Tests run next to each other, and each waits for its builds.
  cpuWeight: 100,
  path: BUILDKIT_FOLDER,
};

export async function openTestBuilder(
  place: BuilderPlace,
  openSource: (assignmentId: string) => OpenFile,
  settings: Partial<BuildSettings> = {},
): Promise<{ readonly run: NonNullable<Builder["run"]> } & Pick<Builder, "close">> {
  const { run, whyNot, close } = await openBuilder(
    { ...SETTINGS, ...settings },
    {
      ...place,
      openSource,
      pullRight: async () => null,
      log: createLog({ name: "builder", level: process.env.TEST_LOG_LEVEL ?? "silent" }),
    },
  );
  if (run === null) throw new Error(whyNot);
  return { run, close };
}
