import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { ListenError, listenFor } from "./listen-error.ts";

async function listening(host: string, port: number): Promise<Server> {
  const server = createServer().listen(port, host);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return server;
}

test("names the setting and what to do of an address in use, and of one of another machine", async () => {
  const { port } = (await listening("127.0.0.1", 0)).address() as AddressInfo;
  const taken = listenFor("ELASTIC_HTTP_LISTEN", listening("127.0.0.1", port));
  await expect(taken).rejects.toThrow(ListenError);
  await expect(taken).rejects.toThrow(
    `ELASTIC_HTTP_LISTEN names 127.0.0.1:${port}, and another program listens there: stop it (\`ss -ltnp\` shows it), or`,
  );
  // Of the range for documentation: no machine has it.
  const elsewhere = listenFor("ELASTIC_HTTP_LISTEN", listening("2001:db8::1", 8080));
  await expect(elsewhere).rejects.toThrow("names 2001:db8::1:8080, and that is no address of this machine");
});

test("explains a port that this user may not have, as it is found in a library's message", async () => {
  const words = "No address added out of total 1 resolved errors: [listen EACCES: permission denied 0.0.0.0:443]";
  const refused = listenFor("ELASTIC_GRPC_LISTEN", Promise.reject(new Error(words)));
  await expect(refused).rejects.toThrow("ELASTIC_GRPC_LISTEN names 0.0.0.0:443, and this user may not: name a port");
});

test("leaves every other error as it is", async () => {
  const error = new Error("EACCES: permission denied, open '/keys'");
  await expect(listenFor("ELASTIC_HTTP_LISTEN", Promise.reject(error))).rejects.toBe(error);
});
