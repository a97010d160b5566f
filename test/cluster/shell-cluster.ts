/** A cluster with an engine and one shell that is ready, as tests of the SSH gateway need it. */
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { type Engine, startEngine, startOwnEngine } from "./engine.ts";
import { readyShell, type TestShell } from "./shell.ts";
import { importShellImage } from "./shell-image.ts";
import type { SshPlace } from "./ssh-client.ts";

export interface ShellCluster extends AsyncDisposable {
  readonly engine: Engine;
  readonly cluster: Cluster;
  readonly shell: TestShell;
  /** Where its user logs in, by password. */
  readonly place: SshPlace;
}

export async function startShellCluster(
  given: {
    readonly coordinatorSettings?: Readonly<Record<string, string>>;
    readonly agentSettings?: Readonly<Record<string, string>>;
    /** Of an engine of the test's own; default false. */
    readonly userNamespaces?: boolean;
    /** What is requested in addition to a small one. */
    readonly shell?: object;
  } = {},
): Promise<ShellCluster> {
  const parts = new AsyncDisposableStack();
  try {
    const engine = parts.use(
      await (given.userNamespaces === true ? startOwnEngine({ userNamespaces: true }) : startEngine()),
    );
    const image = await importShellImage(engine.socket);
    const ssh = `127.0.0.1:${await freePort()}`;
    const coordinatorSettings = {
      ELASTIC_SHELL_IMAGES: `base=${image}`,
      ELASTIC_SSH_LISTEN: ssh,
      ...given.coordinatorSettings,
    };
    const cluster = parts.use(
      await startCluster({ engine, coordinatorSettings, agentSettings: given.agentSettings ?? {} }),
    );
    const shell = await readyShell(cluster.client(), given.shell);
    const place = { folder: cluster.folder, address: ssh, user: shell.shell_id, password: shell.password };
    return { engine, cluster, shell, place, [Symbol.asyncDispose]: () => parts.disposeAsync() };
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}
