/** The stage of a start that users reach shells by: terminals in browsers, and the SSH gateway. */
import { listen } from "../config/setting-formats.ts";
import type { SshGateway } from "../public/ssh-gateway.ts";
import { RecordDirectory } from "../shells/record-directory.ts";
import { webTerminals } from "../shells/web-terminals.ts";
import type { ShellTerminals } from "../tunnels/shell-terminals.ts";
import type { Tunnels } from "../tunnels/tunnels.ts";
import { listenAsSet } from "./listen-as-set.ts";
import { part, type SharedParts } from "./shared-parts.ts";

/** The ways into shells. */
interface WaysIn {
  /** Where users log in over SSH; null where they do not. */
  readonly ssh: string | null;
  readonly shellTerminals: ShellTerminals | null;
}

export const NO_SHELLS: WaysIn = { ssh: null, shellTerminals: null };

export async function startShells(
  shared: SharedParts,
  tunnels: Tunnels,
  starting: AsyncDisposableStack,
): Promise<WaysIn> {
  const { config, clock, log } = shared;
  const directory = new RecordDirectory({ ...shared, log: part(log, "shells") });
  starting.defer(directory.start());
  const shellTerminals = webTerminals({ directory, tunnels, clock, log: part(log, "terminals") });
  if (config.sshListen === null || !config.roles.includes("ssh")) return { ssh: null, shellTerminals };
  // Its protocol takes a while to load, and most coordinators do without.
  const { startSsh } = await import("../shells/start-ssh.ts");
  const opening = startSsh({ ...shared, directory, tunnels, listen: config.sshListen, log: part(log, "ssh") });
  const gateway = await listenAsSet("sshListen", opening);
  starting.defer(() => gateway.stop());
  return { ssh: gateway.address, shellTerminals };
}

/** The gateway as users see it, also for processes that do not listen for SSH themselves. */
export async function readGateway(
  { config, kv, secrets }: SharedParts,
  ssh: string | null,
): Promise<SshGateway | null> {
  const address = config.sshAdvertise ?? (ssh === null ? null : listen.parse(ssh));
  if (address === null) return null;
  const { readPublicHostKey } = await import("../shells/host-key.ts");
  return { address, hostKey: await readPublicHostKey(kv, secrets) };
}
