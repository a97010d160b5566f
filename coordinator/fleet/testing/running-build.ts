/** A build that runs on a node, with its source among the blobs. */
import { newId } from "@elastic/std/ids.ts";
import type { BlobStore } from "../../blobs/blob-store.ts";
import { running } from "../../domain/build.ts";
import { aBuild, aBuildAssignment } from "../../domain/testing/records.ts";
import { create } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";

const SOURCE_TEXT = "a source";

export async function aRunningBuild(store: Store, blobs: BlobStore, nodeId: string) {
  const fresh = aBuild();
  const content = Buffer.from(SOURCE_TEXT);
  const { sha256, bytes } = await blobs.put(fresh.teamId, [content] as never, { bytesMax: content.length });
  const assignmentId = newId(Date.now());
  const source = { kind: "archive", sha256, bytes } as const;
  const build = running({ ...fresh, source }, { assignmentId, nodeId }, Date.now());
  await store.commit([create("builds", build), create("assignments", aBuildAssignment(build, nodeId, assignmentId))]);
  return { assignmentId, buildId: build.id };
}
