/** Files of data volumes over the bulk channel. */
import type { BulkServiceClient, FetchVolumeFileResponse } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { type ServiceError, status } from "@grpc/grpc-js";
import { FileUnavailableError, type OpenFile } from "../volumes/fetch-file.ts";

/** A coordinator that has no such file for this node, or none at all, will not have it a moment later. */
const NO_USE_ASKING: readonly (number | undefined)[] = [
  status.NOT_FOUND,
  status.DATA_LOSS,
  status.OUT_OF_RANGE,
  status.UNIMPLEMENTED,
];

/** For one assignment. `service` is null while no coordinator answers. */
export function openVolumeFiles(service: () => BulkServiceClient | null, assignmentId: string): OpenFile {
  return async function* (sha256, offset, signal) {
    const stream = service()?.fetchVolumeFile({ assignmentId, sha256, offset: BigInt(offset) });
    if (stream === undefined) throw new Error("no coordinator answers");
    const cancel = (): void => stream.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      for await (const { data } of stream as AsyncIterable<FetchVolumeFileResponse>) yield data;
    } catch (error) {
      signal.throwIfAborted();
      const { code, details } = error as Partial<ServiceError>;
      throw NO_USE_ASKING.includes(code) ? new FileUnavailableError(details ?? "it is gone") : error;
    } finally {
      signal.removeEventListener("abort", cancel);
      stream.cancel();
    }
  };
}
