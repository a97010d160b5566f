/** A new certificate for a node that has one: of the same enrollment, for whatever key it sends. */
import type { RenewCertificateRequest, RenewCertificateResponse } from "@elastic/proto/gen/elastic/fleet/v1/enroll.ts";
import { type ServerUnaryCall, status } from "@grpc/grpc-js";
import { certified } from "../domain/node.ts";
import type { AuthoritySource } from "../enrollment/authority.ts";
import { EnrollmentRefusal } from "../enrollment/enrollment-refusal.ts";
import { issueToNode } from "../enrollment/issue.ts";
import { readRequestFor } from "../enrollment/read-request.ts";
import { updateRecord } from "../store/update.ts";
import { whyRefused } from "./admit-node.ts";
import type { FleetContext } from "./fleet-context.ts";
import { identityOf } from "./node-identity.ts";
import { NO_NODE_IDENTITY, Refusal, refusalOf, Violation } from "./refusal.ts";

export interface RenewContext extends Pick<FleetContext, "store" | "clock" | "log" | "violations"> {
  /** Null where certificates come from elsewhere. */
  readonly authority: AuthoritySource | null;
  readonly certificateLifeMs: number;
}

export type RenewCall = ServerUnaryCall<RenewCertificateRequest, RenewCertificateResponse>;
export type RenewAnswer = (error: Refusal | null, response?: RenewCertificateResponse) => void;

const NOT_OURS = new Refusal(
  status.FAILED_PRECONDITION,
  "the certificates of this installation come from another authority: renew the agent's where it came from",
);

export async function handleRenewCertificate(
  context: RenewContext,
  call: RenewCall,
  answer: RenewAnswer,
): Promise<void> {
  try {
    answer(null, await renew(context, call));
  } catch (error) {
    if (error instanceof EnrollmentRefusal) {
      const refusal = new Violation("request", status.INVALID_ARGUMENT, error.message);
      context.violations.noteError(identityOf(call)?.nodeId, refusal);
      answer(refusal);
      return;
    }
    if (!(error instanceof Refusal)) context.log.warn({ err: error }, "a certificate could not be renewed");
    answer(refusalOf(error));
  }
}

async function renew(context: RenewContext, call: RenewCall): Promise<RenewCertificateResponse> {
  const { store, authority, certificateLifeMs, clock, log } = context;
  const identity = identityOf(call);
  if (identity === null) throw NO_NODE_IDENTITY;
  const { nodeId, enrollmentId } = identity;
  if (authority === null || enrollmentId === null) throw NOT_OURS;
  // Of the store, not of the view: an eviction that was acknowledged holds, however late this one sees it.
  const node = await store.get("nodes", nodeId);
  const now = clock.now();
  const refusal = whyRefused(identity, node?.value, now);
  if (refusal !== null) throw refusal;
  const { publicKey } = readRequestFor(nodeId, call.request.csrDer);
  const current = authority.current();
  const { pem, notAfter } = issueToNode(current, { nodeName: nodeId, enrollmentId, publicKey }, now, certificateLifeMs);
  await noteEnd(context, nodeId, notAfter);
  log.debug({ nodeId, notAfter }, "a certificate was renewed");
  return {
    certificateChainPem: pem,
    caPem: current.trusted.pem,
    notAfterUnixMs: BigInt(notAfter),
    issuedAtUnixMs: BigInt(now),
  };
}

/** A store that takes no writes keeps nobody from a certificate: the next hello notes the end too. */
async function noteEnd({ store, log }: RenewContext, nodeId: string, endsAt: number): Promise<void> {
  await updateRecord(
    store,
    "nodes",
    () => store.get("nodes", nodeId),
    (node) => certified(node, endsAt),
  ).catch((err: unknown) => log.debug({ err, nodeId }, "the end of a certificate could not be noted"));
}
