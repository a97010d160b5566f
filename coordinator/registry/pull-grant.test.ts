import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId } from "@elastic/std/ids.ts";
import { afterAll, expect, test } from "vitest";
import { openSecrets } from "../secrets/secrets.ts";
import { GRANT_LIFE_S, looksLikePullGrant, makePullGrant, readPullGrant } from "./pull-grant.ts";

const dir = mkdtempSync(join(tmpdir(), "grant-"));
afterAll(() => rmSync(dir, { recursive: true }));
const secrets = openSecrets({ keyFile: join(dir, "keys") });
const NOW = 1_800_000_000_000;
const id = newId(1);
const grant = makePullGrant(secrets, id, NOW);

test("a grant names its assignment until it expires", () => {
  expect(looksLikePullGrant(grant)).toBe(true);
  expect(readPullGrant(secrets, grant, NOW)).toBe(id);
  expect(readPullGrant(secrets, grant, NOW + GRANT_LIFE_S * 1000 - 1)).toBe(id);
  expect(readPullGrant(secrets, grant, NOW + GRANT_LIFE_S * 1000)).toBeNull();
});

test("one of another assignment, time or key is none", () => {
  const others = openSecrets({ keyFile: join(dir, "others") });
  expect(readPullGrant(others, grant, NOW)).toBeNull();
  for (let at = 0; at < grant.length; at++) {
    const changed = grant.slice(0, at) + (grant.charAt(at) === "0" ? "1" : "0") + grant.slice(at + 1);
    // The last character of base64 holds bits that count for nothing; what they say is the same signature.
    if (at < grant.length - 1) expect([at, readPullGrant(secrets, changed, NOW)]).toEqual([at, null]);
  }
  for (const wrong of ["", "epg_", `${grant}x`, ` ${grant}`, grant.replace(id, newId(2))]) {
    expect(readPullGrant(secrets, wrong, NOW)).toBeNull();
  }
});
