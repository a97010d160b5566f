import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { makeCertificates } from "@elastic/test/cluster/certificates.ts";
import { afterAll, expect, test } from "vitest";
import { syslogMessage } from "./syslog-message.ts";
import { parseSyslogAddress, type SyslogAddress, syslogTarget } from "./syslog-target.ts";

const RECORD = { kind: "entry", at: "2026-11-26T18:00:00.000Z", json: '{"a":1}' } as const;
const ENTRY = '<109>1 2026-11-26T18:00:00.000Z host elastic-coordinator - audit-entry - {"a":1}';
const folder = mkdtempSync(join(tmpdir(), "syslog-"));
afterAll(() => rmSync(folder, { recursive: true }));

function received(server: Server, event = "connection"): { text: () => string } {
  let text = "";
  server.on(event, (socket: Socket) =>
    socket.on("data", (chunk) => {
      text += String(chunk);
    }),
  );
  return { text: () => text };
}

test("writes a message as RFC 5424 has it, and a gap as an alert", () => {
  expect(syslogMessage(RECORD, "host")).toBe(ENTRY);
  expect(syslogMessage({ ...RECORD, kind: "gap" }, "ho st\u00e9\n")).toMatch(
    /^<105>1 \S+ host elastic-coordinator - audit-gap - {/,
  );
});

test.each([
  ["udp://h", { kind: "udp", host: "h", port: 514 }],
  ["tcp://[::1]:1601", { kind: "tcp", host: "::1", port: 1601 }],
  ["tls://siem.example", { kind: "tls", host: "siem.example", port: 6514 }],
  ["unix:/run/syslog.sock", { kind: "unix", path: "/run/syslog.sock" }],
  ["http://h", null],
  ["tcp://h:0", null],
  ["unix:relative", null],
])("reads the address %s", (text, address) => {
  expect(parseSyslogAddress(text)).toEqual(address);
});

test("sends each message as a datagram over UDP", async () => {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  const messages: string[] = [];
  socket.on("message", (message) => void messages.push(String(message)));
  const target = syslogTarget({ kind: "udp", host: "127.0.0.1", port: socket.address().port });
  await target.send([ENTRY, "second"]);
  await expect.poll(() => messages).toEqual([ENTRY, "second"]);
  target.close();
  socket.close();
});

test("frames messages by their length over TCP, and a line each over a local socket", async () => {
  const tcp = createServer().listen(0, "127.0.0.1");
  await once(tcp, "listening");
  const unix = createServer().listen(join(folder, "s.sock"));
  await once(unix, "listening");
  const [overTcp, overUnix] = [received(tcp), received(unix)];
  const { port } = tcp.address() as AddressInfo;
  const targets = (
    [
      { kind: "tcp", host: "127.0.0.1", port },
      { kind: "unix", path: join(folder, "s.sock") },
    ] satisfies SyslogAddress[]
  ).map((to) => syslogTarget(to));
  for (const target of targets) await target.send(["one", "second"]);
  await expect.poll(overTcp.text).toBe("3 one6 second");
  await expect.poll(overUnix.text).toBe("one\nsecond\n");
  for (const target of targets) target.close();
  tcp.close();
  unix.close();
});

test("accepts over TLS a receiver of the named authority alone", async () => {
  const ca = makeCertificates(folder);
  const { cert, key, ca: authority } = ca.coordinator();
  const server = createTlsServer({ cert: readFileSync(cert), key: readFileSync(key) }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const got = received(server, "secureConnection");
  const address = { kind: "tls", host: "127.0.0.1", port: (server.address() as AddressInfo).port } as const;
  const target = syslogTarget(address, readFileSync(authority));
  await target.send(["one"]);
  await expect.poll(got.text).toBe("3 one");
  target.close();
  await expect(syslogTarget(address).send(["one"])).rejects.toThrow(/certificate/);
  server.close();
});

test("rejects where nobody listens, and sends again once somebody does", async () => {
  const path = join(folder, "late.sock");
  const target = syslogTarget({ kind: "unix", path });
  await expect(target.send(["one"])).rejects.toThrow("ENOENT");
  const server = createServer().listen(path);
  await once(server, "listening");
  const got = received(server);
  await target.send(["one"]);
  await expect.poll(got.text).toBe("one\n");
  target.close();
  server.close();
});

test("states what a receiver without TLS is, in place of OpenSSL's code", async () => {
  const plain = createServer((socket) => socket.on("error", () => undefined).end("220 no TLS here\r\n"));
  plain.listen(0, "127.0.0.1");
  await once(plain, "listening");
  const { port } = plain.address() as AddressInfo;
  const target = syslogTarget({ kind: "tls", host: "127.0.0.1", port });
  await expect(target.send([ENTRY])).rejects.toThrow(
    /127\.0\.0\.1:\d+ does not use TLS on this port: give its TLS port/,
  );
  plain.close();
});
