/** The two channels to a coordinator: one for control, one for bytes, each a separate connection. */
import { readFileSync } from "node:fs";
import { BulkServiceClient, FleetServiceClient } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { type ChannelCredentials, type ChannelOptions, credentials } from "@grpc/grpc-js";
import type { TlsFiles } from "../domain/tls-files.ts";

export interface Channels {
  fleet(address: string): FleetServiceClient;
  bulk(address: string): BulkServiceClient;
}

/** More than any message of the contract. */
const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;

const OPTIONS: ChannelOptions = {
  "grpc.keepalive_time_ms": 10_000,
  "grpc.keepalive_timeout_ms": 5_000,
  "grpc.keepalive_permit_without_calls": 0,
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 1_000,
  "grpc.max_receive_message_length": MESSAGE_BYTES_MAX,
  "grpc.max_send_message_length": MESSAGE_BYTES_MAX,
  // Both keep state for each message of a stream that lives for weeks.
  "grpc.enable_channelz": 0,
  "grpc.enable_retries": 0,
  // Without its own pool a channel would share the connection of the other.
  "grpc.use_local_subchannel_pool": 1,
};

/** The certificate is read for each link, so that a renewed one is used from the next on. */
export function channelsOf(files: TlsFiles): Channels {
  return {
    fleet: (address) => new FleetServiceClient(address, readCredentials(files), OPTIONS),
    bulk: (address) => new BulkServiceClient(address, readCredentials(files), OPTIONS),
  };
}

function readCredentials({ caFile, certFile, keyFile }: TlsFiles): ChannelCredentials {
  const cert = readFileSync(certFile);
  // Read once where both are in one file, so that they belong together whenever it is replaced.
  const key = keyFile === certFile ? cert : readFileSync(keyFile);
  return credentials.createSsl(readFileSync(caFile), key, cert);
}
