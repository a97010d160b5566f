/** Machines of a pool join over the wire, with a token that many of them have. */

import { newId } from "@elastic/std/ids.ts";
import { status } from "@grpc/grpc-js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { evicted } from "../domain/node.ts";
import { begun, released, releasing } from "../domain/pool-machine.ts";
import { aPool, aPoolMachine } from "../domain/testing/records.ts";
import { machineIdOf } from "../enrollment/machine-id.ts";
import { makePoolToken } from "../enrollment/make-pool-token.ts";
import { create, put, remove, replace } from "../store/change.ts";
import { EnrollmentFixture, newKeys } from "./testing/enrollment-fixture.ts";

const POOL = aPool();

let fixture: EnrollmentFixture;
beforeEach(async () => {
  fixture = await EnrollmentFixture.open();
  await fixture.coordinator.store.commit([create("pools", POOL)]);
});
afterEach(() => fixture.close());

async function token(usesMax = 3, seconds = 600, poolId = POOL.id): Promise<string> {
  const { store } = fixture.coordinator;
  const read = async () => {
    const pool = await store.get("pools", poolId);
    if (pool === null) throw new Error("no pool");
    return pool;
  };
  const made = await makePoolToken(store, read, { seconds, usesMax, creatorId: null }, { now: () => Date.now() });
  if (made === null) throw new Error("no token");
  return made.text;
}

function denied(why: RegExp) {
  return { code: status.PERMISSION_DENIED, details: expect.stringMatching(why) };
}

/** As after the response of its driver, which named it. */
async function requested(name: string | null) {
  const machine = aPoolMachine(POOL, { id: newId(Date.now()), requestedAt: Date.now() });
  const named = name === null ? machine : begun(machine, name, Date.now());
  await fixture.coordinator.store.commit([create("pool-machines", named)]);
  return named.id;
}

const machineOf = async (id: string) => (await fixture.coordinator.store.get("pool-machines", id))?.value;
const nodeOf = async (id: string) => (await fixture.coordinator.store.get("nodes", id))?.value;

test("admits as many machines as the token has uses, each into the record of its request", async () => {
  const text = await token(2);
  const ids = [await requested("i-1"), await requested("i-2"), await requested("i-3")];
  for (const at of [1, 2]) {
    const keys = newKeys();
    const answer = await fixture.enroll({ token: text, nodeName: `gpu-${at}`, machine: `i-${at}`, keys });
    expect(await machineOf(ids[at - 1] ?? "")).toMatchObject({
      nodeId: `gpu-${at}`,
      machine: `i-${at}`,
      state: "booting",
    });
    expect((await nodeOf(`gpu-${at}`))?.pool).toEqual({ id: POOL.id, machine: `i-${at}` });
    const agent = fixture.agent(`gpu-${at}`, fixture.files(answer.certificateChainPem, keys));
    await agent.hello();
    // The hello of its agent, which knows of no pools, leaves that as it is.
    expect(await nodeOf(`gpu-${at}`)).toMatchObject({ state: "ready", pool: { machine: `i-${at}` } });
  }
  const third = fixture.enroll({ token: text, nodeName: "gpu-3", machine: "i-3" });
  await expect(third).rejects.toMatchObject(denied(/the token has let in 2 machines already/));
});

test("matches a machine by the id of its request, and by its node's name where it names nothing", async () => {
  const text = await token();
  const id = await requested(null);
  await fixture.enroll({ token: text, nodeName: "gpu-1", machine: id });
  expect((await machineOf(id))?.nodeId).toBe("gpu-1");
  const named = await requested("gpu-2");
  await fixture.enroll({ token: text, nodeName: "gpu-2" });
  expect((await machineOf(named))?.nodeId).toBe("gpu-2");
});

test("gives the same key the same response, and one machine of two with the same name a certificate", async () => {
  const text = await token();
  await requested("i-1");
  const keys = newKeys();
  const first = await fixture.enroll({ token: text, nodeName: "gpu-1", machine: "i-1", keys });
  const again = await fixture.enroll({ token: text, nodeName: "gpu-1", machine: "i-1", keys });
  expect(again.certificateChainPem).toBe(first.certificateChainPem);
  const other = fixture.enroll({ token: text, nodeName: "gpu-2", machine: "i-1" });
  await expect(other).rejects.toMatchObject(denied(/machine i-1 has joined already, with another key/));
  const both = ["gpu-4", "gpu-5"].map((nodeName) => fixture.enroll({ token: text, nodeName, machine: "i-4" }));
  const outcomes = await Promise.allSettled(both);
  expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

test("records a machine that nobody requested, and refuses one that is being removed", async () => {
  const text = await token();
  await fixture.enroll({ token: text, nodeName: "gpu-9", machine: "i-9" });
  const id = machineIdOf(POOL.id, "i-9");
  const machine = await machineOf(id);
  expect(machine).toMatchObject({ unrequested: true, machine: "i-9", nodeId: "gpu-9", state: "booting" });
  const leaving = aPoolMachine(POOL, { id: newId(Date.now()), machine: "i-1" });
  const { store } = fixture.coordinator;
  await store.commit([create("pool-machines", releasing(leaving, null, Date.now()))]);
  const enroll = () => fixture.enroll({ token: text, nodeName: "gpu-1", machine: "i-1" });
  await expect(enroll()).rejects.toMatchObject(denied(/machine i-1 is no longer wanted/));
  await store.commit([put("pool-machines", await store.get("pool-machines", leaving.id), released(leaving, 1))]);
  await expect(enroll()).resolves.toMatchObject({ nodeId: "gpu-1" });
});

test("rejects a token that has ended, one of a pool that was deleted, and a node's name that is taken", async () => {
  const [short, text] = [await token(3, 1), await token()];
  await fixture.enroll({ token: text, nodeName: "gpu-1", machine: "i-1" });
  await expect(fixture.enroll({ token: text, nodeName: "gpu-1", machine: "i-2" })).rejects.toMatchObject(
    denied(/there is a node gpu-1 already/),
  );
  fixture.moveClock(2_000);
  await expect(fixture.enroll({ token: short, nodeName: "gpu-2" })).rejects.toMatchObject(
    denied(/the token has ended/),
  );
  const { store } = fixture.coordinator;
  const pool = await store.get("pools", POOL.id);
  if (pool !== null) await store.commit([remove("pools", pool)]);
  await expect(fixture.enroll({ token: text, nodeName: "gpu-2" })).rejects.toMatchObject(
    denied(/pool of the token was deleted/),
  );
  await expect(fixture.enroll({ token: text.replace(/.$/, "x"), nodeName: "gpu-2" })).rejects.toMatchObject(
    denied(/not one of this installation/),
  );
});

test("admits under no name of another pool, of another node, or that a driver's command could take for something else", async () => {
  const { store } = fixture.coordinator;
  const small = { ...aPool(), id: "small" };
  await store.commit([create("pools", small)]);
  await requested("i-0victim");
  await fixture.enroll({ token: await fixture.token("gpu-7"), nodeName: "gpu-7" });
  const text = await token(9, 600, "small");
  const enroll = (machine: string, nodeName = "n-1") => fixture.enroll({ token: text, nodeName, machine });
  await expect(enroll("i-0victim")).rejects.toMatchObject(denied(/machine i-0victim is of pool h100/));
  await expect(enroll("gpu-7")).rejects.toMatchObject(denied(/gpu-7 is a node that is not of pool small/));
  for (const name of ["prod-db/../control-plane", "I-1", "-rf", "a b", "a:b", `a${"b".repeat(128)}`]) {
    await expect(enroll(name)).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: expect.stringContaining("the machine's name is not one: 1 to 128 lower-case letters"),
    });
  }
  expect([...store.view.poolMachines.of("small")]).toEqual([]);
  // Nor does an ordinary machine become a node by the name of a pool's.
  await expect(fixture.enroll({ token: await fixture.token(), nodeName: "i-0victim" })).rejects.toMatchObject(
    denied(/i-0victim is a machine of pool h100, which joins with a token of the pool/),
  );
});

test("admits what nobody requested up to the pool's maximum, and what was requested beyond it", async () => {
  const { store } = fixture.coordinator;
  const text = await token(20);
  const outcomes = [];
  for (let at = 1; at <= POOL.max + 2; at++)
    outcomes.push(...(await Promise.allSettled([fixture.enroll({ token: text, nodeName: `x-${at}` })])));
  expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(POOL.max);
  expect(outcomes.at(-1)).toMatchObject({
    reason: denied(
      new RegExp(
        `nobody requested machine x-${POOL.max + 2}, and pool h100 has its maximum of ${POOL.max} machines; nothing was changed`,
      ),
    ),
  });
  await requested("i-1");
  await expect(fixture.enroll({ token: text, nodeName: "gpu-1", machine: "i-1" })).resolves.toBeDefined();
  expect([...store.view.poolTokens.of(POOL.id)].map(({ value }) => value.uses)).toEqual([POOL.max + 1]);
});

test("lets no evicted node return by a token from before, unless its driver has added the machine again", async () => {
  const { store } = fixture.coordinator;
  const text = await token(9);
  await requested("i-1");
  await fixture.enroll({ token: await fixture.token("gpu-7"), nodeName: "gpu-7" });
  await fixture.enroll({ token: text, nodeName: "p-1", machine: "i-1" });
  await fixture.enroll({ token: text, nodeName: "p-2", machine: "i-2" });
  for (const id of ["gpu-7", "p-1", "p-2"]) {
    const node = await store.get("nodes", id);
    if (node !== null) await store.commit([replace("nodes", node, evicted(node.value, Date.now()))]);
  }
  const older = /node \S+ was evicted after the token was made: make another token of the pool/;
  const enroll = (nodeName: string, machine: string, by = text) => fixture.enroll({ token: by, nodeName, machine });
  await expect(enroll("gpu-7", "i-7")).rejects.toMatchObject(denied(older));
  await expect(enroll("p-1", "i-8")).rejects.toMatchObject(denied(older));
  await requested("i-9");
  await expect(enroll("gpu-7", "i-9")).rejects.toMatchObject(denied(older));
  await expect(enroll("p-1", "i-9")).resolves.toMatchObject({ nodeId: "p-1" });
  fixture.moveClock(1_000);
  const [made] = [...store.view.poolTokens.values()];
  expect(made?.value.uses).toBe(3);
  await expect(enroll("p-2", "i-8", await token())).resolves.toMatchObject({ nodeId: "p-2" });
});
