/** A gateway over shells of the test's own making, and clients that log in as their users do. */
import { once } from "node:events";
import { type Clock, systemClock } from "@elastic/std/clock.ts";
import { createLog, type Logger } from "@elastic/std/log.ts";
import ssh2, { type Client, type ClientChannel, type ConnectConfig, type ExecOptions } from "ssh2";
import { createMetrics } from "../../metrics/metrics.ts";
import { startGateway } from "../gateway.ts";
import { newKeyPair } from "../new-key-pair.ts";
import { FakeDirectory, FakeTunnels, type Program, said } from "./fake-shells.ts";

export interface TestGateway extends AsyncDisposable {
  readonly directory: FakeDirectory;
  readonly tunnels: FakeTunnels;
  readonly port: number;
  /** What it logged as information. */
  readonly logged: readonly Readonly<Record<string, unknown>>[];
  /** A client that has begun to log in. */
  dial(given?: ConnectConfig): Client;
  login(given?: ConnectConfig): Promise<Client>;
}

export const TEST_SHELL = "0".repeat(31) + 1;
const HOST_KEY = Buffer.from(newKeyPair().private);
const USER_KEY = newKeyPair();
/** How a member of the shell's team logs in, other than by its password. */
export const BY_KEY: ConnectConfig = { privateKey: USER_KEY.private, authHandler: ["publickey"] };
const KEY_LOGIN = { by: "key", userId: "u1", keyId: "k1" } as const;
const exits = new WeakMap<ClientChannel, number | null>();

export async function startTestGateway(program: Program, clock: Clock = systemClock): Promise<TestGateway> {
  const directory = new FakeDirectory();
  directory.add(TEST_SHELL);
  directory.keys.set(USER_KEY.public.split(" ")[1] ?? "", { teamId: "t1", login: KEY_LOGIN });
  const tunnels = new FakeTunnels(program);
  const logged: Record<string, unknown>[] = [];
  const info = (facts: Record<string, unknown>) => void logged.push(facts);
  const gateway = await startGateway({
    directory,
    tunnels,
    clock,
    log: Object.assign(createLog({ name: "test", level: "silent" }), { info }) as Logger,
    metrics: createMetrics().ssh,
    listen: { host: "127.0.0.1", port: 0 },
    hostKey: HOST_KEY,
  });
  const port = Number(gateway.address.split(":").at(-1));
  const clients = new Set<Client>();
  const dial = (given: ConnectConfig = {}): Client => {
    const client = new ssh2.Client();
    clients.add(client);
    client.on("error", () => undefined).once("close", () => clients.delete(client));
    client.connect({ host: "127.0.0.1", port, username: TEST_SHELL, password: "right", ...given });
    return client;
  };
  return {
    directory,
    tunnels,
    port,
    logged,
    dial,
    async login(given) {
      const client = dial(given);
      await Promise.race([once(client, "ready"), once(client, "error").then(([error]) => Promise.reject(error))]);
      return client;
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.destroy();
      await gateway.stop();
    },
  };
}

/** Its programs say `in`, and run until their input ends. */
export function startServingGateway(): Promise<TestGateway> {
  return startTestGateway(async function* (tunnel) {
    yield said("stdout", "in");
    await tunnel.allInput();
    return 0;
  });
}

export function exec(client: Client, command: string, options: ExecOptions = {}): Promise<ClientChannel> {
  return new Promise((resolve, reject) =>
    client.exec(command, options, (error, channel) => {
      if (error !== undefined) return reject(error);
      // It may come with the same bytes as the channel.
      channel.once("exit", (code: number | null) => exits.set(channel, code));
      resolve(channel);
    }),
  );
}

/** What a channel wrote, and the exit code, once it is closed. */
export async function ended(channel: ClientChannel): Promise<{ out: string; err: string; code: number | null }> {
  const [out, err] = [textOf(channel), textOf(channel.stderr)];
  await once(channel, "close");
  return { out: out(), err: err(), code: exits.get(channel) ?? null };
}

/** What has come of a stream so far. */
export function textOf(stream: NodeJS.ReadableStream): () => string {
  let text = "";
  stream.on("data", (bytes: Buffer) => {
    text += bytes.toString();
  });
  return () => text;
}
