/** Whether images can be built here, where the machine's operator wants that. */

import { type Check, fail, ok } from "@elastic/std/check.ts";
import { type BuildMachine, findBuilder, thisMachine } from "../builds/can-build.ts";
import type { BuildSettings } from "../domain/build-settings.ts";

export function checkBuilds(
  { max, path }: Pick<BuildSettings, "max" | "path">,
  machine: BuildMachine = thisMachine(path),
): Check {
  if (max === 0) return ok("builds", "none are wanted (ELASTIC_BUILDS is 0)");
  const found = findBuilder(machine);
  if ("programs" in found) return ok("builds", `${max} at a time, with BuildKit in ${found.programs}`);
  return fail("builds", found.whyNot, "mend what it names, or set ELASTIC_BUILDS=0");
}
