/**
 * A record of a team, as it is now, for a caller who may see it. What is unknown, malformed or another team's is refused in the
 * same words and time.
 */
import { isId } from "@elastic/std/ids.ts";
import { mayUseTeam } from "../../auth/authorize.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { RecordTypes, Store } from "../../store/store.ts";
import { notFound } from "../problems/problem.ts";

const NOUNS = {
  batches: "batch",
  builds: "build",
  deliveries: "delivery",
  invitations: "invitation",
  services: "service",
  shells: "shell",
  "source-connections": "source connection",
  tasks: "task",
  volumes: "volume",
  webhooks: "webhook",
} as const;

export async function readVisible<K extends keyof typeof NOUNS>(
  store: Pick<Store, "get" | "view">,
  key: AccessKey,
  kind: K,
  id: string,
): Promise<Versioned<RecordTypes[K]>> {
  const record = isId(id) ? await store.get(kind, id) : null;
  if (record === null || !mayUseTeam(store.view, key, record.value.teamId)) throw notFound(NOUNS[kind]);
  return record;
}
