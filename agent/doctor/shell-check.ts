/** Whether shells can be here: they need more of a machine than provers do. */

import { type Check, ok, warn } from "@elastic/std/check.ts";
import { whyNoShells } from "../workloads/shell/can-have-shells.ts";

export function checkShells(why: string | null = whyNoShells()): Check {
  if (why === null) return ok("shells", "their disks can be had");
  return warn("shells", why, "it runs provers all the same: shells are placed on other machines");
}
