/** What an error says about the request: never taken, refused for good, or nobody knows. */
import { status } from "@grpc/grpc-js";
import {
  CompactedError,
  OutcomeUnknownError,
  StoreChangedError,
  StoreFullError,
  StoreRefusedError,
  StoreUnavailableError,
} from "../kv.ts";
import { GrpcStatusError, NeverSentError } from "./unary-channel.ts";

const NO_SPACE = "database space exceeded";

/** The error for a caller of Kv.txn. What is not known to be harmless counts as unknown. */
export function txnError(cause: unknown): Error {
  const message = messageOf(cause);
  if (wasNeverTaken(cause)) return new StoreUnavailableError(`etcd is away: ${message}`, { cause });
  if (isRefusal(cause)) return new StoreRefusedError(`etcd refused: ${message}`, { cause });
  if (hasStatus(cause, status.RESOURCE_EXHAUSTED) && message.includes(NO_SPACE)) {
    return new StoreFullError(`etcd is full: ${message}`, { cause });
  }
  if (hasStatus(cause, status.RESOURCE_EXHAUSTED) && message.includes("etcdserver:")) {
    return new StoreUnavailableError(`etcd takes no writes: ${message}`, { cause });
  }
  return new OutcomeUnknownError(`the response of etcd was lost: ${message}`, { cause });
}

/** The error for a caller of anything but a transaction. */
export function readError(cause: unknown): Error {
  if (cause instanceof StoreChangedError) return cause;
  const message = messageOf(cause);
  // Of a lease; reads succeed in a full store.
  if (message.includes(NO_SPACE)) return new StoreFullError(`etcd is full: ${message}`, { cause });
  if (hasStatus(cause, status.OUT_OF_RANGE)) return new CompactedError(message, { cause });
  return new StoreUnavailableError(`etcd did not respond: ${message}`, { cause });
}

function wasNeverTaken(cause: unknown): boolean {
  if (cause instanceof NeverSentError) return true;
  return hasStatus(cause, status.UNAVAILABLE) && messageOf(cause).includes("etcdserver: no leader");
}

function isRefusal(cause: unknown): boolean {
  const final = [status.INVALID_ARGUMENT, status.FAILED_PRECONDITION, status.PERMISSION_DENIED, status.UNAUTHENTICATED];
  if (hasStatus(cause, ...final)) return true;
  if (hasStatus(cause, status.NOT_FOUND) && messageOf(cause).includes("etcdserver: requested lease not found")) {
    return true;
  }
  return (
    hasStatus(cause, status.RESOURCE_EXHAUSTED) && messageOf(cause).includes("grpc: received message larger than max")
  );
}

function hasStatus(cause: unknown, ...anyOf: readonly number[]): boolean {
  return cause instanceof GrpcStatusError && anyOf.includes(cause.code);
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
