/** A coordinator's listener for enrollment that a test plays: its own authority, and whatever response is scripted. */
import { createHash, generateKeyPairSync, type KeyObject, X509Certificate } from "node:crypto";
import {
  type EnrollRequest,
  type EnrollResponse,
  EnrollServiceService,
} from "@elastic/proto/gen/elastic/fleet/v1/enroll.ts";
import {
  type AlternativeName,
  alternativeNames,
  certify,
  IS_AUTHORITY,
  type Issuer,
  SIGNS_CERTIFICATES,
} from "@elastic/std/x509/certify.ts";
import { pem } from "@elastic/std/x509/pem.ts";
import { readSigningRequest } from "@elastic/std/x509/signing-request.ts";
import { Server, ServerCredentials, type ServerUnaryCall, type ServiceError, type status } from "@grpc/grpc-js";

const HOUR_MS = 3_600_000;

interface EnrollmentScript {
  /** In place of a response. */
  refusal: { readonly code: status; readonly details: string } | null;
  /** In place of what was requested. */
  certifiedName: string | null;
  certifiedKey: KeyObject | null;
  /** How far its clock is ahead. */
  clockAheadMs: number;
}

export interface ScriptedEnrollment {
  readonly address: string;
  /** As in the pasted line. */
  readonly caSha256: string;
  readonly requested: EnrollRequest[];
  readonly script: EnrollmentScript;
  stop(): void;
}

/** `valid` is of the certificate that it shows. */
export async function scriptEnrollment(
  valid: { readonly from: number; readonly to: number } = { from: Date.now() - HOUR_MS, to: Date.now() + 24 * HOUR_MS },
): Promise<ScriptedEnrollment> {
  const authority = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const issuer: Issuer = { name: "test nodes", key: authority.privateKey };
  const made = (name: string, publicKey: KeyObject, names: readonly AlternativeName[]): Buffer => {
    const extensions = [alternativeNames(names)];
    return certify({ name, publicKey, validFrom: valid.from, validTo: valid.to, extensions }, issuer);
  };
  const root = certify(
    {
      name: issuer.name,
      publicKey: authority.publicKey,
      validFrom: Date.now() - 48 * HOUR_MS,
      validTo: Date.now() + 48 * HOUR_MS,
      extensions: [IS_AUTHORITY, SIGNS_CERTIFICATES],
    },
    issuer,
  );
  const own = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const loopback = { kind: "ip", bytes: Buffer.from([127, 0, 0, 1]) } as const;
  const chain = pem("CERTIFICATE", made("coordinator", own.publicKey, [loopback])) + pem("CERTIFICATE", root);
  const requested: EnrollRequest[] = [];
  const script: EnrollmentScript = { refusal: null, certifiedName: null, certifiedKey: null, clockAheadMs: 0 };

  const answerTo = ({ csrDer, nodeName }: EnrollRequest): EnrollResponse => {
    const nodeId = script.certifiedName ?? nodeName;
    const publicKey = script.certifiedKey ?? readSigningRequest(csrDer).publicKey;
    const certificate = made(nodeId, publicKey, [{ kind: "uri", uri: `elastic://node/${nodeId}` }]);
    return {
      certificateChainPem: pem("CERTIFICATE", certificate),
      caPem: pem("CERTIFICATE", root),
      nodeId,
      coordinatorAddresses: ["127.0.0.1:8443"],
      notAfterUnixMs: BigInt(Date.parse(new X509Certificate(certificate).validTo)),
      issuedAtUnixMs: BigInt(Date.now() + script.clockAheadMs),
    };
  };

  const server = new Server();
  type Answer = (error: Partial<ServiceError> | null, response?: EnrollResponse) => void;
  server.addService(EnrollServiceService, {
    enroll: ({ request }: ServerUnaryCall<EnrollRequest, EnrollResponse>, answer: Answer) => {
      requested.push(request);
      if (script.refusal === null) answer(null, answerTo(request));
      else answer(script.refusal);
    },
  });
  const pair = {
    cert_chain: Buffer.from(chain),
    private_key: Buffer.from(own.privateKey.export({ type: "pkcs8", format: "pem" })),
  };
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createSsl(null, [pair], false), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    address: `127.0.0.1:${port}`,
    caSha256: createHash("sha256").update(root).digest("hex"),
    requested,
    script,
    stop: () => server.forceShutdown(),
  };
}
