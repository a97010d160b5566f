/** Requests over real sockets: what is refused reaches no listener, and what is allowed is bounded. */
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { LookUp } from "@elastic/std/net/name-servers.ts";
import { makeCertificates } from "@elastic/test/cluster/certificates.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAllowRule } from "./allow-list.ts";
import { checkUrl } from "./check-url.ts";
import { dialer } from "./dial.ts";
import { type Egress, type EgressOptions, type EgressRequest, openEgress } from "./egress.ts";
import { EgressError } from "./egress-error.ts";
import { answering, type Receiver, type Script, startReceiver } from "./testing/receiver.ts";

const GET: EgressRequest = { method: "GET", timeoutMs: 5_000, bytesMax: 1_000 };

function open(allow: readonly string[], more: Omit<EgressOptions, "allow"> = {}): Egress {
  return openEgress({ allow: allow.map((text) => parseAllowRule(text)).filter((rule) => rule !== null), ...more });
}

function resolvesTo(...addresses: readonly string[]): LookUp {
  return async () => addresses;
}

async function outcome(egress: Egress, url: string, request: EgressRequest = GET): Promise<string> {
  try {
    const response = await egress.request(url, request);
    let text = "";
    for await (const chunk of response.body) text += chunk.toString();
    return `${response.status} ${text}`;
  } catch (error) {
    if (error instanceof EgressError) return error.code;
    throw error;
  }
}

describe("canary listeners on the addresses of this machine", () => {
  const canaries: Receiver[] = [];
  beforeAll(async () => {
    const own = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
    const hosts = [...new Set(["127.0.0.1", "127.0.0.2", ...own])].filter((host) => !host.startsWith("fe80"));
    for (const host of hosts) canaries.push(await startReceiver(answering(200), { host }));
  });
  afterAll(async () => {
    expect(canaries.map((canary) => canary.connections())).toEqual(canaries.map(() => 0));
    for (const canary of canaries) await canary[Symbol.asyncDispose]();
  });

  const spelled = [
    "http://2130706433",
    "http://0x7f.1",
    "http://0177.0.0.1",
    "http://127.1",
    "http://①②⑦.⓪.⓪.①",
    "http://0",
    "http://localhost",
    "http://localhost.",
    "http://[::1]",
    "http://[::ffff:127.0.0.1]",
    "http://[::ffff:7f00:1]",
    "http://user@127.0.0.1",
    "https://127.0.0.1",
    "https://localhost",
  ];
  test.each(spelled)(
    "%s at any port is refused without a look-up, and where other addresses are allowed",
    async (base) => {
      for (const { port } of canaries) {
        for (const egress of [open([]), open(["10.0.0.0/8"]), open([`hooks.example:${port}`])]) {
          const code = await outcome(egress, `${base}:${port}/`);
          expect(["scheme_refused", "port_refused", "address_refused", "userinfo_refused"]).toContain(code);
        }
      }
    },
  );

  test("are not reached by a name that leads to one of them, alone or together with what is allowed", async () => {
    for (const { port, url } of canaries) {
      const address = new URL(url).hostname.replace(/^\[|\]$/g, "");
      for (const addresses of [[address], ["203.0.113.1", address], [address, "203.0.113.1"]]) {
        const egress = open(["203.0.113.0/24"], { lookUp: resolvesTo(...addresses) });
        for (const base of ["http://hooks.example", "https://hooks.example"]) {
          expect(await outcome(egress, `${base}:${port}/`)).toMatch(/_refused$/);
        }
        expect(await outcome(egress, "https://hooks.example/")).toBe("address_refused");
      }
    }
  });
});

describe("an allowed receiver", () => {
  async function requestFrom(script: Script, request: Partial<EgressRequest> = {}): Promise<string> {
    await using receiver = await startReceiver(script);
    return await outcome(open(["127.0.0.0/8"]), receiver.url, { ...GET, ...request });
  }

  test("receives the request once, on a separate connection", async () => {
    await using receiver = await startReceiver(answering(200, {}, "thanks"));
    const egress = open(["127.0.0.0/8"], { lookUp: resolvesTo("127.0.0.1") });
    const url = `http://hooks.example:${receiver.port}/a%20b?c=d#e`;
    const post: EgressRequest = { ...GET, method: "POST", headers: { "content-type": "text/x" }, body: "ä" };
    expect(await outcome(egress, url, post)).toBe("200 thanks");
    expect(await outcome(egress, url, post)).toBe("200 thanks");
    expect(receiver.connections()).toBe(2);
    expect(receiver.received[0]).toMatchObject({ path: "/a%20b?c=d", body: Buffer.from("ä") });
    expect(receiver.received[0]?.headers).toEqual({
      host: `hooks.example:${receiver.port}`,
      connection: "close",
      "content-type": "text/x",
      "content-length": "2",
      "accept-encoding": "identity",
      "user-agent": "elastic-proving-service",
    });
  });

  test.each([301, 302, 303, 307, 308])(
    "that redirects with %i is a failure, and nothing goes where it points",
    async (status) => {
      await using target = await startReceiver(answering(200));
      await using receiver = await startReceiver(answering(status, { location: target.url }));
      await expect(open(["127.0.0.0/8"]).request(receiver.url, GET)).rejects.toMatchObject({
        code: "redirected",
        status,
      });
      expect(target.connections()).toBe(0);
    },
  );

  test("may respond with as many bytes as allowed and none beyond, declared or not", async () => {
    const text = "x".repeat(1_000);
    const endless: Script = (_request, response) => {
      const more = () => response.write(text, (error) => error || more());
      response.writeHead(200);
      more();
    };
    expect(await requestFrom(answering(200, {}, text))).toBe(`200 ${text}`);
    expect(await requestFrom(answering(200, { "content-length": "1001" }, `${text}x`))).toBe("too_large");
    expect(await requestFrom((_request, response) => void response.writeHead(200).end(`${text}x`))).toBe("too_large");
    expect(await requestFrom(endless)).toBe("too_large");
  });

  test("that compresses without a request for it is not opened", async () => {
    const bomb = gzipSync(Buffer.alloc(1_000_000));
    const script: Script = (_request, response) =>
      void response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    expect(await requestFrom(script, { bytesMax: 10_000 })).toBe("encoded");
  });

  test("that never responds, or never ends, fails in time", async () => {
    expect(await requestFrom(() => undefined, { timeoutMs: 50 })).toBe("timeout");
    expect(await requestFrom((_request, response) => void response.writeHead(200).write("x"), { timeoutMs: 50 })).toBe(
      "timeout",
    );
  });

  test("that breaks off or speaks something else is broken", async () => {
    expect(await requestFrom((_request, response) => response.socket?.destroy())).toBe("broken");
    expect(await requestFrom((_request, response) => void response.socket?.end("SSH-2.0-OpenSSH_9.2\r\n"))).toBe(
      "broken",
    );
    const bomb = `HTTP/1.1 200 OK\r\nx: ${"x".repeat(20_000)}\r\n\r\n`;
    expect(await requestFrom((_request, response) => void response.socket?.end(bomb))).toBe("broken");
  });

  test("can be let go without reading its response", async () => {
    const closed = Promise.withResolvers<void>();
    await using receiver = await startReceiver((_request, response) => {
      response.once("close", () => closed.resolve());
      response.writeHead(200).write("x");
    });
    (await open(["127.0.0.0/8"]).request(receiver.url, GET)).close();
    await closed.promise;
  });

  test("can be aborted by the caller, who gets their own reason", async () => {
    const stop = new AbortController();
    await using receiver = await startReceiver(() => stop.abort(new Error("enough")));
    const aborted = open(["127.0.0.0/8"]).request(receiver.url, { ...GET, signal: stop.signal });
    await expect(aborted).rejects.toThrow("enough");
  });
});

describe("a name", () => {
  test("is resolved once a request, so that what was judged is what is dialled", async () => {
    await using receiver = await startReceiver(answering(200));
    const resolutions = [["127.0.0.1"], ["10.0.0.1"]];
    let lookUps = 0;
    const egress = open(["127.0.0.0/8"], { lookUp: async () => resolutions[lookUps++] ?? [] });
    const url = `http://hooks.example:${receiver.port}/`;
    expect(await outcome(egress, url)).toBe("200 ");
    expect(lookUps).toBe(1);
    expect(await outcome(egress, url)).toBe("scheme_refused");
    expect(lookUps).toBe(2);
    expect(receiver.connections()).toBe(1);
  });

  test("without addresses, with unreadable or far too many ones, or not resolved in time, leads nowhere", async () => {
    const get = (lookUp: LookUp) => outcome(open([], { lookUp }), "https://hooks.example/", { ...GET, timeoutMs: 50 });
    expect(await get(resolvesTo())).toBe("name_unknown");
    expect(await get(resolvesTo("not an address"))).toBe("address_refused");
    expect(await get(resolvesTo(...Array<string>(65).fill("1.1.1.1")))).toBe("name_unknown");
    expect(await get(() => Promise.reject(new Error("SERVFAIL")))).toBe("name_unknown");
    expect(await get(() => new Promise(() => undefined))).toBe("timeout");
  });

  test("of several addresses is reached at one that takes the connection", async () => {
    await using receiver = await startReceiver(answering(200));
    const egress = open(["127.0.0.0/8"], { lookUp: resolvesTo("127.9.9.9", "127.0.0.1") });
    expect(await outcome(egress, `http://hooks.example:${receiver.port}/`)).toBe("200 ");
  });
});

test("a socket that leads elsewhere than was judged is closed before a byte is sent", async () => {
  const seen = Promise.withResolvers<number>();
  const server = await listen((socket) => {
    let bytes = 0;
    socket.on("data", (chunk) => {
      bytes += chunk.length;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => seen.resolve(bytes));
  });
  const guard = { allow: [{ kind: "host", host: "127.0.0.1", port: server.port }], own: [] } as const;
  const connect = dialer({
    to: checkUrl(`https://127.0.0.1:${server.port}/`, guard),
    addresses: [{ text: "10.0.0.1", bytes: [10, 0, 0, 1] }],
    signal: AbortSignal.timeout(5_000),
    ca: undefined,
  });
  const options = { hostname: "127.0.0.1", protocol: "https:", port: String(server.port) };
  const error = await new Promise((resolve) => connect(options, (...answer) => resolve(answer[0])));
  expect(error).toMatchObject({ code: "address_refused" });
  expect(await seen.promise).toBe(0);
  server.close();
});

test("nobody listens, or nobody ever shakes hands", async () => {
  const silent = await listen((socket) => void socket.on("error", () => undefined));
  const egress = open(["127.0.0.0/8"]);
  expect(await outcome(egress, `https://127.0.0.1:${silent.port}/`, { ...GET, timeoutMs: 100 })).toBe("timeout");
  silent.close();
  expect(await outcome(egress, `http://127.0.0.1:${silent.port}/`)).toBe("connect_failed");
});

describe("with TLS", () => {
  const dir = mkdtempSync(join(tmpdir(), "egress-"));
  afterAll(() => rmSync(dir, { recursive: true }));

  test("the name is what the server and its certificate are checked by, and the authority must be trusted", async () => {
    const files = makeCertificates(dir).coordinator();
    const ca = readFileSync(files.ca, "utf8");
    const tls = { cert: readFileSync(files.cert), key: readFileSync(files.key) };
    await using receiver = await startReceiver(answering(200, {}, "sealed"), { tls });
    const lookUp = resolvesTo("127.0.0.1");
    const get = (options: Omit<EgressOptions, "allow">, host: string) =>
      outcome(open(["127.0.0.0/8"], options), `https://${host}:${receiver.port}/`);
    expect(await get({ ca, lookUp }, "localhost")).toBe("200 sealed");
    expect(await get({ ca, lookUp }, "localhost.")).toBe("200 sealed");
    expect(await get({ ca }, "127.0.0.1")).toBe("200 sealed");
    expect(receiver.received.map(({ headers }) => headers.host)).toEqual([
      `localhost:${receiver.port}`,
      `localhost:${receiver.port}`,
      `127.0.0.1:${receiver.port}`,
    ]);
    expect(await get({ ca, lookUp }, "hooks.example")).toBe("tls_failed");
    expect(await get({ lookUp }, "localhost")).toBe("tls_failed");
    expect(receiver.received).toHaveLength(3);
  });
});

interface Listening {
  readonly port: number;
  close(): void;
}

async function listen(onConnection: (socket: Socket) => void): Promise<Listening> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    onConnection(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
