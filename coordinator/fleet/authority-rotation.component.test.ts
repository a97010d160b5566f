/** The root of the nodes' certificates changes under links, and under machines that were away. */
import { createHash } from "node:crypto";
import { connect, type DetailedPeerCertificate } from "node:tls";
import { Heartbeat } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { makeSigningRequest } from "@elastic/std/x509/signing-request.ts";
import { status } from "@grpc/grpc-js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readAuthorityDigests } from "../enrollment/authority.ts";
import { promoted, retired, rootOf, staged } from "../enrollment/authority-record.ts";
import { type AuthorityRecord, readAuthority, replaceAuthority } from "../store/authority-claim.ts";
import { EnrollmentFixture, newKeys } from "./testing/enrollment-fixture.ts";
import type { FakeAgent } from "./testing/fake-agent.ts";

let fixture: EnrollmentFixture;
beforeEach(async () => {
  fixture = await EnrollmentFixture.open();
});
afterEach(() => fixture.close());

/** A step, and every process that has read it. */
async function step(change: (record: AuthorityRecord) => AuthorityRecord): Promise<AuthorityRecord> {
  const read = await readAuthority(fixture.coordinator.kv);
  if (read === null) throw new Error("there is no authority");
  const record = change(read.record);
  await replaceAuthority(fixture.coordinator.kv, read, record);
  await fixture.authority.check();
  await fixture.coordinator.authority?.check();
  return record;
}

const stage = () => step((record) => staged(record, fixture.fleet.secrets, Date.now()));
const promote = () => step((record) => promoted(record, Date.now()));
const retire = () => step(retired);

async function isToRenew(agent: FakeAgent): Promise<boolean> {
  agent.send({ $case: "heartbeat", value: Heartbeat.fromPartial({ sequence: 1n }) });
  return (await agent.next("heartbeatAck")).renewCertificate === true;
}

/** Digests of what the listener for enrollment shows, as an agent looks for the one in its line. */
async function presented(): Promise<readonly string[]> {
  const [host = "", port = ""] = fixture.enrollAddress.split(":");
  const socket = connect({ host, port: Number(port), rejectUnauthorized: false, ALPNProtocols: ["h2"] });
  await new Promise((resolve, reject) => socket.once("secureConnect", resolve).once("error", reject));
  const chain: DetailedPeerCertificate[] = [];
  for (let one = socket.getPeerCertificate(true); one?.raw !== undefined; one = one.issuerCertificate) {
    chain.push(one);
    if (one.issuerCertificate === one) break;
  }
  socket.destroy();
  return chain.map(({ raw }) => createHash("sha256").update(raw).digest("hex"));
}

test("a machine that knows only the earlier root links and renews until that root is retired", async () => {
  const keys = newKeys();
  const first = await fixture.enroll({ token: await fixture.token("gpu-7"), keys });
  const old = fixture.files(first.certificateChainPem, keys);
  const oldRoot = fixture.authority.current().sha256;
  const linked = fixture.agent("gpu-7", old);
  await linked.hello({ trustedRoots: { sha256: [oldRoot] } });
  expect(await isToRenew(linked)).toBe(false);

  const newRoot = rootOf((await stage()).next?.certificate ?? "");
  expect(await isToRenew(linked)).toBe(true);
  await promote();
  // Nothing is cut off, and the server's new certificate is of the earlier root too.
  expect(await isToRenew(linked)).toBe(true);
  const returned = fixture.agent("gpu-7", old);
  await returned.hello({ trustedRoots: { sha256: [oldRoot] } });

  const next = newKeys();
  const renewed = await fixture.renew(
    first.certificateChainPem,
    keys,
    makeSigningRequest("gpu-7", next.publicKey, next.privateKey),
  );
  expect(renewed.caPem.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  const fresh = fixture.files(renewed.certificateChainPem, next);
  const agent = fixture.agent("gpu-7", fresh);
  await agent.hello({ trustedRoots: { sha256: [newRoot.sha256, oldRoot] } });
  expect(await isToRenew(agent)).toBe(false);
  expect(fixture.coordinator.store.view.nodes.get("gpu-7")?.value.trust).toMatchObject({
    issuer: newRoot.name,
    roots: [newRoot.sha256, oldRoot],
  });

  await retire();
  // It trusts one root too many now.
  expect(await isToRenew(agent)).toBe(true);
  await fixture.agent("gpu-7", fresh).hello();
  await expect(fixture.agent("gpu-7", old).hello()).rejects.toMatchObject({ code: status.UNAVAILABLE });
});

test("a connection with a certificate of the retired root ends, and is counted", async () => {
  const agent = fixture.agent("gpu-7", await fixture.certificateOf("gpu-7"));
  await agent.hello();
  await stage();
  await promote();
  await agent.heartbeat();
  await retire();
  expect(await agent.ended()).toMatchObject({
    code: status.PERMISSION_DENIED,
    details: expect.stringContaining("the root of this certificate was retired"),
  });
  expect(await fixture.counted("elastic_agent_calls_refused_total")).toEqual({ retired_root: 1 });
});

test("an agent that does not state its roots gets no request to renew, and links all the same", async () => {
  const agent = fixture.agent("gpu-7", await fixture.certificateOf("gpu-7"));
  await agent.hello();
  await stage();
  await promote();
  expect(await isToRenew(agent)).toBe(false);
  expect(fixture.coordinator.store.view.nodes.get("gpu-7")?.value.trust?.roots).toBeUndefined();
});

const pinnedNow = async () => (await readAuthorityDigests(fixture.coordinator.kv))?.certificate;

test("a join line of any time before the retirement finds its root, and enrolls by it alone", async () => {
  const oldPem = fixture.caPem();
  const pinned = await pinnedNow();
  await stage();
  await promote();
  // So do the lines that are made from then on.
  expect(await pinnedNow()).toBe(pinned);
  expect(await presented()).toContain(pinned);
  const enrolled = await fixture.enroll({ token: await fixture.token("gpu-7"), caPem: oldPem });
  expect(enrolled.caPem).toBe(fixture.caPem());
  await retire();
  const after = await pinnedNow();
  expect(after).not.toBe(pinned);
  const shown = await presented();
  expect(shown).toContain(after);
  expect(shown).not.toContain(pinned);
});
