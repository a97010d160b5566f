/** The program that OpenSSH starts for each connection, with this test in OpenSSH's place. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { BUNDLED_COMMAND } from "../testing/bundled-command.ts";
import { type ScriptedServer, sendJson, startScriptedServer } from "../testing/scripted-server.ts";

const PROGRAM = join(dirname(BUNDLED_COMMAND), "connect-ssh.js");
const SHELL_ID = "0a".repeat(16);
const API_KEY = `eps_${"a".repeat(10)}_${"b".repeat(36)}`;

let folder: string;
let gateway: Server;
let service: ScriptedServer;
let state: string;
let givesTickets: boolean;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "elastic-connect-"));
  writeFileSync(join(folder, "shell_key.pub"), "ssh-ed25519 AAAA elastic\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(async () => {
  state = "READY";
  givesTickets = true;
  gateway = createServer().listen(0, "127.0.0.1");
  await once(gateway, "listening");
  const { port } = gateway.address() as AddressInfo;
  service = await startScriptedServer(({ path }, response) => {
    const host = { hostname: "127.0.0.1", port, host_key: "ssh-ed25519 AAAA", username: SHELL_ID };
    const shell = { shell_id: SHELL_ID, shell_name: "lab", state, failure: null, stopped_by: null, ...host };
    const isTicket = path === `/v1/shells/${SHELL_ID}/ssh-tickets` && givesTickets;
    if (isTicket) return sendJson(response, 201, { ticket: "fresh" });
    if (path.startsWith("/v1/shells?")) return sendJson(response, 200, { items: [shell], pages: 1 });
    sendJson(response, 404, { status: 404, code: "not_found", title: path });
  });
});
afterEach(async () => {
  await service.stop();
  gateway.close();
});

/** May start no process. With a channel in place of its standard output, as in OpenSSH's `ProxyUseFdpass`. */
function start(args: readonly string[], env: Readonly<Record<string, string>> = {}, output: "ipc" | "pipe" = "ipc") {
  const alone = ["--permission", "--allow-fs-read=*", "--allow-fs-write=*"];
  const child = spawn(process.execPath, [...alone, PROGRAM, ...args], {
    env: { ELASTIC_CONFIG_DIR: folder, ELASTIC_URL: service.url, ELASTIC_API_KEY: API_KEY, ...env },
    stdio: ["pipe", output, "pipe"],
  });
  const ended = once(child, "close");
  let error = "";
  child.stderr?.on("data", (bytes) => (error += bytes));
  return { child, ended, error: () => error };
}

/** What the gateway gets first. */
async function arrived(): Promise<{ readonly socket: Socket; readonly line: string }> {
  const [socket] = (await once(gateway, "connection")) as [Socket];
  const [line] = await once(socket, "data");
  return { socket, line: String(line) };
}

test("gets a ticket for a shell and hands over the connection itself, without a further process", async () => {
  const { child, ended, error } = start([SHELL_ID]);
  const handed = once(child, "message") as Promise<[unknown, Socket]>;
  const arriving = arrived();
  const [, connection] = await Promise.race([handed, ended.then(() => expect.fail(error()))]);
  const { socket, line } = await arriving;
  expect(line).toBe("elastic-ticket fresh\n");
  expect((await ended)[0]).toBe(0);
  socket.write("hello");
  expect(String((await once(connection.resume(), "data"))[0])).toBe("hello");
  connection.destroy();
});

test("shows the ticket that it was given, and carries bytes where nobody takes the connection", async () => {
  const { port } = gateway.address() as AddressInfo;
  const { child, ended } = start(["127.0.0.1", String(port)], { ELASTIC_SSH_TICKET: "given" }, "pipe");
  const { socket, line } = await arrived();
  expect([line, service.seen]).toEqual(["elastic-ticket given\n", []]);
  socket.end("bye");
  expect(String((await once(child.stdout as NodeJS.ReadableStream, "data"))[0])).toBe("bye");
  expect((await ended)[0]).toBe(0);
});

test("states why there is no connection", async () => {
  state = "STOPPED";
  const stopped = start([SHELL_ID]);
  expect((await stopped.ended)[0]).toBeGreaterThan(0);
  expect(stopped.error()).toContain("The shell is STOPPED.");
  state = "READY";
  givesTickets = false;
  const older = start([SHELL_ID]);
  expect((await older.ended)[0]).toBeGreaterThan(0);
  expect(older.error()).toContain("gives no tickets");
  const { port } = gateway.address() as AddressInfo;
  gateway.close();
  const away = start(["127.0.0.1", String(port)]);
  expect((await away.ended)[0]).toBe(255);
  expect(away.error()).toBe(
    `elastic: The connection to 127.0.0.1:${port} failed: connect ECONNREFUSED 127.0.0.1:${port}\n`,
  );
});
