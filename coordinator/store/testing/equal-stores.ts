/** Holds the store in memory against a real etcd. */
import { randomOf } from "@elastic/test/simulation/random.ts";
import type { ExpectStatic } from "vitest";
import { BACKENDS, type Backend } from "./backends.ts";
import { Operations, openCompared } from "./compare-stores.ts";

export async function expectEqualStores(
  { seed, operations: count }: { readonly seed: number; readonly operations: number },
  expect: ExpectStatic,
): Promise<void> {
  const [memory, etcd] = await Promise.all([open("memory"), open("etcd")]);
  await using _ = memory;
  await using __ = etcd;
  const [ours, theirs] = await Promise.all([openCompared(memory), openCompared(etcd)]);
  const operations = new Operations(randomOf(seed, "operations"));
  let revision = 0;
  for (let number = 1; number <= count; number++) {
    const operation = operations.next(revision);
    const response = await ours.apply(operation);
    const context = { number, operation };
    expect({ ...context, response }).toEqual({ ...context, response: await theirs.apply(operation) });
    const before = revision;
    revision = await ours.revision();
    expect({ ...context, revision }).toEqual({ ...context, revision: await theirs.revision() });
    if (revision > before) operations.note(operation, revision);
  }
  await expect.poll(() => theirs.watched()).toEqual(ours.watched());
  ours.stop();
  theirs.stop();
}

async function open(wanted: string): Promise<Backend> {
  const found = BACKENDS.find(([name]) => name === wanted);
  if (found === undefined) throw new Error(`there is no store ${wanted}`);
  return await found[1]();
}
