/** Certificates are renewed in time whatever this machine's clock says. */
import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Clock, systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { alternativeNames, certify, type Issuer } from "@elastic/std/x509/certify.ts";
import { pem } from "@elastic/std/x509/pem.ts";
import { readSigningRequest } from "@elastic/std/x509/signing-request.ts";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { identityFiles, writeIdentity } from "./identity-files.ts";
import { startRenewal } from "./renewal.ts";

afterAll(removeTemporaryFolders);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** As coordinators do: so much before its issue it begins. */
const BACKDATED_MS = 5 * MINUTE_MS;

const issuer: Issuer = { name: "nodes", key: generateKeyPairSync("ec", { namedCurve: "prime256v1" }).privateKey };

function certificateOf(name: string, publicKey: Parameters<typeof certify>[0]["publicKey"], endsAt: number): string {
  const extensions = [alternativeNames([{ kind: "uri", uri: `elastic://node/${name}` }])];
  const validFrom = Date.now() - BACKDATED_MS;
  return pem("CERTIFICATE", certify({ name, publicKey, validFrom, validTo: endsAt, extensions }, issuer));
}

/** An agent with a certificate that was just issued, whose clock is so much ahead. */
function start(options: { readonly lifeMs: number; readonly clockAheadMs: number; readonly failures?: number }) {
  const files = identityFiles(temporaryFolder());
  const keys = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const first = certificateOf("gpu-1", keys.publicKey, Date.now() + options.lifeMs);
  writeIdentity(files, { certificatePem: first, key: keys.privateKey, caPem: first });
  const clock: Clock = {
    now: () => systemClock.now() + options.clockAheadMs,
    monotonicMs: () => systemClock.monotonicMs(),
  };
  let failuresLeft = options.failures ?? 0;
  const did = { requested: 0, renewed: 0 };
  const renewal = startRenewal({
    files,
    request: async (csr) => {
      did.requested += 1;
      if (failuresLeft-- > 0) throw new Error("no coordinator responds");
      const [issuedAt, endsAt] = [Date.now(), Date.now() + options.lifeMs];
      const { name, publicKey } = readSigningRequest(csr);
      return {
        certificateChainPem: certificateOf(name, publicKey, endsAt),
        caPem: first,
        notAfterUnixMs: BigInt(endsAt),
        issuedAtUnixMs: BigInt(issuedAt),
      };
    },
    onRenewed: () => {
      did.renewed += 1;
    },
    random: () => 0,
    clock,
    log: createLog({ name: "test", level: "silent" }),
  });
  onTestFinished(() => renewal.stop());
  return { did, files, first, renewal };
}

test.each([
  ["right", 0],
  ["an hour ahead", HOUR_MS],
  ["an hour behind", -HOUR_MS],
])(
  "with a clock that is %s, certificates of a second and a half are renewed again and again",
  async (_, clockAheadMs) => {
    const { did, files, first } = start({ lifeMs: 1_500, clockAheadMs });
    await expect.poll(() => did.renewed, { timeout: 10_000 }).toBeGreaterThanOrEqual(3);
    const now = readFileSync(files.certFile, "utf8");
    expect(now).not.toContain(first.slice(0, 300));
    // The key is a new one each time, and is that of the certificate in the same file.
    expect(new X509Certificate(now).subjectAltName).toBe("URI:elastic://node/gpu-1");
  },
);

test("one of a day is left alone at first, and a renewal that fails is made again while there is time", async () => {
  const day = start({ lifeMs: 24 * HOUR_MS, clockAheadMs: 0 });
  const late = start({ lifeMs: 20_000, clockAheadMs: 0, failures: 2 });
  await expect.poll(() => late.did, { timeout: 15_000 }).toEqual({ requested: 3, renewed: 1 });
  expect(day.did).toEqual({ requested: 0, renewed: 0 });
});

test("one of a day is renewed at once where a coordinator requests it, and once however often it does", async () => {
  const { did, renewal } = start({ lifeMs: 24 * HOUR_MS, clockAheadMs: 0 });
  for (let count = 0; count < 3; count += 1) renewal.hasten();
  await expect.poll(() => did.renewed, { timeout: 10_000 }).toBe(1);
  renewal.hasten();
  await renewal.stop();
  expect(did).toEqual({ requested: 1, renewed: 1 });
});
