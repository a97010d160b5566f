import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Node, NodeTrust } from "../domain/node.ts";
import { aNode } from "../domain/testing/records.ts";
import { newRoot, promoted, rootOf, staged } from "../enrollment/authority-record.ts";
import { openSecrets } from "../secrets/secrets.ts";
import type { HeldKeys } from "../store/held-keys.ts";
import { type AuthorityState, nextAuthorityStep, whyNotAuthorityStep } from "./authority-steps.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 26);
const YEARS_20_MS = 20 * 365 * DAY_MS;

const dir = mkdtempSync(join(tmpdir(), "authority-steps-"));
afterAll(() => rmSync(dir, { recursive: true }));
const secrets = openSecrets({ keyFile: join(dir, "keys") });

const one = newRoot(secrets, NOW);
const two = staged(one, secrets, NOW);
const done = promoted(two, NOW);
const [oldRoot, freshRoot] = [rootOf(one.certificate), rootOf(done.certificate)];

function holder(name: string, issues: string, trusts: readonly string[]): HeldKeys {
  return { id: name, name, startedAt: 0, keys: ["k"], complaint: null, authority: { issues, trusts }, registry: null };
}

/** A process that agents do not link to. */
const http: HeldKeys = { ...holder("http", "", []), authority: null };

function node(id: string, trust: NodeTrust | null, given: Partial<Node> = {}): Node {
  return aNode(id, { node: { enrolmentId: "e", ...(trust === null ? {} : { trust }), ...given } });
}

const good: NodeTrust = { issuer: freshRoot.name, certificateEndsAt: NOW + DAY_MS, roots: [freshRoot.sha256] };

function state(given: Partial<AuthorityState> = {}): AuthorityState {
  const known = [holder("c1", oldRoot.sha256, [oldRoot.sha256]), http];
  return { record: one, holders: { known, silent: [] }, nodes: [], joinTokens: [], now: NOW, ...given };
}

const both = [freshRoot.sha256, oldRoot.sha256];
const stagedState = state({ record: two, holders: { known: [holder("c1", oldRoot.sha256, both), http], silent: [] } });
const promotedState = state({
  record: done,
  holders: { known: [holder("c1", freshRoot.sha256, both), http], silent: [] },
});

test.each([
  ["one root", state(), "stage"],
  ["a staged root", stagedState, "promote"],
  ["a promoted root", promotedState, "retire"],
] as const)("with %s the next step may be done", (_, given, next) => {
  expect(nextAuthorityStep(given)).toBe(next);
  expect(whyNotAuthorityStep(next, given)).toBeNull();
});

test("refuses to stage while a coordinator still trusts a root that was retired", () => {
  const holders = { known: [holder("c1", oldRoot.sha256, both), http], silent: [] };
  expect(whyNotAuthorityStep("stage", state({ holders }))).toMatch(/^c1 still trusts a root that was retired: wait/);
  expect(whyNotAuthorityStep("stage", { ...stagedState, holders })).toBeNull();
});

test("refuses to promote until every coordinator trusts the staged root", () => {
  const behind = { ...stagedState, holders: state().holders };
  expect(whyNotAuthorityStep("promote", behind)).toMatch(/not every coordinator trusts root .*: c1 issues from root/);
  expect(whyNotAuthorityStep("promote", { ...stagedState, holders: { known: [], silent: ["10.0.0.1:8443"] } })).toMatch(
    /10\.0\.0\.1:8443 runs an earlier version/,
  );
});

test.each([
  [
    "has a certificate of the earlier root",
    node("gpu-7", { ...good, issuer: oldRoot.name }),
    /node gpu-7 \(ready, has a certificate of the earlier root\)/,
  ],
  [
    "does not trust the new root",
    node("gpu-7", { ...good, roots: [oldRoot.sha256] }),
    /does not trust the new root yet/,
  ],
  [
    "runs an agent that does not report its roots",
    node("gpu-7", { issuer: freshRoot.name, certificateEndsAt: NOW + 1 }),
    /does not report which roots it trusts: update it/,
  ],
  [
    "has not connected since it was enrolled",
    node("gpu-7", null, { state: "joining" }),
    /joining, has not connected since/,
  ],
] as const)("refuses to retire while a machine %s, and names it", (_, machine, why) => {
  const given = { ...promotedState, nodes: [node("gpu-1", good), machine] };
  const reason = whyNotAuthorityStep("retire", given);
  expect(reason).toMatch(why);
  expect(reason).not.toContain("gpu-1");
  expect(reason).toMatch(/evict those that do not return, or retire with --force/);
  expect(whyNotAuthorityStep("retire", given, true)).toBeNull();
});

test.each([
  ["was evicted", node("gpu-7", { ...good, issuer: oldRoot.name }, { state: "gone" })],
  ["has a certificate that has ended", node("gpu-7", { ...good, issuer: oldRoot.name, certificateEndsAt: NOW })],
  ["has a certificate of another authority", aNode("gpu-7")],
  ["has a certificate of the new root and trusts it", node("gpu-7", good)],
] as const)("retires without a machine that %s", (_, machine) => {
  expect(whyNotAuthorityStep("retire", { ...promotedState, nodes: [machine] })).toBeNull();
});

test("refuses to retire while a join line is open, since it names the earlier root", () => {
  const token = { id: "t", nodeName: null, secretSha256: "", creatorId: null, createdAt: NOW, use: null };
  const open = { ...promotedState, joinTokens: [{ ...token, expiresAt: NOW + DAY_MS }] };
  expect(whyNotAuthorityStep("retire", open)).toMatch(/1 join line not pasted yet .* ends at 2026-11-27T00:00Z/);
  expect(whyNotAuthorityStep("retire", { ...open, joinTokens: [{ ...token, expiresAt: NOW }] })).toBeNull();
});

test("refuses to stage next to a root that ends in between, and to promote a root that does", () => {
  const late = { ...state(), now: NOW + YEARS_20_MS - DAY_MS };
  expect(whyNotAuthorityStep("stage", late)).toMatch(/ends on 2046-.*stage with --force, promote at once, and enroll/);
  expect(whyNotAuthorityStep("stage", late, true)).toBeNull();
  const stale = { ...stagedState, now: NOW + YEARS_20_MS - DAY_MS };
  expect(whyNotAuthorityStep("promote", stale)).toMatch(/the staged root .* is valid from .* `authority stage` again/);
  const early = { ...stagedState, now: NOW - 10 * DAY_MS };
  expect(whyNotAuthorityStep("promote", early)).toMatch(/set this machine's clock/);
});

test("refuses each step out of turn with the one that comes first", () => {
  expect(whyNotAuthorityStep("promote", state())).toMatch(/first `authority stage`/);
  expect(whyNotAuthorityStep("retire", state())).toMatch(/begins with `authority stage`/);
  expect(whyNotAuthorityStep("retire", stagedState)).toMatch(/first `authority promote`/);
  expect(whyNotAuthorityStep("stage", promotedState)).toMatch(/first `authority retire`/);
});
