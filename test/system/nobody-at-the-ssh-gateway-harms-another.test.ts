import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { whyNoEngineHere } from "../cluster/engine.ts";
import { residentBytes } from "../cluster/resident-memory.ts";
import { type ShellCluster, startShellCluster } from "../cluster/shell-cluster.ts";
import { runSsh, type SshPlace, startSsh, target } from "../cluster/ssh-client.ts";

const noEngine = await whyNoEngineHere();
const HALF_OPEN = 10_000;
const AT_ONCE = 200;
/** What processes may grow by, garbage that is not collected yet included. */
const GROWTH_BYTES_MAX = 96 * 1024 * 1024;
const SETTLES = { timeout: 90_000, interval: 500 };
const WAIT_OF_A_WRONG_PASSWORD_MS = 3_000;
const OWNER = "127.0.0.1";

const parts = new AsyncDisposableStack();
let shells: ShellCluster;
beforeAll(async () => {
  if (noEngine === null) shells = parts.use(await startShellCluster());
}, 240_000);
afterAll(() => parts.disposeAsync());

const run = (command: string, given: Partial<SshPlace> = {}, args: readonly string[] = []) =>
  runSsh("ssh", { ...shells.place, ...given }, [...args, target(shells.place), command]);

const coordinator = () => shells.cluster.coordinators[0];
const agent = () => shells.cluster.agents[0];
const memory = () => [coordinator(), agent()].map((part) => residentBytes(part?.child().pid));

/** Runs `act`, and returns by how much coordinator and agent were larger at most meanwhile. */
async function growthDuring(act: () => Promise<unknown>): Promise<readonly number[]> {
  const before = memory();
  const most = [...before];
  const watch = setInterval(() => {
    for (const [index, bytes] of memory().entries()) most[index] = Math.max(most[index] ?? 0, bytes);
  }, 50);
  try {
    await act();
  } finally {
    clearInterval(watch);
  }
  return most.map((bytes, index) => bytes - (before[index] ?? 0));
}

/** A figure of the gateway's. */
async function counted(name: string): Promise<number> {
  const text = await (await fetch(coordinator()?.metricsUrl ?? "")).text();
  const line = text.split("\n").find((one) => one.startsWith(`elastic_ssh_${name} `));
  if (line === undefined) throw new Error(`nothing counts ${name}`);
  return Number(line.split(" ").at(-1));
}

/** What it reads once it stays as it is. */
async function stays(read: () => Promise<number>): Promise<number> {
  let last = -1;
  await expect
    .poll(async () => {
      const before = last;
      last = await read();
      return last - before;
    }, SETTLES)
    .toBe(0);
  return last;
}

/** Resolves once each of so many, all from sources of their own, was opened. */
async function halfOpen(round: number): Promise<void> {
  const [host, port] = coordinator()?.ssh?.split(":") ?? [];
  const open = new Set<Socket>();
  let next = 0;
  const one = async (n: number): Promise<void> => {
    const localAddress = `127.${16 + round}.${n >> 8}.${n & 0xff}`;
    const socket = connect({ host: host ?? "", port: Number(port), localAddress });
    open.add(socket);
    socket.on("error", () => undefined).once("close", () => open.delete(socket));
    await Promise.race([once(socket.resume(), "connect"), once(socket, "close")]).catch(() => undefined);
    // Half send their version, and so have the gateway propose its algorithms.
    if (n % 2 === 0) socket.write("SSH-2.0-half\r\n");
  };
  const opener = async () => {
    while (next < HALF_OPEN) await one(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, opener));
  for (const socket of open) socket.destroy();
}

/** What the owner's logins print, one after the other, until that is over. */
async function loginsDuring(flood: Promise<unknown>): Promise<readonly string[]> {
  const printed: string[] = [];
  let isOver = false;
  void flood.then(() => {
    isOver = true;
  });
  while (!isOver) printed.push((await run("echo in")).out);
  await flood;
  return printed;
}

describe.skipIf(noEngine !== null)("next to its owner", { timeout: 240_000 }, () => {
  test("accepts logins during twenty thousand half-open handshakes, in bounded memory", async () => {
    const logins = [(await run("echo in")).out];
    const growth: (readonly number[])[] = [];
    for (let round = 0; round < 2; round += 1) {
      growth.push(await growthDuring(async () => logins.push(...(await loginsDuring(halfOpen(round))))));
      logins.push((await run("echo in")).out);
    }
    process.stdout.write(`${logins.length} logins; grown by ${growth.map(mebibytes).join(", then by ")}\n`);
    expect(new Set(logins)).toEqual(new Set(["in\n"]));
    // What the first ten thousand needed is enough for the next.
    for (const bytes of growth[1] ?? []) expect(bytes).toBeLessThan(GROWTH_BYTES_MAX);
  });

  test("slows down two hundred wrong passwords from an unknown source, and not the owner", async () => {
    const before = await counted("throttled_passwords_total");
    const flood = Promise.all(
      Array.from({ length: 200 }, (_, n) => run("true", { password: `wrong ${n}`, from: `127.2.0.${n % 4}` })),
    );
    const times: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const atMs = performance.now();
      expect((await run("echo in", { from: OWNER })).out).toBe("in\n");
      times.push(performance.now() - atMs);
    }
    expect(new Set((await flood).map(({ code }) => code))).toEqual(new Set([255]));
    expect((await counted("throttled_passwords_total")) - before).toBeGreaterThan(100);
    expect(Math.min(...times)).toBeLessThan(WAIT_OF_A_WRONG_PASSWORD_MS);
  });

  test("applies back-pressure to a flood that clients stop reading, in bounded memory", async () => {
    const noise = "head -c 300M /dev/zero; head -c 300M /dev/zero >&2";
    const clients: ReturnType<typeof startSsh>[] = [];
    const growth = await growthDuring(async () => {
      for (let n = 0; n < 4; n += 1) {
        const client = startSsh("ssh", shells.place, [target(shells.place), noise]);
        clients.push(client);
        await once(client.stdout as NodeJS.ReadableStream, "readable");
        // One half stops altogether; of the others only nobody reads the output.
        if (n % 2 === 0) client.kill("SIGSTOP");
      }
      // And one that pours into a program that does not read.
      const poured = startSsh("ssh", shells.place, [target(shells.place), "echo in; sleep 600"]);
      clients.push(poured);
      poured.stdin?.on("error", () => undefined);
      poured.stdin?.write(Buffer.alloc(256 * 1024 * 1024));
      await once(poured.stdout as NodeJS.ReadableStream, "data");
      expect(await stays(() => counted('bytes_total{direction="out"}'))).toBeLessThan(600 * 1024 * 1024);
      // Others are served meanwhile.
      expect((await run("echo in")).out).toBe("in\n");
    });
    process.stdout.write(`grown by ${mebibytes(growth)}\n`);
    for (const client of clients) {
      client.kill("SIGCONT");
      client.kill("SIGKILL");
    }
    for (const bytes of growth) expect(bytes).toBeLessThan(GROWTH_BYTES_MAX);
  });

  test("-L reaches no address of the installation, whatever it is called", async () => {
    const { etcd } = shells.cluster;
    const own = [etcd.endpoint, coordinator()?.url ?? "", `http://${coordinator()?.grpc}`].map((url) => new URL(url));
    for (const { port } of own) {
      for (const host of ["127.0.0.1", "localhost", "0.0.0.0", "[::1]", "10.0.0.1", "[::ffff:127.0.0.1]"]) {
        // -W is -L with the session's own input and output.
        const { code, out, err } = await run("", {}, ["-W", `${host}:${port}`]);
        expect([code, out, err]).toEqual([255, "", expect.stringMatching(/forwarding failed/)]);
      }
    }
  });

  test("ignores what a client sets for the program's loader", async () => {
    const set = ["LD_PRELOAD=/x.so", "BASH_ENV=/x", "PATH=/x", "LC_ALL=C", "LC_x=y", "TZ=$(id)"].join(" ");
    const { out } = await run("cat /proc/self/environ | tr '\\0' '\\n'", {}, ["-o", `SetEnv=${set}`]);
    expect(out).not.toMatch(/LD_PRELOAD|BASH_ENV|PATH=\/x|LC_x/);
    expect(out).toContain("LC_ALL=C");
    expect(out).toContain("TZ=$(id)");
  });
});

function mebibytes(sizes: readonly number[]): string {
  const [coordinator, agent] = sizes.map((bytes) => `${Math.round(bytes / 2 ** 20)} MiB`);
  return `coordinator ${coordinator}, agent ${agent}`;
}
