/** What builds images on this machine, and clears away what a killed agent left of it; null where none are built. */
import { createHash } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "@elastic/std/log.ts";
import type { BuildSettings } from "../domain/build-settings.ts";
import type { EvictableStore } from "../domain/evictable.ts";
import type { RequestPullRight } from "../domain/pull-right.ts";
import type { OpenFile } from "../volumes/fetch-file.ts";
import type { BuildsOptions } from "./builds.ts";
import { openCacheDisks } from "./cache-disk.ts";
import { findBuilder, thisMachine } from "./can-build.ts";
import { removeLeftovers, runBuild } from "./run-build.ts";
import { openBuildsGroup, removeBuildsGroup } from "./sandbox/builds-group.ts";

/** As deploy/systemd/elastic-agent.service has it made. */
const RUN_FOLDER = "/run/elastic-builder";

export interface BuilderParts {
  /** The builder's own. */
  readonly folder: string;
  readonly socketDir: string;
  readonly openSource: (assignmentId: string) => OpenFile;
  readonly pullRight: RequestPullRight;
  readonly log: Logger;
}

export interface Builder extends Pick<BuildsOptions, "run" | "whyNot"> {
  /** What of earlier builds can be evicted; null where none are built. */
  readonly layers: EvictableStore | null;
  /** Once no build runs any more. */
  close(): Promise<void>;
}

export async function openBuilder(settings: BuildSettings, parts: BuilderParts): Promise<Builder> {
  const none = (whyNot: string): Builder => ({ run: null, whyNot, layers: null, close: async () => undefined });
  if (settings.max === 0) return none("this node builds no images");
  const found = findBuilder(thisMachine(settings.path));
  if ("whyNot" in found) return none(found.whyNot);
  const { folder, socketDir } = parts;
  const runFolder = runFolderOf(folder);
  // Its users pass through both.
  for (const each of [RUN_FOLDER, runFolder]) await mkdir(each, { recursive: true, mode: 0o711 });
  const group = groupOf(folder);
  try {
    await openBuildsGroup(group, settings.cpuWeight);
  } catch (error) {
    return none(`this node cannot build images: ${error instanceof Error ? error.message : error}`);
  }
  await removeLeftovers({ runFolder, socketDir });
  const { diskBytes, cacheBytes: totalBytes, egress, egressRanges, mirror } = settings;
  const disks = await openCacheDisks({ folder: join(folder, "disks"), diskBytes, totalBytes });
  const options = { ...parts, ...found, runFolder, group, diskBytes, disks, egress, egressRanges, mirror };
  return {
    run: (spec, call) => runBuild(options, spec, call),
    whyNot: "",
    layers: disks,
    close: async () => {
      await removeBuildsGroup(group);
      await rm(runFolder, { recursive: true, force: true });
    },
  };
}

/**
 * Of sandboxes while they run. Their users are nobody on this machine, and must get to their root directory: the state
 * directory is closed to them. The same folder for the same builder, so that a restart finds what was left.
 */
export function runFolderOf(folder: string): string {
  return join(RUN_FOLDER, nameOf(folder));
}

/** Control group of its sandboxes, in each hierarchy; the same for the same builder too. */
export function groupOf(folder: string): string {
  return `/elastic-builds-${nameOf(folder)}`;
}

function nameOf(folder: string): string {
  return createHash("sha256").update(folder).digest("hex").slice(0, 16);
}
