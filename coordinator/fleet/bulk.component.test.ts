import { createHash } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { status } from "@grpc/grpc-js";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { isTerminal } from "../domain/task.ts";
import { aTask, TEAM } from "../domain/testing/records.ts";
import { create } from "../store/change.ts";
import type { FakeAgent } from "./testing/fake-agent.ts";
import { createTask, seen } from "./testing/fleet-fixture.ts";
import { type ReadyFleet, startReadyFleet, startThief } from "./testing/ready-fleet.ts";

const MIB = 2 ** 20;

let fleet: ReadyFleet;
let thief: FakeAgent;
beforeAll(async () => {
  fleet = await startReadyFleet({ limits: { concurrency: 20 } });
  thief = await startThief(fleet);
});
afterAll(() => fleet.fixture.close());

function sha256(data: Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}

function noise(bytes: number): Buffer {
  const data = Buffer.alloc(bytes);
  for (let at = 0; at + 4 <= bytes; at += 4) data.writeUInt32LE((at * 2654435761) >>> 0, at);
  return data;
}

/** Of buffers that are still referred to: client and server of this test together. */
function bytesInUse(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  // Array buffers are freed in the background after a collection; the next collection waits for that.
  collect();
  collect();
  return process.memoryUsage().arrayBuffers;
}

function header(attempt: AttemptRef | undefined, data: Buffer) {
  return { attempt, sizeBytes: BigInt(data.length), sha256: sha256(data) };
}

function* pieces(data: Buffer, size = 256 * 1024): Generator<Buffer> {
  for (let at = 0; at < data.length; at += size) yield data.subarray(at, at + size);
}

async function startedWithBlob(data: Buffer) {
  const [blob] = await Promise.all([fleet.fixture.blobs.put(TEAM, [data] as never, { bytesMax: data.length })]);
  const input = { ...blob, where: "blob" } as const;
  const task = aTask(fleet.service, { createdAt: Date.now(), input });
  await fleet.coordinator.store.commit([create("tasks", task)]);
  return { task, start: await fleet.agent.nextStart() };
}

describe("an input", () => {
  test("that is small comes with the start, and can be fetched all the same", async () => {
    await createTask(fleet.coordinator.store, fleet.service, '{"a":1,"a":2}');
    const start = await fleet.agent.nextStart();
    expect(start.inlineInput?.toString()).toBe('{"a":1,"a":2}');
    expect((await fleet.agent.bulk.fetchInput(start.attempt)).toString()).toBe('{"a":1,"a":2}');
    expect((await fleet.agent.bulk.fetchInput(start.attempt, 6)).toString()).toBe(',"a":2}');
    await fleet.agent.succeed(start.attempt, "r");
  });

  test("that is large is fetched, completely or from an offset", async () => {
    const data = noise(3 * MIB + 17);
    const { start } = await startedWithBlob(data);
    expect(start.inlineInput).toBeUndefined();
    expect(start.inputBytes).toBe(BigInt(data.length));
    expect(sha256(await fleet.agent.bulk.fetchInput(start.attempt))).toBe(sha256(data));
    expect(sha256(await fleet.agent.bulk.fetchInput(start.attempt, 2 * MIB))).toBe(sha256(data.subarray(2 * MIB)));
    expect(await fleet.agent.bulk.fetchInput(start.attempt, data.length)).toHaveLength(0);
    await expect(fleet.agent.bulk.fetchInput(start.attempt, data.length + 1)).rejects.toMatchObject({
      code: status.OUT_OF_RANGE,
    });
    await fleet.agent.succeed(start.attempt, "r");
  });

  test("that is missing is lost data, which no other attempt would find", async () => {
    const input = { bytes: 10_000, sha256: "5".repeat(64), where: "blob" } as const;
    const task = aTask(fleet.service, { createdAt: Date.now(), input });
    await fleet.coordinator.store.commit([create("tasks", task)]);
    const { attempt } = await fleet.agent.nextStart();
    await expect(fleet.agent.bulk.fetchInput(attempt)).rejects.toMatchObject({ code: status.DATA_LOSS });
    await fleet.agent.succeed(attempt, "r");
  });

  test("is for the node of the running attempt alone", async () => {
    const { start } = await startedWithBlob(noise(MIB));
    await expect(thief.bulk.fetchInput(start.attempt)).rejects.toMatchObject({ code: status.NOT_FOUND });
    await expect(fleet.agent.bulk.fetchInput(undefined)).rejects.toMatchObject({ code: status.NOT_FOUND });
    await fleet.agent.succeed(start.attempt, "r");
    await expect(fleet.agent.bulk.fetchInput(start.attempt)).rejects.toMatchObject({ code: status.NOT_FOUND });
  });
});

describe("a result", () => {
  test("of 128 MiB is taken without being held in memory, and becomes the task's", async () => {
    const { task, start } = await startedWithBlob(noise(10));
    const data = noise(128 * MIB);
    const before = bytesInUse();
    let most = 0;
    const watched = function* () {
      for (const [index, piece] of [...pieces(data)].entries()) {
        if (index % 64 === 63) most = Math.max(most, bytesInUse() - before);
        yield piece;
      }
    };
    await fleet.agent.bulk.upload(header(start.attempt, data), watched());
    // Both ends together, flow-control windows and all.
    expect(most).toBeLessThan(64 * MIB);
    const uploaded = { sha256: sha256(data), sizeBytes: BigInt(data.length) };
    await fleet.agent.report(start.attempt, {
      $case: "succeeded",
      value: { result: { $case: "uploaded", value: uploaded } },
    });
    const ended = await seen(fleet.coordinator.store.view.tasks, task.id, ({ phase }) => isTerminal(phase));
    expect(ended.phase).toMatchObject({
      kind: "succeeded",
      result: { bytes: data.length, sha256: uploaded.sha256, where: "blob" },
    });
    expect(await fleet.fixture.blobs.has(TEAM, uploaded.sha256)).toBe(true);
  });

  test("that is not what its header says is refused", async () => {
    const { start } = await startedWithBlob(noise(11));
    const data = noise(MIB + 1);
    const said = header(start.attempt, data);
    const loss = { code: status.DATA_LOSS };
    await expect(fleet.agent.bulk.upload(said, pieces(Buffer.alloc(MIB + 1)))).rejects.toMatchObject(loss);
    await expect(fleet.agent.bulk.upload(said, pieces(data.subarray(1)))).rejects.toMatchObject(loss);
    await expect(fleet.agent.bulk.upload(said, pieces(Buffer.concat([data, data])))).rejects.toMatchObject(loss);
    expect(await fleet.fixture.blobs.has(TEAM, said.sha256)).toBe(false);
    await fleet.agent.succeed(start.attempt, "r");
  });

  test("over the limit is refused before it comes", async () => {
    const { start } = await startedWithBlob(noise(12));
    const said = { attempt: start.attempt, sizeBytes: 2n ** 30n + 1n, sha256: "0".repeat(64) };
    await expect(fleet.agent.bulk.upload(said, [])).rejects.toMatchObject({ code: status.RESOURCE_EXHAUSTED });
    await fleet.agent.succeed(start.attempt, "r");
  });

  test("is taken from the node of the running attempt alone", async () => {
    const { start } = await startedWithBlob(noise(13));
    const data = noise(5_000);
    const notFound = { code: status.NOT_FOUND };
    await expect(thief.bulk.upload(header(start.attempt, data), pieces(data))).rejects.toMatchObject(notFound);
    await fleet.agent.succeed(start.attempt, "r");
    await expect(fleet.agent.bulk.upload(header(start.attempt, data), pieces(data))).rejects.toMatchObject(notFound);
  });
});

test("an agent that goes away amid its upload is no failure to keep a result", async () => {
  const lines: { readonly level: number; readonly msg: string }[] = [];
  const log = pino({ level: "debug" }, { write: (line) => void lines.push(JSON.parse(line)) });
  const logging = await fleet.fixture.coordinator({ log });
  const { start } = await startedWithBlob(noise(14));
  const leaver = fleet.fixture.agent(logging, fleet.agent.nodeId);
  const data = noise(MIB);
  const begun = Promise.withResolvers<void>();
  const put = vi.spyOn(fleet.fixture.blobs, "put").mockImplementation(async (_team, source) => {
    for await (const _ of source) {
      begun.resolve();
      // Busy until after the call was cut.
      await expect.poll(() => cut.mock.calls.length).toBe(1);
    }
    throw Object.assign(new Error("Premature close"), { code: "ERR_STREAM_PREMATURE_CLOSE" });
  });
  const cut = vi.fn();
  const sent = async function* () {
    yield data.subarray(0, 1000);
    await begun.promise;
    throw new Error("gone");
  };
  await expect(leaver.bulk.upload(header(start.attempt, data), sent()).finally(cut)).rejects.toThrow("gone");
  await expect.poll(() => lines.filter(({ msg }) => /result/.test(msg))).toHaveLength(1);
  expect(lines.filter(({ level }) => level > 30)).toEqual([]);
  put.mockRestore();
  await logging.stop();
  await fleet.agent.succeed(start.attempt, "r");
});

test("a caller whose certificate names no node is refused on every call", async () => {
  const nameless = fleet.fixture.agent(fleet.coordinator, "-no-name-");
  const unauthenticated = { code: status.UNAUTHENTICATED };
  await expect(nameless.bulk.fetchInput(undefined)).rejects.toMatchObject(unauthenticated);
  await expect(nameless.bulk.upload(header(undefined, Buffer.from("x")), [])).rejects.toMatchObject(unauthenticated);
});
