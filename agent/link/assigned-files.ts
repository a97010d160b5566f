/** Files that an assignment names, over the bulk channel: those of a data volume, and the source of a build. */
import type { BulkServiceClient } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { type ClientReadableStream, type ServiceError, status } from "@grpc/grpc-js";
import { FileUnavailableError, type OpenFile } from "../volumes/fetch-file.ts";

/** A coordinator that has no such file for this node, or none at all, will not have it a moment later. */
const NO_USE_ASKING: readonly (number | undefined)[] = [
  status.NOT_FOUND,
  status.DATA_LOSS,
  status.OUT_OF_RANGE,
  status.UNIMPLEMENTED,
];

/** Null while no coordinator responds. */
type Service = () => BulkServiceClient | null;
type Pieces = ClientReadableStream<{ readonly data: Buffer }>;

export function openVolumeFiles(service: Service, assignmentId: string): OpenFile {
  return (sha256, offset, signal) =>
    read(() => service()?.fetchVolumeFile({ assignmentId, sha256, offset: BigInt(offset) }), signal);
}

/** The assignment has one source, whatever digest is requested. */
export function openBuildSource(service: Service, assignmentId: string): OpenFile {
  return (_sha256, offset, signal) =>
    read(() => service()?.fetchBuildSource({ assignmentId, offset: BigInt(offset) }), signal);
}

async function* read(open: () => Pieces | undefined, signal: AbortSignal): AsyncGenerator<Buffer> {
  const stream = open();
  if (stream === undefined) throw new Error("no coordinator responds");
  const cancel = (): void => stream.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    for await (const { data } of stream as AsyncIterable<{ readonly data: Buffer }>) yield data;
  } catch (error) {
    signal.throwIfAborted();
    const { code, details } = error as Partial<ServiceError>;
    throw NO_USE_ASKING.includes(code) ? new FileUnavailableError(details ?? "it is gone") : error;
  } finally {
    signal.removeEventListener("abort", cancel);
    stream.cancel();
  }
}
