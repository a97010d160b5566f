/** An installation of deploy/compose in an engine, as its commands start and remove it; the programs of others are stand-ins. */
import { execFile } from "node:child_process";
import { createReadStream, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { finish } from "@elastic/deploy/local/engine-progress.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { until } from "@elastic/deploy/local/until.ts";
import Docker from "dockerode";
import { programPath } from "./machine.ts";
import { importStandIns } from "./stand-in-images.ts";

const EXECUTE = promisify(execFile);
const IMAGES_TIMEOUT_MS = 600_000;
const COMMAND_TIMEOUT_MS = 600_000;
const RESTART_TIMEOUT_MS = 120_000;

export interface SiteOfContainers {
  /** Its certificates and settings. */
  readonly folder: string;
  /** A command of deploy/compose; returns what it printed on its standard output. */
  run(command: "up" | "down" | "coordinator" | "logs", ...args: readonly string[]): Promise<string>;
  /** SIGKILL to the service's process, as in a crash; resolves once the engine has it up again, and healthy where it says so. */
  crash(service: string): Promise<void>;
  /** Names of all containers, volumes and networks of it. */
  traces(): Promise<readonly string[]>;
}

/** `settings` are those of an operator; nothing is started. */
export async function prepareSite(
  socket: string,
  work: string,
  settings: Readonly<Record<string, string>>,
): Promise<SiteOfContainers> {
  const docker = new Docker({ socketPath: socket });
  await loadCoordinator(docker, join(work, "images"));
  await importStandIns(docker);
  const folder = join(work, "site");
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, "coordinator.env"), linesOf(settings));
  const env = {
    PATH: programPath(),
    HOME: work,
    DOCKER_HOST: `unix://${socket}`,
    ELASTIC_SITE: folder,
    ELASTIC_SITE_BIND: "127.0.0.1",
    ELASTIC_PROMETHEUS_PORT: "0",
  };
  const containerOf = async (service: string): Promise<Docker.ContainerInspectInfo> => {
    const filters = { label: [`com.docker.compose.service=${service}`] };
    const [found] = await docker.listContainers({ all: true, filters });
    if (found === undefined) throw new Error(`there is no container of ${service}`);
    return await docker.getContainer(found.Id).inspect();
  };
  return {
    folder,
    async run(command, ...args) {
      const options = { env, timeout: COMMAND_TIMEOUT_MS, maxBuffer: 16 * 1024 ** 2 };
      return (await EXECUTE(inRepository("deploy", "compose", command), args, options)).stdout;
    },
    async crash(service) {
      const before = (await containerOf(service)).State.Pid;
      process.kill(before, "SIGKILL");
      const isBack = async (): Promise<true | undefined> => {
        const { Running, Pid, Health } = (await containerOf(service)).State;
        return (Running && Pid !== before && (Health === undefined || Health.Status === "healthy")) || undefined;
      };
      await until(`${service} is up again`, isBack, { timeoutMs: RESTART_TIMEOUT_MS, everyMs: 200 });
    },
    async traces() {
      const filters = { label: ["com.docker.compose.project"] };
      const containers = await docker.listContainers({ all: true, filters });
      const { Volumes: volumes } = await docker.listVolumes({ filters });
      const networks = await docker.listNetworks({ filters });
      return [...containers.flatMap(({ Names }) => Names), ...[...volumes, ...networks].map(({ Name }) => Name)];
    },
  };
}

async function loadCoordinator(docker: Docker, to: string): Promise<void> {
  const args = [
    inRepository("deploy", "package", "main.ts"),
    "images",
    "elastic-coordinator",
    "--allow-changes",
    "--to",
    to,
  ];
  await EXECUTE(process.execPath, args, { timeout: IMAGES_TIMEOUT_MS, maxBuffer: 16 * 1024 ** 2 });
  const file = join(to, `elastic-coordinator-0.1.0-linux-${process.arch}.oci.tar`);
  await finish(docker, await docker.loadImage(createReadStream(file)));
}

function linesOf(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}
