/** Ports for programs that cannot choose one themselves. */
import { randomInt } from "node:crypto";
import { createServer, type ListenOptions, type Server } from "node:net";

/** Below the range from which the kernel takes ports for outgoing connections, so that a restart finds its port free. */
const LOWEST = 20_000;
const HIGHEST = 32_000;
const TRIES_MAX = 200;

/** What keeps each port that this process chose from other processes that choose one, also while nothing listens on it. */
const claims = new Map<number, Server>();

/**
 * A port of the loopback address that nothing listens on, and that no other living process got here. A program that is
 * restarted finds it free, unless a program that does not call this took it.
 */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await claim(preferred))) return preferred;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (!claims.has(port) && (await claim(port))) return port;
  }
  throw new Error(`no free port found between ${LOWEST} and ${HIGHEST} in ${TRIES_MAX} tries`);
}

async function claim(port: number): Promise<boolean> {
  // An abstract socket (unix(7)): it ends with the process, however that ends, and leaves no file.
  const held = claims.get(port) ?? (await listen({ path: `\0elastic-port-${port}` }));
  if (held === null) return false;
  const server = await listen({ host: "127.0.0.1", port, exclusive: true });
  server?.close();
  if (server !== null) claims.set(port, held.unref());
  else if (!claims.has(port)) held.close();
  return server !== null;
}

/** Null where the address is taken. */
function listen(address: ListenOptions): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(null));
    server.listen(address, () => resolve(server));
  });
}
