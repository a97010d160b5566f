/** The process of bare-server.ts: it welcomes whoever says hello, and acknowledges heartbeats. */
import { readFileSync } from "node:fs";
import {
  type ConnectRequest,
  type ConnectResponse,
  FleetServiceService,
  Welcome,
} from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { Server, ServerCredentials, type ServerDuplexStream } from "@grpc/grpc-js";
import { readSettings } from "../measure/settings.ts";

const { ca, cert, key, grpc } = readSettings<Record<"ca" | "cert" | "key" | "grpc", string>>();
const server = new Server({ "grpc.enable_channelz": 0 });
const unsupported = (): void => undefined;
server.addService(FleetServiceService, { connect, pullToken: unsupported, renewCertificate: unsupported });
const pair = { private_key: readFileSync(key), cert_chain: readFileSync(cert) };
server.bindAsync(grpc, ServerCredentials.createSsl(readFileSync(ca), [pair], true), (error) => {
  if (error !== null) throw error;
  console.log("listens");
});

function connect(call: ServerDuplexStream<ConnectRequest, ConnectResponse>): void {
  call.on("data", ({ message }: ConnectRequest) => {
    if (message?.$case === "heartbeat") {
      const { sequence } = message.value;
      call.write({ message: { $case: "heartbeatAck", value: { sequence, coordinatorAddresses: [] } } });
    } else if (message?.$case === "hello") {
      const value = Welcome.fromPartial({ coordinatorId: "bare", heartbeatIntervalMs: 3_000, fenceAfterMs: 12_000 });
      call.write({ message: { $case: "welcome", value } });
    }
  });
  call.on("error", () => undefined);
  call.on("end", () => call.end());
}
