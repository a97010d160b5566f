/** The heartbeats of an agent's thread, played by a test. */
import type { FleetServiceClient, HeartbeatsResponse } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import type { ServiceError } from "@grpc/grpc-js";

const BEAT_MS = 500;

export class FakeHeartbeats {
  /** Resolves with the first acknowledgement, rejects where they are refused instead. */
  readonly accepted: Promise<void>;
  /** Why the coordinator ended them. */
  readonly ended: Promise<ServiceError>;
  /** Falls silent without ending the stream. */
  readonly freeze: () => void;
  /** Breaks off. */
  readonly close: () => void;

  constructor(client: FleetServiceClient, linkId: string, loopSilentMs: number) {
    const stream = client.heartbeats();
    let sequence = 0n;
    const beat = () => {
      sequence += 1n;
      stream.write({ linkId, sequence, loopSilentMs });
    };
    const beats = setInterval(beat, BEAT_MS).unref();
    beat();
    this.freeze = () => clearInterval(beats);
    this.close = () => {
      this.freeze();
      stream.cancel();
    };
    this.ended = new Promise((resolve) => {
      stream.on("error", (error: ServiceError) => {
        this.freeze();
        resolve(error);
      });
    });
    this.accepted = new Promise((resolve, reject) => {
      stream.once("data", (_: HeartbeatsResponse) => resolve());
      void this.ended.then(reject);
    });
    // Also where a test awaits only their end.
    this.accepted.catch(() => undefined);
  }
}
