/**
 * The volumes an image declares. Each gets memory; one that does not becomes a folder of the host that anybody may
 * fill. The engine compares the paths of volumes and of memory as text, so a volume counts only in the spelling that
 * both agree on: rather than guess how an engine reads another one, such an image is refused.
 */

import { posix } from "node:path";
import { counted } from "@elastic/std/counted.ts";
import { StartFailure } from "../../domain/start-failure.ts";

const VOLUMES_MAX = 8;
const KERNEL_FOLDER = /^\/(proc|sys|dev)(\/|$)/;

/** The paths to mount memory at. Throws a StartFailure, which only the image's maker can mend. */
export function imageVolumes(declared: Readonly<Record<string, object>> | null | undefined): readonly string[] {
  const paths = Object.keys(declared ?? {});
  if (paths.length > VOLUMES_MAX) {
    throw refusal(`the image declares ${counted(paths.length, "volume")}; at most ${VOLUMES_MAX} are allowed`);
  }
  for (const path of paths) {
    const named = `the image declares the volume ${JSON.stringify(path)}`;
    if (!isPlain(path)) throw refusal(`${named}, which is not a plain absolute path such as "/data"`);
    if (KERNEL_FOLDER.test(path)) throw refusal(`${named}; none is allowed below /proc, /sys or /dev`);
  }
  return paths;
}

/** A colon parts the path from options where an engine reads mounts as text. */
function isPlain(path: string): boolean {
  return path.startsWith("/") && !path.endsWith("/") && !path.includes(":") && posix.normalize(path) === path;
}

function refusal(message: string): StartFailure {
  return new StartFailure("prover_error", message);
}
