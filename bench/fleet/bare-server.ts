/** The least that such links cost: the same library, TLS and messages, in a separate process, and nothing behind them. */

import { join } from "node:path";
import type { CertificateFiles } from "@elastic/deploy/dev-ca.ts";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { type Part, startPart } from "@elastic/test/cluster/part.ts";

const START_TIMEOUT_MS = 60_000;

export interface BareServer extends Part<number> {
  readonly grpc: string;
}

/** It has the same port after each start. */
export async function startBareServer(folder: string, { ca, cert, key }: CertificateFiles): Promise<BareServer> {
  const port = await freePort();
  const grpc = `127.0.0.1:${port}`;
  const part = await startPart<number>({
    program: () => ({
      name: "bare-server",
      command: process.execPath,
      args: [inRepository("bench", "fleet", "bare-server-process.ts"), JSON.stringify({ ca, cert, key, grpc })],
      env: {},
      logFile: join(folder, "bare-server.log"),
    }),
    becomesReady: (child) => child.line((line) => (line === "listens" ? port : undefined), START_TIMEOUT_MS),
  });
  return { ...part, grpc };
}
