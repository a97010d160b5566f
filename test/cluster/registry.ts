/** A real registry for tests: `await using registry = await startRegistry()`. Its images outlive kill() and start(). */
import { join } from "node:path";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { registryHost, registryProgram, registryServes, type TokenService } from "@elastic/deploy/local/registry.ts";
import { programPath } from "./machine.ts";
import { type Part, startPart } from "./part.ts";
import { makeWorkFolder } from "./work-folder.ts";

const START_TIMEOUT_MS = 20_000;

export interface Registry extends Part<number> {
  /** `127.0.0.1:<port>`; the same after a restart. */
  readonly host: string;
  /** Starts it again as one that serves only whoever has a token of this service. */
  demandTokens(tokens: TokenService): Promise<void>;
}

/** One that serves everyone. */
export async function startRegistry(): Promise<Registry> {
  const folder = makeWorkFolder();
  let port = 0;
  let tokens: TokenService | null = null;
  const part = await startPart<number>({
    async program(before) {
      port = before ?? (await freePort());
      return registryProgram({
        folder: join(folder.path, "registry"),
        port,
        tokens,
        logFile: join(folder.path, "registry.log"),
        path: programPath(),
      });
    },
    async becomesReady(child) {
      await child.whileRunning((signal) => registryServes(registryHost({ port }), START_TIMEOUT_MS, signal));
      return port;
    },
    triesMax: 3,
  });
  return {
    ...part,
    host: registryHost({ port }),
    async demandTokens(service) {
      tokens = service;
      await part.kill();
      await part.start();
    },
    async [Symbol.asyncDispose]() {
      await part.kill();
      folder[Symbol.dispose]();
    },
  };
}
