import { expect, test } from "vitest";
import { checkIdentity, type IdentityFacts } from "./identity-checks.ts";

const INSTALLATION = { epoch: 1, blobStoreId: "b" };
const KNOWN = { clusterId: "7", revision: 100, ...INSTALLATION };
const FOUND = { clusterId: "7", revision: 101, installation: INSTALLATION };

function check(given: Partial<IdentityFacts>) {
  return checkIdentity({ file: "/id.json", known: KNOWN, found: FOUND, acceptAs: null, ...given });
}

test("passes the known store, one that was accepted, and a first start", () => {
  expect(check({})).toMatchObject({ level: "ok" });
  expect(check({ known: null })).toMatchObject({ level: "ok" });
  const accepted = { ...FOUND, revision: 5, installation: { ...INSTALLATION, epoch: 2 } };
  expect(check({ found: accepted })).toMatchObject({ level: "ok", finding: expect.stringContaining("epoch 2") });
});

test("fails for an older copy, and for an emptied etcd, with what a start advises", () => {
  const remedy = expect.stringMatching(/^Put back .* restore.*--accept-store 2 /);
  for (const found of [
    { ...FOUND, revision: 60 },
    { ...FOUND, installation: null },
    { ...FOUND, clusterId: "8" },
  ]) {
    expect(check({ found })).toMatchObject({ level: "fail", remedy });
    expect(check({ found, acceptAs: 2 })).toMatchObject({ level: "warn" });
    expect(check({ found, acceptAs: 3 })).toMatchObject({ level: "fail" });
  }
});
