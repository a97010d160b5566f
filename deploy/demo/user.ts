/** A user of the demo: everything goes through the user's command `elastic`, as a person would type it. */
import { execFile } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { COMPILE_CACHE } from "../local/compile-cache.ts";
import { inRepository } from "../local/repository.ts";
import type { Places } from "./places.ts";
import { shellWord } from "./shell-word.ts";

const COMMAND_TIMEOUT_MS = 180_000;
const PROOF_TIMEOUT_MS = 120_000;
const POLL_MS = 100;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** What the demo reads of a service's record. */
export interface ServiceRecord {
  readonly service_id: string;
  readonly service_name: string;
  readonly current_deployment_id: string | null;
}

/** What the demo reads of a task's record. */
export interface TaskRecord {
  readonly task_id: string;
  readonly team_id: string;
  readonly state: string;
  readonly result: string | null;
  readonly failure: { readonly reason: string; readonly message: string } | null;
}

export interface User {
  /** By the team's id, since teams are renamed; returns the team's name. */
  login(at: { readonly url: string; readonly key: string; readonly teamId: string }): Promise<string>;
  services(): Promise<readonly ServiceRecord[]>;
  /** Returns the id of a new service, which the next commands are about. */
  createService(name: string): Promise<string>;
  /** Has the service serve the image; returns the deployment's id. */
  deploy(image: string): Promise<string>;
  /** Posts a task and returns its record once it has ended. */
  prove(input: object): Promise<TaskRecord>;
}

/** What the user's command finds on this machine. */
export interface UserSurroundings {
  readonly path: string;
  /** Null for none. */
  readonly engineSocket: string | null;
}

/** `say` gets each command line, without the key. */
export function makeUser(places: Places, { path, engineSocket }: UserSurroundings, say: (line: string) => void): User {
  const engine = engineSocket === null ? {} : { DOCKER_HOST: `unix://${engineSocket}` };
  mkdirSync(places.project, { recursive: true });
  const elastic = async (args: readonly string[], shown: readonly string[] = args, key?: string): Promise<unknown> => {
    // Not among the words of the command, which everybody on the machine may read.
    const secret = key === undefined ? {} : { ELASTIC_API_KEY: key };
    const before = key === undefined ? "" : "ELASTIC_API_KEY=… ";
    if (shown.length > 0) say(`$ ${before}elastic ${shown.map(shellWord).join(" ")}`);
    const { stdout } = await promisify(execFile)(process.execPath, [inRepository("cli", "main.ts"), ...args], {
      cwd: places.project,
      env: { ...COMPILE_CACHE, PATH: path, ELASTIC_CONFIG_DIR: places.login, ...engine, ...secret },
      timeout: COMMAND_TIMEOUT_MS,
      maxBuffer: OUTPUT_BYTES_MAX,
    });
    return JSON.parse(stdout);
  };
  return {
    async login({ url, key, teamId }) {
      const login = ["login", "--url", url, "--team", teamId];
      const team = (await elastic([...login, "--json"], login, key)) as { readonly team_name: string };
      return team.team_name;
    },
    async services() {
      return (await elastic(["service", "list", "--json"], [])) as readonly ServiceRecord[];
    },
    async createService(name) {
      // A folder has one link.
      rmSync(places.project, { recursive: true, force: true });
      mkdirSync(places.project);
      const create = ["service", "create", name];
      const service = (await elastic([...create, "--json"], create)) as { readonly service_id: string };
      return service.service_id;
    },
    async deploy(image) {
      const deploy = ["deploy", "--image", image, "--tag", "demo"];
      const deployment = (await elastic([...deploy, "--json"], deploy)) as { readonly deployment_id: string };
      return deployment.deployment_id;
    },
    async prove(input) {
      const create = ["task", "create", "--json", JSON.stringify(input)];
      const { task_id: taskId } = (await elastic([...create, "--output", "json"], create)) as TaskRecord;
      say(`$ elastic task info ${taskId} -d`);
      const signal = AbortSignal.timeout(PROOF_TIMEOUT_MS);
      for (;;) {
        const task = (await elastic(["task", "info", taskId, "-d", "--json"], [])) as TaskRecord;
        if (task.state !== "PENDING") return task;
        await delay(POLL_MS, undefined, { signal });
      }
    },
  };
}
