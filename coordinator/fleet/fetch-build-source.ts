/** Streams the source of a build to the node that it is assigned to. */
import type { FetchBuildSourceRequest, FetchBuildSourceResponse } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { isId } from "@elastic/std/ids.ts";
import { type ServerWritableStream, status } from "@grpc/grpc-js";
import { isOfBuild } from "../domain/assignment.ts";
import type { Build } from "../domain/build.ts";
import type { FleetContext } from "./fleet-context.ts";
import { identityOf } from "./node-identity.ts";
import { NAMES_NO_ASSIGNMENT, NO_NODE_IDENTITY, Refusal } from "./refusal.ts";
import { type BytesToSend, sendBytes } from "./send-bytes.ts";

type Context = Pick<FleetContext, "store" | "blobs" | "log" | "metrics" | "violations">;
export type FetchSourceCall = ServerWritableStream<FetchBuildSourceRequest, FetchBuildSourceResponse>;

const NOT_THE_NODES_BUILD = new Refusal(
  status.NOT_FOUND,
  "the assignment is not this node's, has ended, or is no build's",
);

export function handleFetchBuildSource(context: Context, call: FetchSourceCall): Promise<void> {
  return sendBytes(call, () => find(context, call), { ...context, what: "the source of a build" });
}

async function find(context: Context, call: FetchSourceCall): Promise<BytesToSend> {
  const identity = identityOf(call);
  if (identity === null) throw NO_NODE_IDENTITY;
  const { assignmentId, offset } = call.request;
  if (!isId(assignmentId)) throw NAMES_NO_ASSIGNMENT;
  const build = await buildOn(context, identity.nodeId, assignmentId);
  if (build === null || build.source === null) throw NOT_THE_NODES_BUILD;
  const { sha256, bytes } = build.source;
  if (offset > BigInt(bytes)) throw new Refusal(status.OUT_OF_RANGE, `the source has ${bytes} bytes`);
  const blob = await context.blobs.open(build.teamId, sha256, { offset: Number(offset), isVerifiedByReader: true });
  if (blob === null) throw new Refusal(status.DATA_LOSS, "the source is gone");
  return { source: blob.stream, onSent: (sent) => context.metrics.fleet.inputFetched(sent) };
}

/** Read from the store: what ended a moment ago is not sent. */
async function buildOn({ store }: Context, nodeId: string, assignmentId: string): Promise<Build | null> {
  const assignment = (await store.get("assignments", assignmentId))?.value;
  if (assignment === undefined || assignment.nodeId !== nodeId || !isOfBuild(assignment)) return null;
  return (await store.get("builds", assignment.workload.buildId))?.value ?? null;
}
