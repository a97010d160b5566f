/** Our service with one shell that is ready, the gateway a part of its coordinator or a separate process. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "@elastic/coordinator/package.json" with { type: "json" };
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { until } from "@elastic/deploy/local/until.ts";
import type { ApiClient } from "@elastic/test/cluster/api-client.ts";
import { programPath } from "@elastic/test/cluster/machine.ts";
import { startShellCluster } from "@elastic/test/cluster/shell-cluster.ts";
import { runSsh, type SshPlace, target } from "@elastic/test/cluster/ssh-client.ts";
import { type LoadProcess, startLoadProcess } from "../measure/load-process.ts";
import { processTree } from "../measure/process-tree.ts";
import { INPUT, WORKERS_AT_A_TIME } from "../service/contender.ts";
import type { ElasticLoadSettings } from "../service/elastic-load.ts";
import type { Contender } from "./contender.ts";
import { installCommand } from "./installed-command.ts";

/** One for the shell, one for the service whose tasks are timed. */
const SLOTS = 2;
const HOME_BYTES = 3 * 2 ** 30;
const MEMORY_BYTES = 2 ** 30;
const FOUND_WITHIN_MS = 60_000;

export interface OurShells {
  readonly folder: string;
  /** The private key of their user. */
  readonly identity: string;
  /** Through the coordinator that also schedules. */
  readonly together: Contender;
  /** The same coordinator, and an sshd in the shell that the client speaks with. */
  readonly direct: Contender;
  /** Through a gateway that is a separate process. */
  readonly apart: Contender;
  /** Tasks that do nothing, from their creation to their start. */
  readonly tasks: LoadProcess;
  stop(): Promise<void>;
}

export async function startOurShells(): Promise<OurShells> {
  const parts = new AsyncDisposableStack();
  try {
    const shells = parts.use(
      await startShellCluster({
        agentSettings: { ELASTIC_SLOTS: String(SLOTS) },
        shell: { home_bytes: HOME_BYTES, memory_bytes: MEMORY_BYTES },
      }),
    );
    const { cluster } = shells;
    const client = cluster.client();
    const identity = await addKey(client, cluster.folder);
    const gateway = await cluster.addGateway("gateway", `127.0.0.1:${await freePort()}`);
    const place = { ...shells.place, password: "", identity };
    const apart = { ...place, address: gateway.ssh };
    await until("the agent has found the gateway", async () => (await greeted(apart)) || undefined, {
      timeoutMs: FOUND_WITHIN_MS,
    });
    const pid = (part: { child(): { readonly pid: number } } | undefined) => part?.child().pid ?? 0;
    const [coordinator, agent] = [cluster.coordinators[0], cluster.agents[0]];
    const shared = { name: "elastic", version: manifest.version, home: "/home/shell" };
    const service = await client.readyService("clock", {
      image: "builtin:clock",
      limits: { concurrency: WORKERS_AT_A_TIME },
    });
    const settings: ElasticLoadSettings = {
      url: client.url,
      key: client.key,
      serviceId: service.service_id,
      input: INPUT,
    };
    const tasks = await startLoadProcess(join(import.meta.dirname, "..", "service", "elastic-load.ts"), settings);
    parts.defer(() => tasks.stop());
    return {
      folder: cluster.folder,
      identity,
      direct: {
        ...shared,
        name: "elastic, sshd in the shell",
        place: { ...place, ...(await ticketPlace(client, cluster, place.user)) },
        carriers: () => [pid(coordinator), ...processTree(pid(agent))],
      },
      together: { ...shared, place, carriers: () => [pid(coordinator), ...processTree(pid(agent))] },
      apart: {
        ...shared,
        name: "elastic, gateway apart",
        place: apart,
        carriers: () => [pid(gateway), ...processTree(pid(agent))],
      },
      tasks,
      stop: () => parts.disposeAsync(),
    };
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

/** As `elastic shell ssh-config --tickets` has it: a ticket for each connection. */
async function ticketPlace(
  { url, key }: ApiClient,
  { folder }: { readonly folder: string },
  shellId: string,
): Promise<Pick<SshPlace, "user" | "address" | "options" | "env">> {
  const env = { ELASTIC_URL: url, ELASTIC_API_KEY: key, ELASTIC_CONFIG_DIR: join(folder, "config") };
  const command = await installCommand(join(folder, "elastic"));
  const printed = execFileSync(process.execPath, [command, "shell", "ssh-config", "--tickets", shellId, "--json"], {
    env: { PATH: programPath(), ...env },
    encoding: "utf8",
  });
  const [host] = JSON.parse(printed) as readonly [{ user: string; host: string; options: Record<string, string> }];
  const options = Object.entries(host.options).map(([keyword, value]) => `${keyword}=${value}`);
  return { user: host.user, address: `${host.host}:22`, options, env };
}

async function addKey(client: ApiClient, folder: string): Promise<string> {
  const identity = join(folder, "user_key");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", identity], { env: { PATH: programPath() } });
  const { status, text } = await client.call("/v1/me/authorized-keys", {
    method: "POST",
    body: JSON.stringify({ key: readFileSync(`${identity}.pub`, "utf8") }),
    headers: { "content-type": "application/json" },
  });
  if (status !== 201) throw new Error(`${status} ${text}`);
  return identity;
}

async function greeted(place: Contender["place"]): Promise<boolean> {
  return (await runSsh("ssh", place, [target(place), "true"])).code === 0;
}
