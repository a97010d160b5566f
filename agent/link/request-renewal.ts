/** Requests a new certificate of a coordinator. Rare, so each request has a dedicated channel. */
import type { RenewCertificateResponse } from "@elastic/proto/gen/elastic/fleet/v1/enroll.ts";
import { Metadata, type ServiceError } from "@grpc/grpc-js";
import type { Channels } from "./channel.ts";

const TIMEOUT_MS = 10_000;

/** `address` names the coordinator to connect to, or null while none responds. */
export function requestRenewal(
  channels: Channels,
  address: () => string | null,
): (csrDer: Buffer) => Promise<RenewCertificateResponse> {
  return async (csrDer) => {
    const wanted = address();
    if (wanted === null) throw new Error("no coordinator responds");
    const client = channels.fleet(wanted);
    try {
      return await new Promise((resolve, reject) => {
        const options = { deadline: Date.now() + TIMEOUT_MS };
        client.renewCertificate({ csrDer }, new Metadata(), options, (error: ServiceError | null, response) =>
          error === null ? resolve(response) : reject(error),
        );
      });
    } finally {
      client.close();
    }
  };
}
