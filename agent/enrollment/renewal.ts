/** Renews the node's certificate while the agent runs: a new key each time, and the new pair on disk before it is used. */
import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import type { RenewCertificateResponse } from "@elastic/proto/gen/elastic/fleet/v1/enroll.ts";
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { pause } from "@elastic/std/pause.ts";
import type { TlsFiles } from "../domain/tls-files.ts";
import { checkAnswer, requestFor } from "./certificate-request.ts";
import { clockComplaint, renewAfterMs, retryAfterMs, validityComplaint } from "./certificate-times.ts";
import { writeIdentity } from "./identity-files.ts";
import { readNodeIdentity } from "./node-identity.ts";

export interface RenewalOptions {
  readonly files: TlsFiles;
  /** Rejects while no coordinator responds. */
  readonly request: (csrDer: Buffer) => Promise<RenewCertificateResponse>;
  /** The files hold a new certificate. */
  readonly onRenewed: () => void;
  readonly random: () => number;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface Renewal {
  /** The certificate is to be renewed before its time; requests that come too soon after a renewal have no effect. */
  hasten(): void;
  stop(): Promise<void>;
}

/** Over how long the machines of a fleet are spread that are to renew now, and after how long the request counts again. */
const HASTE_MS = { spread: 2_000, again: 5_000 };
/** The longest time of a timer. */
const PAUSE_MS_MAX = 2 ** 31 - 1;

export function startRenewal(options: RenewalOptions): Renewal {
  const stopping = new AbortController();
  let wake = new AbortController();
  let quietUntilMs = 0;
  const wait = async (ms: number): Promise<void> => {
    wake = new AbortController();
    await pause(Math.min(ms, PAUSE_MS_MAX), AbortSignal.any([stopping.signal, wake.signal]));
  };
  const finished = run(options, wait, stopping.signal);
  return {
    hasten: () => {
      const now = options.clock.monotonicMs();
      if (now < quietUntilMs) return;
      quietUntilMs = now + HASTE_MS.again;
      // So that a fleet does not renew at once.
      setTimeout(() => wake.abort(), options.random() * HASTE_MS.spread).unref();
    },
    stop: async () => {
      stopping.abort();
      await finished;
    },
  };
}

async function run(options: RenewalOptions, wait: (ms: number) => Promise<void>, signal: AbortSignal): Promise<void> {
  const { files, clock, log } = options;
  const { nodeId, validFrom, validTo } = readNodeIdentity(readFileSync(files.certFile));
  const complaint = validityComplaint(
    "this node's certificate",
    { from: validFrom, to: validTo },
    new Date(clock.now()),
  );
  if (complaint !== null)
    log.error(`${complaint}; if the certificate has expired, enroll this machine again with a token`);
  const lifetimeMs = validTo.getTime() - validFrom.getTime();
  let endsAtMs = clock.monotonicMs() + validTo.getTime() - clock.now();
  const dueMs = validFrom.getTime() + renewAfterMs(lifetimeMs, options.random()) - clock.now();
  // By a clock that is before its issue nothing is known of its end: the next one says when that is.
  let waitMs = clock.now() < validFrom.getTime() ? 0 : Math.max(0, dueMs);
  while (!signal.aborted) {
    await wait(waitMs);
    if (signal.aborted) return;
    try {
      // By the coordinator's clock, so that one that is wrong here hastens and delays nothing.
      const lifeMs = await renew(options, nodeId);
      endsAtMs = clock.monotonicMs() + lifeMs;
      waitMs = renewAfterMs(lifeMs, options.random());
      log.info({ lifeMs, nextMs: Math.round(waitMs) }, "the certificate was renewed");
    } catch (error) {
      waitMs = retryAfterMs(endsAtMs - clock.monotonicMs());
      const why = error instanceof Error ? error.message : String(error);
      log.warn({ why, nextMs: waitMs }, "the certificate could not be renewed; retrying");
    }
  }
}

/** Returns how long the new certificate lasts. */
async function renew({ files, request, onRenewed, clock, log }: RenewalOptions, nodeId: string): Promise<number> {
  const { privateKey: key } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const answer = await request(requestFor(nodeId, key));
  checkAnswer(answer.certificateChainPem, nodeId, key);
  writeIdentity(files, { certificatePem: answer.certificateChainPem, key, caPem: answer.caPem });
  onRenewed();
  const complaint = clockComplaint(clock.now(), Number(answer.issuedAtUnixMs));
  if (complaint !== null) log.warn(complaint);
  return Number(answer.notAfterUnixMs - answer.issuedAtUnixMs);
}
