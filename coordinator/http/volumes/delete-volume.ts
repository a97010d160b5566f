/**
 * DELETE /v1/volumes/:id. Refused while a deployment that serves or comes up has it. Such a deployment was written
 * together with a mark on the volume, and what is removed here is the volume as the view shows it: a view that does
 * not know the deployment yet does not know the mark either, and the removal does not hold.
 */
import { pause } from "@elastic/std/pause.ts";
import { z } from "zod";
import type { AccessKey } from "../../domain/access-key.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { Volume } from "../../domain/volume.ts";
import { refusals } from "../../public/refusals.ts";
import { remove } from "../../store/change.ts";
import { update } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireKey } from "../access/caller.ts";
import { readVisible } from "../access/read-visible.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { UnreferencedUploadDeps } from "../limits/unreferenced-uploads.ts";
import { Problem } from "../problems/problem.ts";
import { servicesWithVolume } from "./services-with-volume.ts";

const LOOKS_MAX = 20;
const BEHIND_MS = 50;
const NEVER = new AbortController().signal;

const schema = {
  operationId: "deleteVolume",
  summary: "Delete a data volume",
  description: "Its files go with it, but for those that other volumes have.",
  tags: ["volumes"],
  params: z.object({ id: z.string() }),
  response: { 204: z.null().describe("Deleted."), ...refusals(401, 403, 404, 409, 429, 503) },
};

export function deleteVolume(app: App, deps: CallerDeps & RecordDeps & UnreferencedUploadDeps): void {
  app.route({
    method: "DELETE",
    url: "/v1/volumes/:id",
    schema,
    onRequest: requireKey(deps, "services"),
    handler: async (request, reply) => {
      await removeUnused(deps, keyOf(request), request.params.id);
      deps.log.info({ requestId: request.id, volumeId: request.params.id }, "volume deleted");
      return reply.code(204).send(null);
    },
  });
}

async function removeUnused(
  { store, unreferencedUploads }: UnreferencedUploadDeps & Pick<RecordDeps, "store">,
  key: AccessKey,
  id: string,
): Promise<void> {
  const { result: removed } = await update(store, {
    read: () => readShown(store, key, id),
    decide: (seen) => {
      const [user] = servicesWithVolume(store.view, id);
      if (user === undefined) return { changes: [remove("volumes", seen)], result: seen.value };
      const detail = `The service ${user.name} (${user.id}) has it deployed; deploy without it, or delete the service.`;
      throw new Problem("volume_in_use", detail);
    },
  });
  // Its files take room until they are swept.
  unreferencedUploads.add(removed.teamId, id, removed.bytes);
}

/** As the view shows it, once that is not behind the store. */
async function readShown(store: RecordDeps["store"], key: AccessKey, id: string): Promise<Versioned<Volume>> {
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const read = await readVisible(store, key, "volumes", id);
    const seen = store.view.volumes.get(id);
    if (seen !== undefined && seen.revision >= read.revision) return seen;
    await pause(BEHIND_MS, NEVER);
  }
  throw new Problem("overloaded", "The volume changes too quickly; try again in a moment.");
}
