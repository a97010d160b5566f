import { systemClock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { beginRollOut } from "../domain/roll-out.ts";
import { deleted, deploy, type Service } from "../domain/service.ts";
import { aDeployment, aNewService, aTask } from "../domain/testing/records.ts";
import { create } from "../store/change.ts";
import { Memory } from "../store/memory/memory.ts";
import { type MemoryKv, memoryKv } from "../store/memory/memory-kv.ts";
import { openStore } from "../store/open/open-store.ts";
import type { Store } from "../store/store.ts";
import { forgetDeletedServices } from "./deleted-services.ts";

const NOW = 1_800_000_000_000;
const DAY_MS = 24 * 3_600_000;

let kv: MemoryKv;
let store: Store;

beforeEach(async () => {
  kv = memoryKv(new Memory());
  store = await openStore({ kv, clock: systemClock, log: createLog({ name: "test", level: "silent" }) });
});
afterEach(async () => {
  await store.close();
  await kv.close();
});

/** With two deployments. */
async function addService(deletedAt: number | null, given: Partial<Service> = {}): Promise<Service> {
  const bare = { ...aNewService(), id: newId(0), ...given };
  const deployments = [1, 2].map(() => aDeployment({ id: newId(0), serviceId: bare.id }));
  const live = deploy(bare, deployments[1]?.id ?? "");
  const service = deletedAt === null ? live : deleted(live, deletedAt);
  await store.commit([create("services", service)]);
  for (const { id, teamId } of deployments) {
    const times = { receivedAt: 0, resolvedAt: 0 };
    await store.commit([create("roll-outs", beginRollOut({ id, serviceId: bare.id, teamId }, times, null))]);
  }
  for (const deployment of deployments) await store.commit([create("deployments", deployment)]);
  return service;
}

/** Whether its record is there, and how many deployments and roll-outs. */
function left({ id }: Service): readonly [boolean, number, number] {
  const count = (of: Iterable<{ readonly value: { readonly serviceId: string } }>) =>
    [...of].filter(({ value }) => value.serviceId === id).length;
  const { services, deployments, rollOuts } = store.view;
  return [services.get(id) !== undefined, count(deployments.values()), count(rollOuts.values())];
}

async function forgetTwice(): Promise<void> {
  for (const _round of [1, 2]) await forgetDeletedServices(store, NOW);
}

test("deployments of a deleted service go after a day, its record after a month, and those of others stay", async () => {
  const [live, fresh, old, oldest] = [
    await addService(null),
    await addService(NOW - DAY_MS + 1),
    await addService(NOW - DAY_MS),
    await addService(NOW - 35 * DAY_MS),
  ];
  await forgetTwice();
  expect([live, fresh, old, oldest].map(left)).toEqual([
    [true, 2, 2],
    [true, 2, 2],
    [true, 0, 0],
    [false, 0, 0],
  ]);
});

test("the record stays while a task of it has not been archived", async () => {
  const service = await addService(NOW - 35 * DAY_MS);
  await store.commit([create("tasks", aTask(service))]);
  await forgetTwice();
  expect(left(service)).toEqual([true, 0, 0]);
});

test("retains the last thousand deleted services of a team only, however recent", async () => {
  const teamId = newId(9);
  const bare = (n: number) => deleted({ ...aNewService(), id: newId(0), teamId }, NOW - n);
  const many = Array.from({ length: 1_010 }, (_, n) => bare(n));
  await Promise.all(many.map((service) => store.commit([create("services", service)])));
  const of = await addService(NOW);
  await forgetTwice();
  expect(many.map(({ id }) => store.view.services.get(id) !== undefined)).toEqual(many.map((_, n) => n < 1_000));
  expect(left(of)).toEqual([true, 2, 2]);
});
