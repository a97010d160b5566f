import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import Docker from "dockerode";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { removeTemporaryFolders, temporaryFolder } from "../../testing/temporary-folder.ts";
import { type ContainerEnd, untilExit } from "./container-exit.ts";
import { type WatchedProcess, watchProcess } from "./process-lives.ts";

/** Responses to `wait` that are under way: as engines do, their head is sent at once. */
const waits: ServerResponse[] = [];
let state: { readonly Running: boolean; readonly ExitCode: number; readonly OOMKilled: boolean };
let server: Server;
let child: ChildProcess;
let first: WatchedProcess;
let exit: Promise<ContainerEnd>;
let endRequested: boolean;
let memoryKills: number;

beforeEach(async () => {
  waits.length = 0;
  endRequested = false;
  memoryKills = 7;
  state = { Running: true, ExitCode: 0, OOMKilled: false };
  server = createServer((request, answer) => {
    if (request.url?.endsWith("/wait") !== true) return answer.end(JSON.stringify({ State: state }));
    answer.flushHeaders();
    return waits.push(answer);
  });
  const socketPath = join(temporaryFolder(), "engine.sock");
  await once(server.listen(socketPath), "listening");
  child = spawn("sleep", ["600"]);
  await once(child, "spawn");
  first = watchProcess(child.pid ?? 0);
  const container = new Docker({ socketPath }).getContainer("c");
  exit = untilExit(
    container,
    first.lives,
    () => false,
    () => endRequested,
    () => memoryKills,
  );
  await eventually("the engine is queried", () => waits.length === 1);
});

afterEach(() => {
  child.kill("SIGKILL");
  server.closeAllConnections();
  server.close();
});
afterAll(removeTemporaryFolders);

test("counts an end that the engine reports as the prover's own", async () => {
  state = { Running: false, ExitCode: 139, OOMKilled: false };
  waits[0]?.end('{"StatusCode":139}');
  expect(await exit).toMatchObject({ exitCode: 139, signal: "SIGSEGV", engineWentAway: false });
});

test("counts an end that was requested of the engine as not the prover's own", async () => {
  endRequested = true;
  state = { Running: false, ExitCode: 143, OOMKilled: false };
  waits[0]?.end('{"StatusCode":143}');
  expect(await exit).toMatchObject({ exitCode: 143, engineWentAway: false, endRequested: true });
});

test("reports an end that only the kernel has seen when the engine agrees", async () => {
  first.kill();
  state = { Running: false, ExitCode: 137, OOMKilled: true };
  expect(await exit).toMatchObject({ exitCode: 137, outOfMemory: true, engineWentAway: false });
});

test.each([
  { kills: 8, outOfMemory: true },
  { kills: 7, outOfMemory: false },
])(
  "reads an end that the engine does not explain from the kernel's count of memory kills: $outOfMemory",
  async (row) => {
    memoryKills = row.kills;
    state = { Running: false, ExitCode: 137, OOMKilled: false };
    waits[0]?.end('{"StatusCode":137}');
    expect(await exit).toMatchObject({ exitCode: 137, outOfMemory: row.outOfMemory });
  },
);

test("a container that dies while its engine is away has ended without the engine's word", async () => {
  server.closeAllConnections();
  server.close();
  first.kill();
  expect(await exit).toMatchObject({ exitCode: null, engineWentAway: true });
});

test("counts a container that a restarted engine has ended as not the prover's own end", async () => {
  state = { Running: false, ExitCode: 255, OOMKilled: false };
  waits[0]?.destroy();
  expect(await exit).toMatchObject({ exitCode: 255, engineWentAway: true });
});

test("retains a container that outlives its engine's restart, and counts its later end as its own", async () => {
  waits[0]?.destroy();
  await eventually("the engine is queried again", () => waits.length === 2);
  state = { Running: false, ExitCode: 3, OOMKilled: false };
  waits[1]?.end('{"StatusCode":3}');
  expect(await exit).toMatchObject({ exitCode: 3, engineWentAway: false });
});
