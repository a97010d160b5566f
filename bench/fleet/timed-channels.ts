/** Channels that note when a connection is begun, and how long each heartbeat takes there and back. */
import type { Channels } from "@elastic/agent/link/channel.ts";
import type { ConnectRequest, ConnectResponse } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import type { ClientDuplexStream } from "@grpc/grpc-js";

interface Observer {
  readonly onDial: () => void;
  readonly onRoundTrip: (ms: number) => void;
}

export function timed(channels: Channels, { onDial, onRoundTrip }: Observer): Channels {
  return {
    bulk: (address) => channels.bulk(address),
    fleet: (address) => {
      onDial();
      const client = channels.fleet(address);
      const connect = client.connect.bind(client) as () => ClientDuplexStream<ConnectRequest, ConnectResponse>;
      client.connect = () => observed(connect(), onRoundTrip);
      return client;
    },
  };
}

function observed(
  stream: ClientDuplexStream<ConnectRequest, ConnectResponse>,
  onRoundTrip: (ms: number) => void,
): ClientDuplexStream<ConnectRequest, ConnectResponse> {
  const sentAtMs = new Map<bigint, number>();
  const write = stream.write.bind(stream) as (request: ConnectRequest) => boolean;
  stream.write = (request: ConnectRequest) => {
    if (request.message?.$case === "heartbeat") sentAtMs.set(request.message.value.sequence, performance.now());
    return write(request);
  };
  stream.on("data", ({ message }: ConnectResponse) => {
    if (message?.$case !== "heartbeatAck") return;
    const { sequence } = message.value;
    const at = sentAtMs.get(sequence);
    sentAtMs.delete(sequence);
    if (at !== undefined) onRoundTrip(performance.now() - at);
  });
  return stream;
}
