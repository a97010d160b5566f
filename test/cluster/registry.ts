/** A real registry for tests: `await using registry = await startRegistry()`. Its images outlive kill() and start(). */
import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import {
  registryConfig,
  registryHost,
  registryProgram,
  registryServes,
  type TokenService,
} from "@elastic/deploy/local/registry.ts";
import { programPath } from "./machine.ts";
import { type Part, startPart } from "./part.ts";
import { makeWorkFolder } from "./work-folder.ts";

const START_TIMEOUT_MS = 20_000;
const COLLECT_GARBAGE = join(import.meta.dirname, "../../deploy/registry/collect-garbage.sh");

export interface Registry extends Part<number> {
  /** `127.0.0.1:<port>`; the same after a restart. */
  readonly host: string;
  /** Starts it again as one that serves only whoever has a token of this service. */
  demandTokens(tokens: TokenService): Promise<void>;
  /** Whether it deletes images; it does until another is said here. */
  setDeletes(deletes: boolean): Promise<void>;
  /** Runs deploy/registry/collect-garbage.sh, while it is stopped. */
  collectGarbage(): Promise<void>;
  /** Bytes of all blobs. */
  storedBytes(): number;
}

/** One that serves everyone. */
export async function startRegistry(): Promise<Registry> {
  const folder = makeWorkFolder();
  let port = 0;
  let tokens: TokenService | null = null;
  let deletes = true;
  const place = join(folder.path, "registry");
  const restart = async (meanwhile: () => void) => {
    await part.kill();
    meanwhile();
    await part.start();
  };
  const part = await startPart<number>({
    async program(before) {
      port = before ?? (await freePort());
      return registryProgram({
        folder: place,
        port,
        tokens,
        deletes,
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
    demandTokens: (service) =>
      restart(() => {
        tokens = service;
      }),
    setDeletes: (allowed) =>
      restart(() => {
        deletes = allowed;
      }),
    collectGarbage: () =>
      restart(() => {
        const args = ["--stopped", registryConfig({ folder: place })];
        execFileSync(COLLECT_GARBAGE, args, { env: { PATH: programPath() }, stdio: "pipe" });
      }),
    storedBytes: () => {
      const files = readdirSync(join(place, "data"), { recursive: true, withFileTypes: true });
      const sizes = files
        .filter((file) => file.isFile())
        .map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
      return sizes.reduce((sum, size) => sum + size, 0);
    },
    async [Symbol.asyncDispose]() {
      await part.kill();
      folder[Symbol.dispose]();
    },
  };
}
