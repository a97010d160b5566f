/** Streams the input of a running attempt to the node that runs it. */
import type { Readable } from "node:stream";
import type { FetchInputRequest, FetchInputResponse } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { type ServerWritableStream, status } from "@grpc/grpc-js";
import type { Task } from "../domain/task.ts";
import { findRunningOn, readAttemptRef } from "./attempt-ref.ts";
import type { FleetContext } from "./fleet-context.ts";
import { identityOf } from "./node-identity.ts";
import { NAMES_NO_ATTEMPT, NO_NODE_IDENTITY, NOT_THE_NODES_ATTEMPT, Refusal } from "./refusal.ts";
import { type BytesToSend, sendBytes } from "./send-bytes.ts";

type Context = Pick<FleetContext, "store" | "blobs" | "log" | "metrics" | "violations">;
export type FetchCall = ServerWritableStream<FetchInputRequest, FetchInputResponse>;

export function handleFetchInput(context: Context, call: FetchCall): Promise<void> {
  return sendBytes(call, () => find(context, call), { ...context, what: "an input" });
}

async function find(context: Context, call: FetchCall): Promise<BytesToSend> {
  const identity = identityOf(call);
  if (identity === null) throw NO_NODE_IDENTITY;
  const named = readAttemptRef(call.request.attempt);
  if (named === null) throw NAMES_NO_ATTEMPT;
  const task = await findRunningOn(context, identity.nodeId, named);
  if (task === null) throw NOT_THE_NODES_ATTEMPT;
  const { bytes } = task.value.input;
  if (call.request.offset > BigInt(bytes)) {
    throw new Refusal(status.OUT_OF_RANGE, `the input has ${bytes} bytes`);
  }
  const source = await openInput(context, task.value, Number(call.request.offset));
  return { source, onSent: (sent) => context.metrics.fleet.inputFetched(sent) };
}

async function openInput(context: Context, task: Task, offset: number): Promise<Iterable<Buffer> | Readable> {
  if (task.input.where === "store") {
    const data = await context.store.bytes("input", task.id);
    if (data !== null) return [data.subarray(offset)];
  } else {
    const blob = await context.blobs.open(task.teamId, task.input.sha256, { offset, bytes: task.input.bytes });
    if (blob !== null) return blob.stream;
  }
  // Another attempt would find it no more than this one.
  throw new Refusal(status.DATA_LOSS, "the input is missing");
}
