/**
 * A dedicated connection for each tunnel: what one user copies delays neither results nor what another types, and each
 * begins with the certificate that holds now.
 */
import { TUNNEL_CALL } from "@elastic/proto/tunnel-frames.ts";
import type { TunnelStream } from "../tunnels/tunnel-call.ts";
import type { Channels } from "./channel.ts";

/** Throws when the certificate cannot be read. */
export function openTunnelStream(channels: Channels, address: string): TunnelStream {
  const client = channels.bulk(address);
  const { path, requestSerialize, responseDeserialize } = TUNNEL_CALL;
  const stream = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize);
  for (const event of ["end", "error", "close"]) stream.once(event, () => client.close());
  return stream;
}
