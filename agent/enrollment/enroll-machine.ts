/** A machine becomes a node: its key is made here and stays here, and a token buys the certificate for it. */
import type { KeyObject } from "node:crypto";
import { type EnrollResponse, EnrollServiceClient } from "@elastic/proto/gen/elastic/fleet/v1/enroll.ts";
import { credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { checkAnswer, requestFor } from "./certificate-request.ts";
import { clockComplaint } from "./certificate-times.ts";
import { forgetKeysForTokens, keyForToken, writeEnrolled } from "./identity-files.ts";
import { probeAuthority } from "./probe-authority.ts";

export interface EnrollOrder {
  /** `host:port` of the coordinators' listener for enrollment. */
  readonly coordinator: string;
  readonly token: string;
  readonly caSha256: string;
  readonly nodeName: string;
  /** Of a pool's machine, as the pool's driver names it; empty where that is the node's name. */
  readonly machine: string;
  readonly stateDir: string;
  readonly agentVersion: string;
}

export interface EnrolledMachine {
  readonly nodeId: string;
  readonly notAfter: Date;
  /** What is wrong with the clock; null while it is right. */
  readonly clockComplaint: string | null;
}

const TIMEOUT_MS = 15_000;
/** In the words of coordinators, which have no code for it. */
const USED = "the token was used already";

/** The token of one machine has enrolled one: this one, or another. */
export class TokenUsedError extends Error {
  override readonly name = "TokenUsedError";
}

export async function enrollMachine(order: EnrollOrder, now: () => number): Promise<EnrolledMachine> {
  const { coordinator, token, nodeName, stateDir } = order;
  const caPem = await probeAuthority(coordinator, order.caSha256, new Date(now()));
  const key = keyForToken(stateDir, token);
  const answer = await requestCertificate(order, caPem, key);
  checkAnswer(answer.certificateChainPem, nodeName, key);
  // Of the root that the line names, and of the one that follows it where there are two.
  const identity = { certificatePem: answer.certificateChainPem, key, caPem: answer.caPem || caPem };
  writeEnrolled(stateDir, identity, {
    coordinators: answer.coordinatorAddresses,
    enrollment: coordinator,
    token,
  });
  forgetKeysForTokens(stateDir);
  return {
    nodeId: answer.nodeId,
    notAfter: new Date(Number(answer.notAfterUnixMs)),
    clockComplaint: clockComplaint(now(), Number(answer.issuedAtUnixMs)),
  };
}

async function requestCertificate(order: EnrollOrder, caPem: string, key: KeyObject): Promise<EnrollResponse> {
  const { coordinator, token, nodeName, machine, agentVersion } = order;
  const client = new EnrollServiceClient(coordinator, credentials.createSsl(Buffer.from(caPem)));
  const request = { token, csrDer: requestFor(nodeName, key), nodeName, machine, agentVersion };
  try {
    return await new Promise((resolve, reject) => {
      const options = { deadline: Date.now() + TIMEOUT_MS };
      client.enroll(request, new Metadata(), options, (error, answer) =>
        error === null ? resolve(answer) : reject(error),
      );
    });
  } catch (error) {
    const { code, details } = error as ServiceError;
    const text = failureText(error as ServiceError, coordinator);
    throw code === status.PERMISSION_DENIED && details.includes(USED) ? new TokenUsedError(text) : new Error(text);
  } finally {
    client.close();
  }
}

/** In OpenSSL's words: what a coordinator's listener for agents says to a machine that has no certificate yet. */
const CERTIFICATE_ASKED_FOR = "alert certificate required";

function wrongDoor(coordinator: string): string {
  return (
    `${coordinator} is where agents connect, not where machines are enrolled: ` +
    "check --coordinator, then paste the line again; the token still works"
  );
}

function failureText({ code, details }: ServiceError, coordinator: string): string {
  switch (code) {
    case status.PERMISSION_DENIED:
    case status.INVALID_ARGUMENT:
    case status.RESOURCE_EXHAUSTED:
      return `the coordinator refused: ${details}`;
    default:
      if (details.includes(CERTIFICATE_ASKED_FOR)) return wrongDoor(coordinator);
      return `the coordinator at ${coordinator} did not respond (${details}): paste the line again, the token is still valid`;
  }
}
