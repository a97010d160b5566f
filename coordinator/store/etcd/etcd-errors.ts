/** What an etcd3 error says about the request: never taken, refused for good, or nobody knows. */
import { isBrokenCircuitError } from "cockatiel";
import {
  ClientClosedError,
  EtcdLeaseInvalidError,
  EtcdPermissionDeniedError,
  GRPCFailedPreconditionError,
  GRPCInvalidArgumentError,
  GRPCOutOfRangeError,
  GRPCResourceExhastedError,
  GRPCUnauthenticatedError,
  GRPCUnavailableError,
} from "etcd3";
import { CompactedError, OutcomeUnknownError, StoreRefusedError, StoreUnavailableError } from "../kv.ts";

/** What a caller of Kv.txn is told. What is not known to be harmless counts as unknown. */
export function txnError(cause: unknown): Error {
  const message = messageOf(cause);
  if (wasNeverSent(cause, message)) return new StoreUnavailableError(`etcd is away: ${message}`, { cause });
  if (isRefusal(cause, message)) return new StoreRefusedError(`etcd refused: ${message}`, { cause });
  if (cause instanceof GRPCResourceExhastedError && message.includes("etcdserver:")) {
    return new StoreUnavailableError(`etcd takes no writes: ${message}`, { cause });
  }
  return new OutcomeUnknownError(`the answer of etcd was lost: ${message}`, { cause });
}

/** What a caller of anything but a transaction is told. */
export function readError(cause: unknown): Error {
  const message = messageOf(cause);
  if (cause instanceof GRPCOutOfRangeError) return new CompactedError(message, { cause });
  return new StoreUnavailableError(`etcd did not answer: ${message}`, { cause });
}

function wasNeverSent(cause: unknown, message: string): boolean {
  if (cause instanceof ClientClosedError) return true;
  if (cause instanceof Error && isBrokenCircuitError(cause)) return true;
  // grpc-js says so when no connection stood; a connection that broke says something else.
  const neverSent = ["No connection established", "Name resolution failed", "etcdserver: no leader"];
  return cause instanceof GRPCUnavailableError && neverSent.some((text) => message.includes(text));
}

function isRefusal(cause: unknown, message: string): boolean {
  const kinds = [
    GRPCInvalidArgumentError,
    GRPCFailedPreconditionError,
    GRPCUnauthenticatedError,
    EtcdPermissionDeniedError,
    EtcdLeaseInvalidError,
  ];
  if (kinds.some((kind) => cause instanceof kind)) return true;
  // The server's words; grpc-js says "Received" of an answer that is too large, and then it was applied.
  return cause instanceof GRPCResourceExhastedError && message.includes("grpc: received message larger than max");
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
