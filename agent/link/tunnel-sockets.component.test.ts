import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { makeCertificates } from "@elastic/test/cluster/certificates.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TlsFiles } from "../domain/tls-files.ts";
import { TunnelSockets } from "./tunnel-sockets.ts";

const ID = "0a".repeat(16);

let folder: string;
let files: TlsFiles;
let coordinator: { readonly ca: string; readonly cert: string; readonly key: string };
const open = new Set<Server>();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tunnel-sockets-"));
  const certificates = makeCertificates(folder);
  coordinator = certificates.coordinator();
  const { ca: caFile, cert: certFile, key: keyFile } = certificates.node("node-a");
  files = { caFile, certFile, keyFile };
});
afterAll(() => {
  for (const server of open) server.close();
  rmSync(folder, { recursive: true });
});

async function listens(server: Server): Promise<string> {
  open.add(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const text = async (socket: Socket) => String((await once(socket, "data"))[0]);

/** A coordinator that knows TLS alone: its tunnels, and how many connections it got. */
async function startTlsCoordinator() {
  const [ca, cert, key] = [coordinator.ca, coordinator.cert, coordinator.key].map((path) => readFileSync(path));
  const server = createTlsServer({ ca, cert, key, requestCert: true, rejectUnauthorized: true });
  let connections = 0;
  server.on("connection", (socket) => {
    connections += 1;
    socket.on("error", () => undefined);
  });
  server.on("secureConnection", (socket) => socket.on("error", () => undefined));
  return { server, address: await listens(server), connections: () => connections };
}

test("opens one in plain, and leaves all that follows the acceptance to whom it is given", async () => {
  const server = createServer(async (socket) => {
    socket.on("error", () => undefined);
    const line = await text(socket);
    socket.write(`\nafter ${line}`);
  });
  const sockets = new TunnelSockets(files);
  const { socket, isPlain } = await sockets.open(await listens(server), ID);
  expect([isPlain, socket.bytesRead]).toEqual([true, 1]);
  socket.destroy();
});

test("takes TLS with the node's certificate where nobody accepts it in plain, and then does not try that again", async () => {
  const { server, address, connections } = await startTlsCoordinator();
  const sockets = new TunnelSockets(files);
  for (const expected of [2, 3]) {
    const accepted = once(server, "secureConnection");
    const { socket, isPlain } = await sockets.open(address, ID);
    const [inside] = (await accepted) as [Socket];
    expect(await text(inside)).toBe(`elastic-tunnel ${ID}\n`);
    expect([isPlain, connections()]).toEqual([false, expected]);
    inside.write("hello");
    expect(await text(socket)).toBe("hello");
    socket.destroy();
  }
});

test("takes TLS where what is in between cuts what is no TLS", async () => {
  const { server, address } = await startTlsCoordinator();
  const tls = Number(address.split(":")[1]);
  const router = createServer((socket) => {
    socket.once("data", (first) => {
      if (first[0] !== 0x16) return void socket.destroy();
      const behind = connect(tls, "127.0.0.1");
      behind.write(first);
      socket.pipe(behind).pipe(socket);
      for (const side of [socket, behind]) side.on("error", () => undefined);
    });
  });
  const accepted = once(server, "secureConnection");
  const { socket, isPlain } = await new TunnelSockets(files).open(await listens(router), ID);
  const [inside] = (await accepted) as [Socket];
  expect([isPlain, await text(inside)]).toEqual([false, `elastic-tunnel ${ID}\n`]);
  socket.destroy();
});

test("rejects where no coordinator listens", async () => {
  const server = createServer();
  const address = await listens(server);
  server.close();
  await expect(new TunnelSockets(files).open(address, ID)).rejects.toThrow("ECONNREFUSED");
});
