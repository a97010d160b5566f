/** Bytes on the stream of an agent, whatever they are: no message of the contract has to come of them. */
import { readFileSync } from "node:fs";
import { FleetServiceService } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { Client, credentials, type ServiceError } from "@grpc/grpc-js";
import type { CertificateFiles } from "./fake-agent.ts";

/** Resolves with how the stream ended. */
export function sendRaw(address: string, files: CertificateFiles, bytes: Buffer): Promise<ServiceError> {
  const tls = credentials.createSsl(readFileSync(files.ca), readFileSync(files.key), readFileSync(files.cert));
  const client = new Client(address, tls, {
    "grpc.use_local_subchannel_pool": 1,
    "grpc.max_send_message_length": -1,
  });
  const asIs = (value: Buffer): Buffer => value;
  const stream = client.makeBidiStreamRequest(FleetServiceService.connect.path, asIs, asIs);
  return new Promise((resolve) => {
    stream.on("data", () => undefined);
    stream.on("error", (error: ServiceError) => {
      client.close();
      resolve(error);
    });
    stream.write(bytes);
  });
}
