/** The listener on which machines get their first certificate: TLS without client certificates, and one small call. */
import type { RequestListener } from "node:http";
import {
  type EnrollRequest,
  type EnrollResponse,
  EnrollServiceService,
} from "@elastic/proto/gen/elastic/fleet/v1/enroll.ts";
import type { Logger } from "@elastic/std/log.ts";
import { Server, type ServerUnaryCall, status } from "@grpc/grpc-js";
import { audit } from "../auth/audit.ts";
import { enrollNode, isKnownToken } from "../enrollment/enroll-node.ts";
import type { EnrollmentContext } from "../enrollment/enrollment-context.ts";
import { EnrollmentRefusal, type RefusalKind } from "../enrollment/enrollment-refusal.ts";
import { SourceRates } from "../enrollment/source-rates.ts";
import type { FleetMetrics } from "../metrics/fleet-metrics.ts";
import { listenForEnrollment } from "./enroll-listener.ts";
import { shutDownServer } from "./grpc-server.ts";
import type { ServerTlsSource } from "./read-server-tls.ts";
import { Refusal, refusalOf } from "./refusal.ts";
import { nameOf } from "./wire-text.ts";

export interface EnrollServerOptions extends EnrollmentContext {
  /** `host:port`; port 0 takes a free one. */
  readonly listen: string;
  readonly tls: ServerTlsSource;
  /** Where agents find all coordinators. */
  readonly coordinators: { addresses(): readonly string[] };
  /** What machines download before they are nodes. */
  readonly installs: RequestListener;
  readonly metrics: { readonly fleet: Pick<FleetMetrics, "enrollment"> };
  readonly log: Logger;
}

export interface EnrollServer {
  readonly address: string;
  stop(): Promise<void>;
}

const SERVER_OPTIONS = {
  // A token, a request and two names; the rest of what is sent is not read.
  "grpc.max_receive_message_length": 8 * 1024,
  "grpc.max_concurrent_streams": 4,
  "grpc.max_connection_age_ms": 30_000,
  "grpc.max_connection_age_grace_ms": 1_000,
  "grpc.enable_channelz": 0,
};

/** Nobody pastes a line faster; ten machines behind one address may at once. */
const RATE = { burst: 10, refillMs: 1_000, sourcesMax: 10_000 };

const TOO_OFTEN = new Refusal(
  status.RESOURCE_EXHAUSTED,
  "too many requests from this address: try again in a few seconds",
);

const STATUS_OF: Readonly<Record<RefusalKind, status>> = {
  denied: status.PERMISSION_DENIED,
  invalid: status.INVALID_ARGUMENT,
  busy: status.UNAVAILABLE,
};

type EnrollCall = ServerUnaryCall<EnrollRequest, EnrollResponse>;

export async function startEnrollServer(options: EnrollServerOptions): Promise<EnrollServer> {
  const rates = new SourceRates(RATE, options.clock);
  const server = new Server(SERVER_OPTIONS);
  server.addService(EnrollServiceService, {
    enroll: (call: EnrollCall, answer: (error: Refusal | null, response?: EnrollResponse) => void) => {
      const source = sourceOf(call);
      // Who has a token is no guesser: wrong ones from the same address do not lock it out.
      const isAdmitted = isKnownToken(options.store, call.request.token) || rates.admits(source);
      const given = isAdmitted ? enroll(options, call, source) : Promise.reject(TOO_OFTEN);
      given
        .then((response) => answer(null, response))
        .catch((error: unknown) => answer(refused(options, error, source)));
    },
  });
  const { listen, tls, installs: http } = options;
  const listener = await listenForEnrollment({ listen, tls, grpc: server, http });
  return {
    address: listener.address,
    stop: async () => {
      await shutDownServer(server);
      await listener.stop();
    },
  };
}

async function enroll(options: EnrollServerOptions, { request }: EnrollCall, source: string): Promise<EnrollResponse> {
  const { token, nodeName, csrDer, machine } = request;
  const { use, isFirst } = await enrollNode(options, { token, nodeName, machine, csr: csrDer });
  const agentVersion = nameOf(request.agentVersion, 64);
  options.metrics.fleet.enrollment(isFirst ? "enrolled" : "again");
  audit(options.log, "node_enrolled", { nodeId: nodeName, source, agentVersion, isFirst, notAfter: use.notAfter });
  return {
    certificateChainPem: use.certificatePem,
    caPem: options.authority.current().trusted.pem,
    nodeId: nodeName,
    coordinatorAddresses: [...options.coordinators.addresses()],
    notAfterUnixMs: BigInt(use.notAfter),
    issuedAtUnixMs: BigInt(options.clock.now()),
  };
}

function refused({ log, metrics }: EnrollServerOptions, error: unknown, source: string): Refusal {
  if (error === TOO_OFTEN) {
    metrics.fleet.enrollment("throttled");
    return TOO_OFTEN;
  }
  if (error instanceof EnrollmentRefusal) {
    metrics.fleet.enrollment(error.kind);
    audit(log, "enrolment_refused", { source, kind: error.kind, why: error.message });
    return new Refusal(STATUS_OF[error.kind], error.message);
  }
  metrics.fleet.enrollment("failed");
  log.warn({ err: error, source }, "an enrollment failed");
  return refusalOf(error);
}

function sourceOf(call: EnrollCall): string {
  return call.getPeer().replace(/:\d+$/, "");
}
