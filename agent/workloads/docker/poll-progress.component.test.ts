import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";
import { afterEach, expect, test } from "vitest";
import type { Progress } from "../../domain/driver.ts";
import { type Pace, pollProgress } from "./poll-progress.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Requested {
  /** Paths in order. */
  readonly requested: string[];
  readonly reported: Progress[];
  readonly over: AbortController;
}

/** Nobody here waits for seconds, but for the one who looks at them. */
const QUICKLY: Pace = { everyMs: 50, respondWithinMs: 500 };

/** A prover that responds so, polled as during a task. */
async function pollProver(answer: RequestListener, alone: () => boolean = () => true, pace?: Pace): Promise<Requested> {
  const requested: string[] = [];
  const server: Server = createServer((request, response) => {
    requested.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const over = new AbortController();
  ends.push(
    () => server.close(),
    () => server.closeAllConnections(),
    () => pool.destroy(),
    () => over.abort(),
  );
  const reported: Progress[] = [];
  pollProgress(pool, { alone, onProgress: (progress) => void reported.push(progress), over: over.signal }, pace);
  return { requested, reported, over };
}

const pollQuickly = (answer: RequestListener, alone?: () => boolean) => pollProver(answer, alone, QUICKLY);

function soon(look: () => unknown) {
  return expect.poll(look, { timeout: 15_000 });
}

test("polls a prover once a second, and reports what it returns", async () => {
  let step = 0;
  const { requested, reported } = await pollProver((_, response) => {
    step += 1;
    response.end(JSON.stringify({ fraction: step / 4, message: `step ${step}` }));
  });
  const began = performance.now();
  await soon(() => reported).toEqual([
    { fraction: 0.25, message: "step 1" },
    { fraction: 0.5, message: "step 2" },
  ]);
  expect(requested).toEqual(["GET /progress", "GET /progress"]);
  expect(performance.now() - began).toBeGreaterThan(1_900);
});

test("continues to poll one that has nothing to report yet, and not one that has no such route", async () => {
  let requested = 0;
  const later = await pollQuickly((_, response) => {
    requested += 1;
    const [status, body] = requested === 1 ? [404, { code: "no_progress" }] : [200, { fraction: 0.5 }];
    response.writeHead(status as number).end(JSON.stringify(body));
  });
  const never = await pollQuickly((_, response) => response.writeHead(404).end("not found"));
  const garbled = await pollQuickly((_, response) => response.end('{"fraction":"half"}'));
  await soon(() => later.reported.slice(0, 1)).toEqual([{ fraction: 0.5, message: "" }]);
  expect([never.requested.length, garbled.requested.length, never.reported, garbled.reported]).toEqual([1, 1, [], []]);
});

test("a fraction out of bounds is moved within, and odd messages are left out", async () => {
  const { reported } = await pollQuickly((_, response) => response.end('{"fraction":7,"message":{"a":1}}'));
  await soon(() => reported[0]).toEqual({ fraction: 1, message: "" });
});

test("does not poll one that works for several tasks, since it is unknown which it means", async () => {
  let alone = false;
  const { requested, reported } = await pollQuickly(
    (_, response) => response.end('{"fraction":0.5}'),
    () => alone,
  );
  const witness = await pollQuickly((_, response) => response.end('{"fraction":0.5}'));
  await soon(() => witness.reported.length).toBeGreaterThan(0);
  expect(requested).toEqual([]);
  alone = true;
  await soon(() => reported.length).toBeGreaterThan(0);
});

test("stops polling one that never responds while it works after a few requests", { timeout: 30_000 }, async () => {
  const { requested, reported } = await pollQuickly(() => undefined);
  await soon(() => requested.length).toBe(3);
  const witness = await pollQuickly((_, response) => response.end('{"fraction":0.5}'));
  await soon(() => witness.reported.length).toBeGreaterThanOrEqual(20);
  expect([requested.length, reported]).toEqual([3, []]);
});

test("stops polling after the task", async () => {
  const { requested, over } = await pollQuickly((_, response) => response.end('{"fraction":0.5}'));
  over.abort();
  const witness = await pollQuickly((_, response) => response.end('{"fraction":0.5}'));
  await soon(() => witness.reported.length).toBeGreaterThan(0);
  expect(requested).toEqual([]);
});
