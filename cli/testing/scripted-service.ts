/** The command in a temporary folder, before a service that a test scripts. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { saveCredentials } from "../session/credentials-file.ts";
import { type Ran, runBinary, type Surroundings } from "./run-binary.ts";
import { type Script, type ScriptedServer, startScriptedServer } from "./scripted-server.ts";

export const SERVICE = {
  service_id: "0193a0b0c0d0e0f00193a0b0c0d0e0f0",
  service_name: "poseidon",
  team_id: "aa",
  team_name: "research",
  state: "Ready",
  created: "2026-11-21T10:00:00",
  service_url: "http://h/v1/services/0193a0b0c0d0e0f00193a0b0c0d0e0f0",
  image_tag: "v1",
  failure: null,
};
export const TASK = {
  task_id: "0193a0b0c0d0e0f00193a0b0c0d0e0f1",
  service_id: SERVICE.service_id,
  service_name: "poseidon",
  team_id: "aa",
  creator_id: "0193a0b0c0d0e0f00193a0b0c0d0e0f2",
  state: "SUCCESS",
  phase: "succeeded",
  input: '{"n":1}',
  result: "the proof",
  result_url: "http://h/v1/tasks/x/result?sig=y",
  created: "2026-11-21T10:00:00",
  started: "2026-11-21T10:00:01",
  finished: "2026-11-21T10:00:02",
  attempt: 1,
  failure: null,
};
export const TEAMS = {
  items: [
    { team_id: "aa", name: "research" },
    { team_id: "bb", name: "studio" },
  ],
  pages: 1,
};

export interface ScriptedService extends AsyncDisposable {
  /** Where the command runs. */
  readonly home: string;
  readonly server: ScriptedServer;
  /** To every request from now on. */
  answer: Script;
  elastic(
    args: readonly string[],
    more?: { readonly env?: Record<string, string> } & Pick<Surroundings, "stdin" | "interruptAfter">,
  ): Promise<Ran>;
  /** As `elastic login` leaves it: with the key `eps_key`, the team `studio` active. */
  loggedIn(): Promise<void>;
}

export async function startScriptedService(): Promise<ScriptedService> {
  const home = await mkdtemp(join(tmpdir(), "elastic-cli-"));
  const configDir = join(home, "config");
  const server = await startScriptedServer((request, response) => service.answer(request, response));
  const service: ScriptedService = {
    home,
    server,
    answer: (_request, response) => response.destroy(),
    elastic: (args, { env, ...more } = {}) =>
      runBinary(args, { directory: home, env: { ELASTIC_CONFIG_DIR: configDir, ...env }, ...more }),
    loggedIn: () =>
      saveCredentials(configDir, { url: server.url, apiKey: "eps_key", team: { id: "bb", name: "studio" } }),
    async [Symbol.asyncDispose]() {
      await server.stop();
      await rm(home, { recursive: true });
    },
  };
  return service;
}
