/** Ids are drawn from bytes that are fetched in bulk: what an earlier run left of them is used up, so that a run begins afresh. */
import { newId } from "@elastic/std/ids.ts";
import type { World } from "./world.ts";

/** Ids of one fetch. */
const IDS_AT_ONCE = 1_024;

/** To be called in the context of a process of `world`. */
export function alignIds(world: World): void {
  const before = world.random.fills();
  while (world.random.fills() === before) newId(0);
  for (let drawn = 1; drawn < IDS_AT_ONCE; drawn++) newId(0);
}
