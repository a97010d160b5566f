import { X509Certificate } from "node:crypto";
import { makeSigningRequest } from "@elastic/std/x509/signing-request.ts";
import { status } from "@grpc/grpc-js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { evicted } from "../domain/node.ts";
import { replace } from "../store/change.ts";
import { AUTHORITY_KEY } from "../store/keys.ts";
import { CERTIFICATE_LIFE_MS, EnrollmentFixture, newKeys } from "./testing/enrollment-fixture.ts";

let fixture: EnrollmentFixture;
beforeEach(async () => {
  fixture = await EnrollmentFixture.open();
});
afterEach(() => fixture.close());

function denied(why: RegExp) {
  return { code: status.PERMISSION_DENIED, details: expect.stringMatching(why) };
}

async function evict(nodeId: string): Promise<void> {
  const node = await fixture.coordinator.store.get("nodes", nodeId);
  if (node === null) throw new Error("no node");
  await fixture.coordinator.store.commit([replace("nodes", node, evicted(node.value, 1))]);
}

test("a machine with a token gets its node's certificate, and links with it", async () => {
  const keys = newKeys();
  const answer = await fixture.enroll({ token: await fixture.token("gpu-7"), keys });
  const certificate = new X509Certificate(answer.certificateChainPem);
  expect(certificate.subjectAltName).toContain("URI:elastic://node/gpu-7");
  expect(certificate.ca).toBe(false);
  expect(certificate.verify(new X509Certificate(answer.caPem).publicKey)).toBe(true);
  expect(answer).toMatchObject({ nodeId: "gpu-7", coordinatorAddresses: [fixture.coordinator.fleet.address] });
  const lifeMs = Number(answer.notAfterUnixMs - answer.issuedAtUnixMs);
  expect(lifeMs).toBeGreaterThan(CERTIFICATE_LIFE_MS - 2_000);
  expect(lifeMs).toBeLessThanOrEqual(CERTIFICATE_LIFE_MS);
  const agent = fixture.agent("gpu-7", fixture.files(answer.certificateChainPem, keys));
  await agent.hello();
  expect(fixture.coordinator.store.view.nodes.get("gpu-7")?.value.state).toBe("ready");
});

test("rejects a token of a node's name that was made before the node's eviction", async () => {
  await fixture.enroll({ token: await fixture.token("gpu-7") });
  const [before, other] = [await fixture.token("gpu-7"), await fixture.token("gpu-8")];
  await evict("gpu-7");
  await expect(fixture.enroll({ token: before })).rejects.toMatchObject(denied(/was evicted after the token was made/));
  await expect(fixture.enroll({ token: await fixture.token("gpu-7") })).resolves.toMatchObject({ nodeId: "gpu-7" });
  await expect(fixture.enroll({ token: other, nodeName: "gpu-8" })).resolves.toMatchObject({ nodeId: "gpu-8" });
});

test("the store alone neither has the tokens nor the authority's key", async () => {
  const token = await fixture.token("gpu-7");
  const { entries } = await fixture.coordinator.kv.read([AUTHORITY_KEY]);
  expect(entries[0]?.value.toString()).toMatch(/"sealedKey":"v1\./);
  expect(JSON.stringify([...fixture.coordinator.store.view.joinTokens.values()])).not.toContain(token.split("_")[2]);
});

test("accepts a used token from the same key only, with the same response", async () => {
  const token = await fixture.token("gpu-7");
  const keys = newKeys();
  const first = await fixture.enroll({ token, keys });
  const again = await fixture.enroll({ token, keys });
  expect(again.certificateChainPem).toBe(first.certificateChainPem);
  await expect(fixture.enroll({ token })).rejects.toMatchObject(denied(/used already, with another key/));
  await expect(fixture.enroll({ token, keys, nodeName: "gpu-8" })).rejects.toMatchObject(denied(/is for node gpu-7/));
});

test("of two machines with one token, at once, one is let in", async () => {
  const token = await fixture.token();
  const enrollments = ["gpu-1", "gpu-2", "gpu-3", "gpu-4"].map((nodeName) => fixture.enroll({ token, nodeName }));
  const outcomes = await Promise.allSettled(enrollments);
  expect(outcomes.map((one) => one.status).sort()).toEqual(["fulfilled", "rejected", "rejected", "rejected"]);
  expect([...fixture.coordinator.store.view.nodes.values()]).toHaveLength(1);
});

test("a token that came late, or is none, opens nothing", async () => {
  const keys = newKeys();
  const token = await fixture.token("gpu-7", 60);
  await fixture.enroll({ token, keys });
  const other = await fixture.token("gpu-8", 60);
  fixture.moveClock(60_001);
  await expect(fixture.enroll({ token, keys })).rejects.toMatchObject(denied(/has ended/));
  await expect(fixture.enroll({ token: other, nodeName: "gpu-8" })).rejects.toMatchObject(denied(/has ended/));
  for (const wrong of ["", "x", token.replace(/.$/, "~"), `ejt_${"0".repeat(32)}_${"a".repeat(36)}`]) {
    await expect(fixture.enroll({ token: wrong })).rejects.toMatchObject(denied(/is not one of this installation/));
  }
});

test("a foreign name, and a request with another name or another's signature, are refused", async () => {
  const token = await fixture.token("gpu-7");
  const keys = newKeys();
  const csr = (name: string, by = keys) => makeSigningRequest(name, keys.publicKey, by.privateKey);
  const invalid = (why: RegExp) => ({ code: status.INVALID_ARGUMENT, details: expect.stringMatching(why) });
  await expect(fixture.enroll({ token, nodeName: "gpu-8" })).rejects.toMatchObject(denied(/is for node gpu-7/));
  const malformed = [
    [{ csr: csr("gpu-8") }, /names "gpu-8", not node gpu-7/],
    [{ csr: csr("gpu-7", newKeys()) }, /is not signed with the key that it names/],
    [{ csr: Buffer.from("hello") }, /is not one for a common name and a P-256 key/],
    [{ csr: Buffer.alloc(2000) }, /is longer than 1024 bytes/],
    [{ nodeName: "../x" }, /the node's name is not one/],
  ] as const;
  for (const [given, why] of malformed)
    await expect(fixture.enroll({ token, ...given })).rejects.toMatchObject(invalid(why));
  // None of them used it up.
  await fixture.enroll({ token, keys });
});

test("a token without a name takes over no node that is there", async () => {
  await fixture.certificateOf("gpu-7");
  const token = await fixture.token();
  await expect(fixture.enroll({ token })).rejects.toMatchObject(denied(/there is a node gpu-7 already/));
  await fixture.enroll({ token, nodeName: "gpu-8" });
});

test("limits the requests of one address, and does not read what is too large", async () => {
  const calls = Array.from({ length: 12 }, () => fixture.enroll({ token: "x" }).catch((error) => error.code));
  const codes = await Promise.all(calls);
  expect(codes.filter((code) => code === status.RESOURCE_EXHAUSTED).length).toBeGreaterThanOrEqual(1);
  await expect(fixture.enroll({ token: "x".repeat(10_000) })).rejects.toMatchObject({
    code: status.RESOURCE_EXHAUSTED,
  });
});

test("accepts a good token from an address that has sent too many wrong ones", async () => {
  const token = await fixture.token("gpu-7");
  const guesses = Array.from({ length: 40 }, () => fixture.enroll({ token: `${token}x` }).catch((error) => error.code));
  expect(await Promise.all(guesses)).toContain(status.RESOURCE_EXHAUSTED);
  await expect(fixture.enroll({ token })).resolves.toMatchObject({ nodeId: "gpu-7" });
});

test("a certificate is renewed for a new key, of the same name only, over the certificate that is there", async () => {
  const [keys, next] = [newKeys(), newKeys()];
  const first = await fixture.enroll({ token: await fixture.token("gpu-7"), keys });
  const { certificateChainPem, notAfterUnixMs } = first;
  const csr = (name: string) => makeSigningRequest(name, next.publicKey, next.privateKey);
  fixture.moveClock(60_000);
  const renewed = await fixture.renew(certificateChainPem, keys, csr("gpu-7"));
  expect(renewed.notAfterUnixMs - notAfterUnixMs).toBeGreaterThanOrEqual(60_000n);
  const agent = fixture.agent("gpu-7", fixture.files(renewed.certificateChainPem, next));
  await agent.hello();
  await expect(fixture.renew(certificateChainPem, keys, csr("gpu-8"))).rejects.toMatchObject({
    code: status.INVALID_ARGUMENT,
  });
  fixture.moveClock(CERTIFICATE_LIFE_MS);
  await expect(fixture.renew(certificateChainPem, keys, csr("gpu-7"))).rejects.toMatchObject({
    code: status.UNAUTHENTICATED,
  });
});

test("notes until when a node has a certificate: as it is enrolled, with each renewal, and by what a hello shows", async () => {
  const [keys, next] = [newKeys(), newKeys()];
  const endsAt = () => fixture.coordinator.store.view.nodes.get("gpu-7")?.value.certificateEndsAt;
  const first = await fixture.enroll({ token: await fixture.token("gpu-7"), keys });
  expect(endsAt()).toBe(Number(first.notAfterUnixMs));
  fixture.moveClock(60_000);
  const csr = makeSigningRequest("gpu-7", next.publicKey, next.privateKey);
  const renewed = await fixture.renew(first.certificateChainPem, keys, csr);
  expect(endsAt()).toBe(Number(renewed.notAfterUnixMs));
  // A record from before ends were noted.
  const read = await fixture.coordinator.store.get("nodes", "gpu-7");
  if (read === null) throw new Error("no node");
  const { certificateEndsAt: _, ...before } = read.value;
  await fixture.coordinator.store.commit([replace("nodes", read, before)]);
  await fixture.agent("gpu-7", fixture.files(renewed.certificateChainPem, next)).hello();
  expect(endsAt()).toBe(Number(renewed.notAfterUnixMs));
});

test("a stream ends no later than its certificate", async () => {
  const agent = fixture.agent("gpu-7", await fixture.certificateOf("gpu-7"));
  await agent.hello();
  fixture.moveClock(CERTIFICATE_LIFE_MS);
  expect(await agent.ended()).toMatchObject({
    code: status.UNAUTHENTICATED,
    details: expect.stringContaining("the certificate has ended"),
  });
});

test("an evicted node's stream is cut at every coordinator, and its certificate is refused at every call", async () => {
  const keys = newKeys();
  const { certificateChainPem } = await fixture.enroll({ token: await fixture.token("gpu-7"), keys });
  const files = fixture.files(certificateChainPem, keys);
  const second = await fixture.fleet.coordinator({ certificateLifeMs: CERTIFICATE_LIFE_MS });
  const agents = [fixture.agent("gpu-7", files), fixture.fleet.agent(second, "gpu-7", files)];
  for (const agent of agents) await agent.hello();
  const cutAt = performance.now();
  await evict("gpu-7");
  for (const agent of agents) expect(await agent.ended()).toMatchObject(denied(/was evicted/));
  expect(performance.now() - cutAt).toBeLessThan(5_000);

  const again = fixture.agent("gpu-7", files);
  await expect(again.hello()).rejects.toMatchObject(denied(/was evicted/));
  await expect(again.pullToken("0".repeat(32))).rejects.toMatchObject(denied(/was evicted/));
  await expect(again.bulk.fetchInput(undefined)).rejects.toMatchObject(denied(/was evicted/));
  const csr = makeSigningRequest("gpu-7", keys.publicKey, keys.privateKey);
  await expect(fixture.renew(certificateChainPem, keys, csr)).rejects.toMatchObject(denied(/was evicted/));
});

test("admits a node that is enrolled again, and rejects the certificates that it had before", async () => {
  const before = await fixture.certificateOf("gpu-7");
  await evict("gpu-7");
  const token = await fixture.token();
  await expect(fixture.enroll({ token })).rejects.toMatchObject(denied(/there is a node gpu-7 already/));
  const after = await fixture.certificateOf("gpu-7");
  const agent = fixture.agent("gpu-7", after);
  await agent.hello();
  await expect(fixture.agent("gpu-7", before).hello()).rejects.toMatchObject(denied(/enrolled again/));
  await agent.heartbeat();
});

test("a certificate of another authority opens nothing, and another node's none but its own", async () => {
  const files = await fixture.certificateOf("gpu-7");
  const foreign = fixture.fleet.ca.node("gpu-7");
  const impostor = fixture.agent("gpu-7", { ...foreign, ca: files.ca });
  await expect(impostor.hello()).rejects.toMatchObject({ code: status.UNAVAILABLE });
  const other = fixture.agent("gpu-8", files);
  await expect(other.hello()).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
});

test("what is let in and what is refused is counted, by why", async () => {
  const token = await fixture.token("gpu-7");
  const keys = newKeys();
  const { certificateChainPem } = await fixture.enroll({ token, keys });
  await fixture.enroll({ token, keys });
  for (const enrollments of [{ token }, { token: "x" }, { token, csr: Buffer.from("x") }]) {
    await fixture.enroll(enrollments).catch(() => undefined);
  }
  expect(await fixture.counted("elastic_enrolments_total")).toEqual({ enrolled: 1, again: 1, denied: 2, invalid: 1 });
  const files = fixture.files(certificateChainPem, keys);
  const agent = fixture.agent("gpu-7", files);
  await agent.hello();
  await evict("gpu-7");
  await agent.ended();
  await expect(fixture.agent("gpu-7", files).hello()).rejects.toMatchObject(denied(/was evicted/));
  const before = await fixture.certificateOf("gpu-8");
  await fixture.certificateOf("gpu-8");
  await expect(fixture.agent("gpu-8", before).hello()).rejects.toMatchObject(denied(/enrolled again/));
  expect(await fixture.counted("elastic_agent_calls_refused_total")).toEqual({ evicted: 2, enrolled_anew: 1 });
});
