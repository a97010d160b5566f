import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterAll, expect, onTestFinished, test } from "vitest";
import type { Driver, Prover } from "../../domain/driver.ts";
import { StartFailure } from "../../domain/start-failure.ts";
import type { WorkloadSpec } from "../../domain/workload-spec.ts";
import { removeTemporaryFolders, temporaryFolder } from "../../testing/temporary-folder.ts";
import { type EngineKeeper, keepEngine } from "./engine-keeper.ts";
import { lateDriver } from "./late-driver.ts";

afterAll(removeTemporaryFolders);

const TIMES = { lookEveryMs: 20, awayMs: 300 };
const never = new AbortController().signal;

interface ScriptedEngine {
  /** Takes no connection any more; those that it has stay. */
  close(): void;
  /** Ends what it says. */
  end(): void;
  report(containerId: string): void;
  /** How often its events were requested. */
  received(): number;
}

async function engineAt(socketPath: string, version = "20.10"): Promise<ScriptedEngine> {
  const streams: ServerResponse[] = [];
  let received = 0;
  const server: Server = createServer((request, answer) => {
    if (request.url?.startsWith("/events")) {
      received += 1;
      streams.push(answer);
      answer.flushHeaders();
      return;
    }
    answer.end(JSON.stringify({ Version: version, Components: [{ Name: "Engine" }] }));
  });
  await once(server.listen(socketPath), "listening");
  const engine: ScriptedEngine = {
    close: () => void server.close(),
    end: () => server.closeAllConnections(),
    report: (ID) => {
      for (const stream of streams) stream.write(`${JSON.stringify({ Action: "kill", Actor: { ID } })}\n`);
    },
    received: () => received,
  };
  onTestFinished(() => {
    engine.close();
    engine.end();
  });
  return engine;
}

async function keep(socketPath: string): Promise<{ readonly keeper: EngineKeeper; readonly reported: string[] }> {
  const reported: string[] = [];
  const keeper = await keepEngine({
    setting: { kind: "socket", path: socketPath },
    nodeId: "n1",
    onChange: () => reported.push(keeper.engine() === null ? "gone" : `engine ${keeper.engine()?.version}`),
    onAvailable: () => reported.push("responds"),
    times: TIMES,
    clock: systemClock,
    log: createLog({ name: "test", level: "silent" }),
  });
  keeper.run();
  onTestFinished(() => keeper.stop());
  return { keeper, reported };
}

const socket = () => join(temporaryFolder(), "engine.sock");

test("finds and reports an engine that comes up after the agent", async () => {
  const path = socket();
  const { keeper, reported } = await keep(path);
  expect(keeper.engine()).toBeNull();
  await expect(keeper.whenAvailable(never)).rejects.toMatchObject({ reason: "image_unavailable" });
  await engineAt(path);
  await expect.poll(() => reported).toEqual(["engine 20.10", "responds"]);
  expect((await keeper.whenAvailable(never)).name).toBe("docker");
});

test("waits for an engine that restarts in a moment, and notifies no coordinator", async () => {
  const path = socket();
  const before = await engineAt(path);
  const { keeper, reported } = await keep(path);
  await expect.poll(() => before.received()).toBe(1);
  const { docker } = keeper.engine() ?? {};
  before.close();
  before.end();
  await expect.poll(() => keeper.stillResponds()).toBe(false);
  const waiting = keeper.whenAvailable(never);
  const after = await engineAt(path);
  expect((await waiting).docker).toBe(docker);
  await expect.poll(() => after.received()).toBe(1);
  expect(reported).toEqual(["responds"]);
});

test("reports one that stays away, and its return with another version", async () => {
  const path = socket();
  const before = await engineAt(path);
  const { keeper, reported } = await keep(path);
  await expect.poll(() => before.received()).toBe(1);
  before.close();
  before.end();
  await expect.poll(() => reported).toEqual(["gone"]);
  await expect(keeper.whenAvailable(never)).rejects.toMatchObject({ reason: "node_lost" });
  await engineAt(path, "28.0");
  await expect.poll(() => reported).toEqual(["gone", "engine 28.0", "responds"]);
});

test("knows the requested ends, also while the engine accepts no connection any more", async () => {
  const path = socket();
  const engine = await engineAt(path);
  const { keeper } = await keep(path);
  await expect.poll(() => engine.received()).toBe(1);
  engine.close();
  expect(await keeper.stillResponds()).toBe(false);
  engine.report("c1");
  await expect.poll(() => keeper.wasEndRequested("c1")).toBe(true);
  expect(keeper.wasEndRequested("c2")).toBe(false);
});

test("what fails to start because its engine goes is started once it is back; another failure stays one", async () => {
  const failures = ["it went", "it went", "the image is no good"];
  const responses = [false, false, true];
  let started = 0;
  const driver = lateDriver(
    {
      engine: () => null,
      whenAvailable: async () => ({ docker: null }) as never,
      stillResponds: async () => responses.shift() ?? true,
    },
    () =>
      ({
        start: async () => {
          started += 1;
          const why = failures.shift();
          if (why !== undefined) throw new StartFailure("internal", why);
          return {} as Prover;
        },
      }) as unknown as Driver,
  );
  const start = () => driver.start({} as WorkloadSpec, () => undefined, never);
  await expect(start()).rejects.toThrow("the image is no good");
  expect(started).toBe(3);
  await start();
  expect(await driver.find()).toEqual([]);
});
