/** Ports for programs that cannot choose one themselves. */
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the range from which the kernel takes ports for outgoing connections, so that a restart finds its port free. */
const LOWEST = 20_000;
const HIGHEST = 32_000;
const TRIES_MAX = 200;

/** A port of the loopback address that nothing listens on at this moment; whoever starts on it must be ready to lose the race. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port found between ${LOWEST} and ${HIGHEST} in ${TRIES_MAX} tries`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ host: "127.0.0.1", port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
