/** A volume that the key may see. What is unknown, malformed or another team's is refused in the same words. */
import { isId } from "@elastic/std/ids.ts";
import { mayUseTeam } from "../../auth/authorize.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import type { Volume } from "../../domain/volume.ts";
import type { Store, Versioned } from "../../store/store.ts";
import { notFound } from "../problem.ts";

/** As it is now. */
export async function readVolume(store: Store, key: AccessKey, id: string): Promise<Versioned<Volume>> {
  const volume = isId(id) ? await store.get("volumes", id) : null;
  if (volume === null || !mayUseTeam(store.view, key, volume.value.teamId)) throw notFound("volume");
  return volume;
}
