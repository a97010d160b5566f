/** Gives a node the right to pull the images of one of its assignments from the service's own registry. */
import type { PullTokenRequest, PullTokenResponse } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { isId } from "@elastic/std/ids.ts";
import { type ServerUnaryCall, status } from "@grpc/grpc-js";
import { imagesOfAssignment } from "../registry/assignment-access.ts";
import { GRANT_LIFE_S, makePullGrant } from "../registry/pull-grant.ts";
import type { FleetContext } from "./fleet-context.ts";
import { identityOf } from "./node-identity.ts";
import { NAMES_NO_ASSIGNMENT, NO_NODE_IDENTITY, Refusal, refusalOf } from "./refusal.ts";

type Context = Pick<FleetContext, "store" | "registry" | "secrets" | "clock" | "log" | "violations">;
export type PullTokenCall = ServerUnaryCall<PullTokenRequest, PullTokenResponse>;
export type PullTokenAnswer = (error: Refusal | null, response?: PullTokenResponse) => void;

const NOT_NEEDED: PullTokenResponse = { token: "", expiresInSeconds: 0, repository: "" };
const NOT_THE_NODES_ASSIGNMENT = new Refusal(status.NOT_FOUND, "the assignment is not this node's or has ended");

export async function handlePullToken(context: Context, call: PullTokenCall, answer: PullTokenAnswer): Promise<void> {
  try {
    answer(null, await pullToken(context, call));
  } catch (error) {
    context.violations.noteError(identityOf(call)?.nodeId, error);
    if (!(error instanceof Refusal)) context.log.warn({ err: error }, "a pull token could not be issued");
    answer(refusalOf(error));
  }
}

async function pullToken(context: Context, call: PullTokenCall): Promise<PullTokenResponse> {
  const identity = identityOf(call);
  if (identity === null) throw NO_NODE_IDENTITY;
  const { store, registry, secrets, clock } = context;
  if (registry === null) return NOT_NEEDED;
  const { assignmentId } = call.request;
  if (!isId(assignmentId)) throw NAMES_NO_ASSIGNMENT;
  const images = await imagesOfAssignment(store, registry, assignmentId);
  if (images?.assignment.nodeId !== identity.nodeId) throw NOT_THE_NODES_ASSIGNMENT;
  const [repository] = images.repositories;
  if (repository === undefined) return NOT_NEEDED;
  return {
    token: makePullGrant(secrets, assignmentId, clock.now()),
    expiresInSeconds: GRANT_LIFE_S,
    repository: `${registry.host}/${repository}`,
  };
}
