/** Requests the right to pull an assignment's images. Rare, so each request has a dedicated channel. */
import type { FleetServiceClient, PullTokenResponse } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import type { RequestPullRight } from "../domain/pull-right.ts";
import type { Channels } from "./channel.ts";

const TIMEOUT_MS = 10_000;

/** `address` names the coordinator to connect to, or null while none responds. */
export function requestPullRights(channels: Channels, address: () => string | null): RequestPullRight {
  return async (assignmentId, signal) => {
    const wanted = address();
    if (wanted === null) throw new Error("no coordinator responds");
    const client = channels.fleet(wanted);
    try {
      const { token, repository } = await pullToken(client, assignmentId, signal);
      return token === "" ? null : { host: repository.slice(0, repository.indexOf("/")), password: token };
    } finally {
      client.close();
    }
  };
}

function pullToken(client: FleetServiceClient, assignmentId: string, signal: AbortSignal): Promise<PullTokenResponse> {
  return new Promise((resolve, reject) => {
    const options = { deadline: Date.now() + TIMEOUT_MS };
    const call = client.pullToken({ assignmentId }, new Metadata(), options, (error: ServiceError | null, response) => {
      signal.removeEventListener("abort", cancel);
      if (error === null) resolve(response);
      // A coordinator from before there was such a request has no registry.
      else if (error.code === status.UNIMPLEMENTED) resolve({ token: "", expiresInSeconds: 0, repository: "" });
      else reject(error);
    });
    const cancel = (): void => call.cancel();
    signal.addEventListener("abort", cancel, { once: true });
  });
}
