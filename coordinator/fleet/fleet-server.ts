/** The gRPC side of the coordinator: agents link to it over mutual TLS, take their orders and report. */
import { BulkServiceService, FleetServiceService } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { TUNNEL_CALL } from "@elastic/proto/tunnel-frames.ts";
import type { EgressRule } from "@elastic/std/net/egress-rule.ts";
import { Server } from "@grpc/grpc-js";
import type { AuthoritySource } from "../enrollment/authority.ts";
import type { Tunnels } from "../tunnels/tunnels.ts";
import { type AppendCall, handleAppendLogs } from "./append-logs.ts";
import { type FetchSourceCall, handleFetchBuildSource } from "./fetch-build-source.ts";
import { type FetchCall, handleFetchInput } from "./fetch-input.ts";
import { type FetchVolumeCall, VolumeFileSender } from "./fetch-volume-file.ts";
import type { FleetContext } from "./fleet-context.ts";
import { listenForAgents } from "./fleet-listener.ts";
import { shutDownServer } from "./grpc-server.ts";
import { RECEIVE_MESSAGE_BYTES_MAX, SEND_MESSAGE_BYTES_MAX, STREAMS_PER_CONNECTION_MAX } from "./limits.ts";
import type { LinkCall } from "./link.ts";
import type { Links } from "./links.ts";
import { nodeBounds } from "./node-bounds.ts";
import { NodeGate } from "./node-gate.ts";
import { handlePullToken, type PullTokenAnswer, type PullTokenCall } from "./pull-token.ts";
import type { ServerTlsSource } from "./read-server-tls.ts";
import { type HeartbeatsCall, handleHeartbeats } from "./receive-heartbeats.ts";
import { handleRenewCertificate, type RenewAnswer, type RenewCall } from "./renew-certificate.ts";
import { serveLinks } from "./serve-links.ts";
import { serverCredentials } from "./server-credentials.ts";
import { TunnelOpenings } from "./tunnel-openings.ts";
import { acceptPlain, acceptTunnelSockets } from "./tunnel-sockets.ts";
import type { TunnelCall } from "./tunnel-stream.ts";
import { handleUploadResult, type UploadAnswer, type UploadCall } from "./upload-result.ts";
import { Violations } from "./violations.ts";

interface FleetConfig {
  /** `host:port`; port 0 takes a free one. */
  readonly listen: string;
  readonly tls: ServerTlsSource;
  readonly coordinatorId: string;
  /** Of one attempt's log; 0 for no logs. */
  readonly logBytesMax: number;
  /** Where shells may connect at all. */
  readonly shellEgress: readonly EgressRule[];
  /** Of the certificates of nodes that renew theirs. */
  readonly certificateLifeMs: number;
}

export interface FleetOptions extends Omit<FleetContext, "violations" | "bounds"> {
  readonly config: FleetConfig;
  /** What nodes' certificates come from; null where that is not the coordinators' own. */
  readonly authority: AuthoritySource | null;
  /** Read at each welcome. */
  readonly coordinators: { addresses(): readonly string[] };
}

export interface Fleet {
  /** Where it listens, with the real port. */
  readonly address: string;
  readonly links: Links;
  readonly tunnels: Tunnels;
  stop(): Promise<void>;
}

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { config, links } = options;
  const bounds = nodeBounds(options.clock);
  const violations = new Violations({ ...options, bounds });
  const context: FleetContext = { ...options, violations, bounds };
  const linkServer = serveLinks({ ...options, ...config, violations, bounds });
  const volumeFiles = new VolumeFileSender(context);
  const tunnels = new TunnelOpenings(context);
  const gate = new NodeGate({ ...context, authority: options.authority });
  const renew = { ...context, authority: options.authority, certificateLifeMs: config.certificateLifeMs };
  const server = new Server({ ...SERVER_OPTIONS, interceptors: [gate.interceptor] });
  server.addService(FleetServiceService, {
    connect: (call: LinkCall) => linkServer.connect(call),
    heartbeats: (call: HeartbeatsCall) => handleHeartbeats(context, call),
    pullToken: (call: PullTokenCall, answer: PullTokenAnswer) => void handlePullToken(context, call, answer),
    renewCertificate: (call: RenewCall, answer: RenewAnswer) => void handleRenewCertificate(renew, call, answer),
  });
  const bulk = { ...BulkServiceService, tunnel: TUNNEL_CALL };
  server.addService(bulk, {
    fetchInput: (call: FetchCall) => void handleFetchInput(context, call),
    fetchVolumeFile: (call: FetchVolumeCall) => void volumeFiles.handle(call),
    fetchBuildSource: (call: FetchSourceCall) => void handleFetchBuildSource(context, call),
    appendLogs: (call: AppendCall) => void handleAppendLogs({ ...context, logBytesMax: config.logBytesMax }, call),
    tunnel: (call: TunnelCall) => void tunnels.handle(call),
    uploadResult: (call: UploadCall, answer: UploadAnswer) => void handleUploadResult(context, call, answer),
  });
  const listener = await listenForAgents({
    listen: config.listen,
    grpc: server,
    credentials: serverCredentials(config.tls),
    plain: (socket) => acceptPlain(socket, { tunnels, gate }),
  });
  acceptTunnelSockets(server, { tunnels, gate });
  const stops = [gate.start(), linkServer.start(), tunnels.start()];
  return {
    address: listener.address,
    links,
    tunnels,
    stop: async () => {
      for (const stop of stops) stop();
      links.stop();
      await Promise.all([listener.stop(), shutDownServer(server)]);
    },
  };
}

const SERVER_OPTIONS = {
  "grpc.max_receive_message_length": RECEIVE_MESSAGE_BYTES_MAX,
  "grpc.max_send_message_length": SEND_MESSAGE_BYTES_MAX,
  "grpc.max_concurrent_streams": STREAMS_PER_CONNECTION_MAX,
  "grpc.keepalive_time_ms": 5_000,
  "grpc.keepalive_timeout_ms": 5_000,
  "grpc.enable_channelz": 0,
};
