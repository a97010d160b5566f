/** Where a demo that is left running listens: the same port each time where it is free. */
import type { RestartRecord } from "./restart-record.ts";

/** Not 8080: there a prover listens that its author tries on this machine. */
export const USUAL_HTTP_PORT = 8088;

/** The port of the earlier start, else `usual`. Where another program has that, it is another one, which is said. */
export async function httpPort(
  restart: RestartRecord,
  usual: number | undefined,
  say: (line: string) => void,
): Promise<number> {
  const port = await restart.port("http", usual);
  const { http: earlier } = restart.earlierPorts;
  if (earlier === undefined && usual !== undefined && port !== usual) {
    say(`Another program listens on port ${usual}: the demo listens on port ${port} instead.`);
  }
  return port;
}
