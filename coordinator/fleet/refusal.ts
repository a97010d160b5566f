/** Why a stream or call ends: a gRPC status and a sentence that says what to do. */
import { type ServiceError, status } from "@grpc/grpc-js";
import { BlobCorruptError, BlobsFullError, BlobsUnavailableError } from "../blobs/blob-store.ts";
import { RecordTooLargeError, UnreadableRecordError } from "../store/codec.ts";
import { StoreUnavailableError } from "../store/kv.ts";
import { TooManyConflictsError } from "../store/update.ts";

export class Refusal extends Error implements Pick<ServiceError, "code" | "details"> {
  override readonly name = "Refusal";
  readonly code: status;
  readonly details: string;

  constructor(code: status, details: string) {
    super(details);
    this.code = code;
    this.details = details;
  }
}

/** What was sent. */
export type ViolationOf =
  | "message"
  | "hello"
  | "acknowledgement"
  | "attempt"
  | "workload"
  | "build"
  | "progress"
  | "logs"
  | "upload"
  | "request";

/** Of what no agent of any version sends, whatever races there are: a node that repeats it is quarantined. */
export class Violation extends Refusal {
  readonly of: ViolationOf;

  constructor(of: ViolationOf, code: status, details: string) {
    super(code, details);
    this.of = of;
  }
}

export const NO_NODE_IDENTITY = new Refusal(
  status.UNAUTHENTICATED,
  "the client certificate names no node: it needs one URI SAN of the form elastic://node/<node id>",
);

export const NOT_THE_NODES_ATTEMPT = new Refusal(
  status.NOT_FOUND,
  "the attempt is not this node's or is no longer current",
);

export const NAMES_NO_ATTEMPT = new Violation("request", status.NOT_FOUND, "it names what is no attempt");

export const NAMES_NO_ASSIGNMENT = new Violation("request", status.NOT_FOUND, "it names what is no assignment");

export const CERTIFICATE_ENDED = new Refusal(
  status.UNAUTHENTICATED,
  "the certificate has ended: connect with a new one",
);

/** Only a hello makes a lost node ready again. */
export const DECLARED_LOST = new Refusal(status.UNAVAILABLE, "the node was declared lost: connect again");

export const STOPPED = new Refusal(status.UNAVAILABLE, "the coordinator stops");

const TOO_LARGE = new Refusal(status.INVALID_ARGUMENT, "the report does not fit a record of 8 KiB");

const TOO_MANY_CONFLICTS = new Refusal(status.UNAVAILABLE, "others change the same records; connect again in a moment");

/** It may have been evicted. */
export const UNREADABLE_NODE = new Refusal(
  status.UNAVAILABLE,
  "a later version wrote the record of this node, which this coordinator cannot read: connect to another one",
);

/** What the other side may know of it. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof RecordTooLargeError) return TOO_LARGE;
  if (error instanceof UnreadableRecordError) return new Refusal(status.UNAVAILABLE, `${error.message}; try another`);
  if (error instanceof StoreUnavailableError) return new Refusal(status.UNAVAILABLE, "the store is away; try again");
  if (error instanceof TooManyConflictsError) return TOO_MANY_CONFLICTS;
  if (error instanceof BlobsUnavailableError) return new Refusal(status.UNAVAILABLE, "blobs are away; try again");
  if (error instanceof BlobCorruptError) return new Refusal(status.DATA_LOSS, "what was stored is damaged or missing");
  if (error instanceof BlobsFullError) return new Refusal(status.UNAVAILABLE, "there is no room for blobs");
  return new Refusal(status.INTERNAL, "the coordinator failed; its log says why");
}
