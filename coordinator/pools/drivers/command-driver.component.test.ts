/** Calls of a driver that is a real program. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { aPool, aPoolMachine } from "../../domain/testing/records.ts";
import { commandDriver } from "./command-driver.ts";
import { DriverError, orderText } from "./driver-order.ts";

const dir = mkdtempSync(join(tmpdir(), "driver-"));
afterAll(() => rmSync(dir, { recursive: true }));

const pool = aPool();
const machine = aPoolMachine(pool);

function program(script: string): string {
  const path = join(dir, `driver-${Math.random().toString(36).slice(2)}`);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

function call(script: string, given: { timeoutMs?: number; what?: "grow" | "shrink"; signal?: AbortSignal } = {}) {
  const { timeoutMs = 20_000, what = "grow", signal = new AbortController().signal } = given;
  const driver = commandDriver({ commands: new Map([["cloud", program(script)]]), timeoutMs });
  return driver(pool, { call: what, id: machine.id, body: orderText(what, pool, machine) }, signal);
}

test("runs the program with the call as its argument and the request on its standard input, and no shell", async () => {
  const said = join(dir, "said");
  process.env.A_SECRET_OF_THE_COORDINATOR = "secret";
  const script = `{ echo "$#:$1"; cat; echo; env; } > ${said}; echo '{"machine":"i-0abc"}'`;
  expect(await call(script)).toEqual({ machine: "i-0abc" });
  const [args, json, ...env] = readFileSync(said, "utf8").split("\n");
  expect(args).toBe("1:grow");
  expect(JSON.parse(json ?? "")).toMatchObject({ call: "grow", request_id: machine.id, pool: "h100", machine: null });
  expect(env.join(" ")).not.toContain("A_SECRET_OF_THE_COORDINATOR");
});

test("fails where the program fails, names no machine, or writes without an end", async () => {
  const failures = [
    ["echo 'no capacity' >&2; exit 3", /it exited with 3: no capacity/],
    ["echo done", /in place of \{"machine"/],
    ["kill -TERM $$", /it exited with SIGTERM/],
    ["yes", /wrote more than 16384 bytes/],
  ] as const;
  for (const [script, why] of failures) {
    const response = call(script);
    await expect(response).rejects.toThrow(why);
    await expect(response).rejects.toBeInstanceOf(DriverError);
  }
});

test("kills a program that does not end in time, with what it started", async () => {
  const pids = join(dir, "pids");
  const response = call(`sleep 1000 & echo $! > ${pids}; wait`, { timeoutMs: 500 });
  await expect(response).rejects.toThrow("it did not end within 0.5 s and was killed");
  const isRunning = () =>
    existsSync(`/proc/${readFileSync(pids, "utf8").trim()}/stat`) && isAlive(readFileSync(pids, "utf8").trim());
  await expect.poll(isRunning).toBe(false);
});

/** One that nobody has waited for yet is no process any more. */
function isAlive(pid: string): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

test("ends with the coordinator", async () => {
  const stopping = new AbortController();
  const response = call("sleep 1000", { signal: stopping.signal });
  stopping.abort(new Error("stopping"));
  await expect(response).rejects.toThrow("stopping");
});

test("names the setting where this coordinator does not have the program, and the program that cannot be started", async () => {
  const order = { call: "grow", id: machine.id, body: "" } as const;
  const { signal } = new AbortController();
  const none = commandDriver({ commands: new Map() });
  await expect(none(pool, order, signal)).rejects.toThrow("no command cloud: name it in ELASTIC_POOL_COMMANDS");
  const absent = commandDriver({ commands: new Map([["cloud", join(dir, "absent")]]) });
  await expect(absent(pool, order, signal)).rejects.toThrow("it could not be started: ");
});

test("ignores what the program writes when it removes a machine", async () => {
  expect(await call("true", { what: "shrink" })).toEqual({ machine: null });
});
