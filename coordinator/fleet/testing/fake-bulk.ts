/** The calls of an agent played by a test that carry bytes: inputs, volumes, sources, results, logs and tunnels. */
import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import {
  type AppendLogsResponse,
  BulkServiceClient,
  type LogAck,
  type LogChunk,
  type UploadResultHeader,
} from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import type { TunnelRequest, TunnelResponse } from "@elastic/proto/gen/elastic/fleet/v1/tunnel.ts";
import type { ChannelCredentials, ClientDuplexStream, ServiceError } from "@grpc/grpc-js";

export type TunnelEnd = ClientDuplexStream<TunnelRequest, TunnelResponse>;

/** Each call rejects with the status. */
export class FakeBulk {
  readonly #client: BulkServiceClient;

  constructor(address: string, tls: ChannelCredentials) {
    this.#client = new BulkServiceClient(address, tls, { "grpc.use_local_subchannel_pool": 1 });
  }

  fetchInput(attempt: AttemptRef | undefined, offset = 0): Promise<Buffer> {
    return together(this.#client.fetchInput({ attempt, offset: BigInt(offset) }));
  }

  fetchVolumeFile(assignmentId: string, sha256: string, offset = 0): Promise<Buffer> {
    return together(this.#client.fetchVolumeFile({ assignmentId, sha256, offset: BigInt(offset) }));
  }

  fetchBuildSource(assignmentId: string, offset = 0): Promise<Buffer> {
    return together(this.#client.fetchBuildSource({ assignmentId, offset: BigInt(offset) }));
  }

  /** As a connection that breaks off before anything was sent. */
  uploadNothing(): Promise<ServiceError | null> {
    return new Promise((resolve) => {
      this.#client.uploadResult((error) => resolve(error)).end();
    });
  }

  /** Sends the chunks as fast as they are taken. */
  async upload(header: UploadResultHeader, chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> {
    let settle: (error: ServiceError | null) => void = () => undefined;
    const answered = new Promise<ServiceError | null>((resolve) => {
      settle = resolve;
    });
    let over = false;
    const call = this.#client.uploadResult((error) => {
      over = true;
      settle(error);
      call.emit("drain");
    });
    call.on("error", () => undefined);
    call.write({ message: { $case: "header", value: header } });
    try {
      for await (const value of chunks) {
        if (over) break;
        if (!call.write({ message: { $case: "data", value } })) {
          await new Promise<void>((resolve) => call.once("drain", () => resolve()));
        }
      }
    } catch (error) {
      call.cancel();
      throw error;
    }
    call.end();
    const error = await answered;
    if (error !== null) throw error;
  }

  /** Sends each message on one stream and returns what came back, in order. */
  async appendLogs(...messages: readonly (readonly LogChunk[])[]): Promise<readonly LogAck[]> {
    const call = this.#client.appendLogs();
    for (const chunks of messages) call.write({ chunks: [...chunks] });
    call.end();
    const acks: LogAck[] = [];
    for await (const answer of call as AsyncIterable<AppendLogsResponse>) acks.push(...answer.acks);
    return acks;
  }

  /** Its end of a tunnel, which it names first. */
  tunnel(): TunnelEnd {
    const end = this.#client.tunnel();
    end.on("error", () => undefined);
    return end;
  }

  close(): void {
    this.#client.close();
  }
}

async function together(pieces: AsyncIterable<{ readonly data: Buffer }>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const { data } of pieces) all.push(data);
  return Buffer.concat(all);
}
