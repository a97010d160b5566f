import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDevCa } from "@elastic/deploy/dev-ca.ts";
import { afterAll, expect, test } from "vitest";
import { checkAuthority, checkCertificateFile } from "./certificate-checks.ts";

const folder = mkdtempSync(join(tmpdir(), "certificate-checks-"));
afterAll(() => rmSync(folder, { recursive: true }));
const { ca } = openDevCa(folder).coordinator();
const DAY_MS = 86_400_000;

test("states how long a certificate is valid, and warns a week before its end", () => {
  const after = (days: number) => checkCertificateFile("ELASTIC_TLS_CA", ca, Date.now() + days * DAY_MS);
  expect(after(0)).toMatchObject([
    { level: "ok", finding: expect.stringMatching(/^ELASTIC_TLS_CA: for another \d+ days$/) },
  ]);
  expect(after(25)).toMatchObject([{ level: "warn", remedy: "renew it soon" }]);
  expect(after(31)).toMatchObject([{ level: "fail", remedy: "renew it" }]);
  const der = new X509Certificate(readFileSync(ca)).raw.toString("base64");
  expect(checkAuthority(der, Date.now())).toMatchObject({ level: "ok", finding: expect.stringContaining("authority") });
  expect(checkAuthority(der, Date.now() + 25 * DAY_MS)).toMatchObject({
    level: "warn",
    remedy: expect.stringContaining("authority stage"),
  });
});

test("checks no setting that is left out, and fails for a file without a certificate", () => {
  expect(checkCertificateFile("ELASTIC_TLS_CA", null, Date.now())).toEqual([]);
  expect(checkCertificateFile("ELASTIC_TLS_CA", "/no/ca", Date.now())).toMatchObject([{ level: "fail" }]);
});
