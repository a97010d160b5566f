/** A forwarded connection: to what listens in the client's own shell, and to nothing else. */
import type { ServerChannel, TcpipRequestInfo } from "ssh2";
import type { TunnelStream } from "../tunnels/tunnels.ts";
import { carryInput, carryOutput } from "./carry.ts";
import { ChannelWriter } from "./channel-writer.ts";
import type { Client } from "./client.ts";
import { FORWARDS_PER_CONNECTION_MAX } from "./limits.ts";
import { takesPackets } from "./open-session.ts";

/** Names of the shell as seen from within: every other machine is out of its reach, and of its users'. */
const OWN_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "::1", "0.0.0.0", "*", ""]);

export function handleForward(
  client: Client,
  accept: () => ServerChannel,
  reject: () => void,
  { destIP, destPort }: TcpipRequestInfo,
): void {
  const { directory, tunnels, log } = client.context;
  const assignmentId = directory.find(client.shellId)?.assignmentId ?? null;
  const isOwn = OWN_HOSTS.has(destIP.toLowerCase()) && destPort > 0 && destPort <= 65_535;
  if (!isOwn || assignmentId === null || client.forwards >= FORWARDS_PER_CONNECTION_MAX) {
    if (!isOwn) log.info({ shellId: client.shellId, destIP: destIP.slice(0, 100), destPort }, "a forward was refused");
    reject();
    return;
  }
  client.forwards += 1;
  tunnels
    .open(assignmentId, { kind: "port", port: destPort }, client.over)
    .then(
      (tunnel) => carry(client, accept(), tunnel),
      () => reject(),
    )
    .finally(() => {
      client.forwards -= 1;
    });
}

async function carry(client: Client, channel: ServerChannel, tunnel: TunnelStream): Promise<void> {
  if (!takesPackets(channel)) {
    tunnel.close();
    client.socket.destroy();
    return;
  }
  const closed = new AbortController();
  channel.once("close", () => closed.abort());
  client.opened(channel);
  const writer = new ChannelWriter(channel, client.socket, AbortSignal.any([client.over, closed.signal]));
  carryInput(channel, tunnel, client);
  // However it ends, the client sees a connection that ends.
  await carryOutput(tunnel, writer, client).catch(() => null);
  channel.end();
  tunnel.close();
}
