/** The sshd of an image inside the sandbox of shells, and the system's OpenSSH, with nothing but the agent between them. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { importImage } from "@elastic/deploy/local/import-image.ts";
import { shellFiles } from "@elastic/deploy/local/shell-files.ts";
import { startEngine, whyNoEngineHere } from "@elastic/test/cluster/engine.ts";
import { programPath, toolEnvironment } from "@elastic/test/cluster/machine.ts";
import { makeWorkFolder } from "@elastic/test/cluster/work-folder.ts";
import Docker from "dockerode";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CONTAINER_USER } from "../workloads/docker/container-limits.ts";
import { SECCOMP_OPTION } from "../workloads/seccomp/seccomp-profile.ts";
import type { ShellContainer } from "./shell-container.ts";
import { runSsh } from "./ssh-tunnel.ts";

const PATH = programPath();
const NAME = "a-shell";
const IMAGE = { withSshd: "elastic-ssh-tunnel:with", without: "elastic-ssh-tunnel:without" };
const SETTLES = { timeout: 20_000 };

const noEngine = await whyNoEngineHere();

const parts = new AsyncDisposableStack();
let docker: Docker;
let folder: string;
let shell: ShellContainer;
let gateway: Gateway;

beforeAll(async () => {
  if (noEngine !== null) return;
  ({ path: folder } = parts.use(makeWorkFolder()));
  const engine = parts.use(await startEngine());
  docker = new Docker({ socketPath: engine.socket });
  const image = shellFiles(toolEnvironment());
  await importImage(engine.socket, IMAGE.withSshd, image, toolEnvironment());
  await importImage(engine.socket, IMAGE.without, { ...image, exclude: ["*/sshd"] }, toolEnvironment());
  for (const name of ["authority", "host", "user", "other"]) {
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(folder, name)], { env: { PATH } });
  }
  execFileSync("ssh-keygen", ["-q", "-s", "authority", "-h", "-I", NAME, "-n", NAME, "host.pub"], {
    cwd: folder,
    env: { PATH },
  });
  writeFileSync(join(folder, "known"), `@cert-authority * ${text("authority.pub")}`);
  shell = await container(IMAGE.withSshd);
  gateway = await startGateway(shell, true);
}, 180_000);
afterAll(() => parts.disposeAsync());

const text = (name: string) => readFileSync(join(folder, name), "utf8");

/** As the driver of shells creates it, with its home in memory. */
async function container(image: string): Promise<ShellContainer> {
  const made = await docker.createContainer({
    Image: image,
    User: CONTAINER_USER,
    Entrypoint: ["/bin/sh", "-c", "trap 'exit 0' TERM; while :; do sleep 3600 & wait $!; done"],
    Env: ["HOME=/home/shell", `GREETING=it's "me"`],
    WorkingDir: "/home/shell",
    HostConfig: {
      NetworkMode: "none",
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges", SECCOMP_OPTION],
      ReadonlyRootfs: true,
      Tmpfs: { "/run": "mode=1777", "/tmp": "mode=1777", "/home/shell": "mode=1777,exec" },
    },
  });
  parts.defer(() => made.remove({ force: true }));
  await made.start();
  const pid = async () => (await made.inspect()).State.Pid;
  return { container: made, pid, isRunning: async () => (await pid()) > 0 };
}

interface Gateway {
  readonly port: number;
  /** Ends what is open, as when its coordinator goes. */
  cut(): void;
}

/** Passes each connection to a dedicated sshd. */
async function startGateway(to: ShellContainer, isPlain: boolean): Promise<Gateway> {
  const open = new Set<AbortController>();
  const wanted = {
    hostKey: text("host"),
    hostCertificate: text("host-cert.pub").trim(),
    clientKey: text("user.pub").trim(),
  };
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    const over = new AbortController();
    open.add(over);
    socket.on("error", () => undefined);
    runSsh(to, wanted, async () => ({ socket, isPlain }), over.signal)
      .catch(() => socket.destroy())
      .finally(() => open.delete(over));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  parts.defer(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { port, cut: () => open.forEach((over) => void over.abort()) };
}

function start(args: readonly string[], options: Readonly<Record<string, string>> = {}, program = "ssh") {
  const given = {
    UserKnownHostsFile: join(folder, "known"),
    StrictHostKeyChecking: "yes",
    HostKeyAlias: NAME,
    IdentityFile: join(folder, "user"),
    IdentitiesOnly: "yes",
    User: "nobody",
    LogLevel: "ERROR",
    Port: String(gateway.port),
    ...options,
  };
  const words = Object.entries(given).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  return spawn(program, ["-F", "none", ...words, ...args], { env: { PATH, TERM: "xterm", LANG: "C.UTF-8" } });
}

async function ssh(
  args: readonly string[],
  given: { options?: Readonly<Record<string, string>>; input?: string } = {},
) {
  const client = start(["127.0.0.1", ...args], given.options);
  client.stdin.end(given.input ?? "");
  const [out, err] = [client.stdout, client.stderr].map((stream) => {
    let all = "";
    stream.on("data", (bytes) => {
      all += bytes;
    });
    return () => all;
  });
  const [code] = await once(client, "close");
  return { code, out: out?.() ?? "", err: err?.() ?? "" };
}

function childrenOf(pid: number): readonly number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  const lists = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8"));
  return lists.flatMap((list) => list.split(" ").filter(Boolean)).map(Number);
}

function nameOf(pid: number): string {
  return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
}

describe.skipIf(noEngine !== null)("a client of OpenSSH", { timeout: 120_000 }, () => {
  test("has the sandbox's sessions: its environment, folder and user, output and errors apart, and the exit code", async () => {
    const program = `cat; pwd; echo "$GREETING"; id -u; umask; echo err >&2; exit 7`;
    expect(await ssh([program], { input: "in\n" })).toEqual({
      code: 7,
      out: `in\n/home/shell\nit's "me"\n65534\n0022\n`,
      err: "err\n",
    });
    expect(await ssh(["echo $LANG"], { options: { SendEnv: "LANG" } })).toMatchObject({ out: "C.UTF-8\n" });
  });

  test("has a terminal, and a login shell without a command", async () => {
    expect(await ssh(["-tt", "tty; echo $TERM; exit 5"])).toMatchObject({
      code: 5,
      out: expect.stringMatching(/^\/dev\/pts\/\d+\r\nxterm\r\n$/),
    });
    expect(await ssh([], { input: "shopt -q login_shell && echo login\nexit 3\n" })).toMatchObject({
      code: 3,
      out: "login\n",
    });
  });

  test("reaches ports of the container, and makes none of the client's machine reachable", async () => {
    const refused = await ssh(["-R", "18080:127.0.0.1:9", "true"], { options: { ExitOnForwardFailure: "yes" } });
    expect(refused.code).toBe(255);
    const listens = start(["127.0.0.1", "exec socat TCP4-LISTEN:7777,bind=127.0.0.1 SYSTEM:'echo inside'"]);
    await expect.poll(async () => (await ssh(["-W", "localhost:7777"])).out, SETTLES).toBe("inside\n");
    listens.kill();
    expect((await ssh(["-W", "192.0.2.1:80"])).code).toBe(255);
  });

  test("gets in with the one key alone", async () => {
    const refused = await ssh(["true"], { options: { IdentityFile: join(folder, "other") } });
    expect(refused).toMatchObject({ code: 255, err: expect.stringContaining("Permission denied (publickey)") });
  });

  test("accepts no other host's certificate", async () => {
    expect(await ssh(["true"], { options: { HostKeyAlias: "another-shell" } })).toMatchObject({ code: 255, out: "" });
    writeFileSync(join(folder, "forged"), `@cert-authority * ${text("other.pub")}`);
    expect(await ssh(["true"], { options: { UserKnownHostsFile: join(folder, "forged") } })).toMatchObject({
      code: 255,
      out: "",
    });
  });

  test("takes its programs with it when its connection is cut, and leaves no file", async () => {
    const client = start(["127.0.0.1", "echo up; exec sleep 54321"]);
    await once(client.stdout, "data");
    const seen = async () => (await ssh(["cat /proc/[0-9]*/cmdline | tr '\\0' ' '"])).out;
    expect(await seen()).toContain("sleep 54321");
    gateway.cut();
    await once(client, "close");
    await expect.poll(seen, SETTLES).not.toContain("sleep 54321");
    // One is of the connection that looks.
    await expect.poll(async () => (await ssh(["ls /run"])).out.trim().split("\n").length, SETTLES).toBe(1);
  });

  test("is relayed by one process of the system's for each connection, and none of this program's", async () => {
    const clients = Array.from({ length: 3 }, () => start(["127.0.0.1", "echo up; cat > /dev/null"]));
    await Promise.all(clients.map((client) => once(client.stdout, "data")));
    const own = new Set(clients.map(({ pid }) => pid));
    const relays = childrenOf(process.pid).filter((pid) => !own.has(pid) && nameOf(pid) !== "dockerd");
    expect(relays.map(nameOf)).toEqual(["socat", "socat", "socat"]);
    // What they carry is theirs alone: this program holds no end of it.
    expect(process.getActiveResourcesInfo().filter((one) => one === "TCPSocketWrap")).toEqual([]);
    for (const client of clients) client.kill();
    await Promise.all(clients.map((client) => once(client, "close")));
  });

  test("has the same where its bytes are passed on to a connection over TLS, both ways and to the end", async () => {
    const overTls = await startGateway(shell, false);
    const input = "in\n".repeat(500_000);
    const { code, out } = await ssh(["cat; exit 7"], { input, options: { Port: String(overTls.port) } });
    expect([code, out === input]).toEqual([7, true]);
  });

  test("is refused at once where the image has no sshd", async () => {
    const plain = await container(IMAGE.without);
    const never = () => Promise.reject(new Error());
    const wanted = { hostKey: "k", hostCertificate: "c", clientKey: "c" };
    const refused = runSsh(plain, wanted, never, AbortSignal.timeout(60_000));
    await expect(refused).rejects.toThrow("has no sshd");
  });
});
