/** A build that the key may see. What is unknown, malformed or another team's is refused in the same words. */
import { isId } from "@elastic/std/ids.ts";
import { mayUseTeam } from "../../auth/authorize.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import type { Build } from "../../domain/build.ts";
import type { Store, Versioned } from "../../store/store.ts";
import { notFound } from "../problem.ts";

/** As it is now. */
export async function readBuild(store: Store, key: AccessKey, id: string): Promise<Versioned<Build>> {
  const build = isId(id) ? await store.get("builds", id) : null;
  if (build === null || !mayUseTeam(store.view, key, build.value.teamId)) throw notFound("build");
  return build;
}
