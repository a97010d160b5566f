/**
 * Session channels of a connection, from their opening to their closing: a client may open any number and run nothing
 * in them, and the library keeps each of those for as long as the connection stands.
 */
import type { Connection, Session } from "ssh2";
import type { Client } from "./client.ts";
import { PACKET_BYTES_MIN } from "./limits.ts";
import { handleSession } from "./session.ts";

interface Outgoing {
  readonly id: number;
  readonly packetSize: number;
}

interface SessionInsides {
  readonly _chanInfo: { readonly incoming: { readonly id: number }; readonly outgoing: Outgoing };
  /** Once something runs in it. */
  readonly _channel: unknown;
}

interface ConnectionInsides {
  readonly _chanMgr: { remove(id: number): void };
  readonly _protocol: { channelClose(id: number): void };
}

/** False for a client that cannot be written to; nothing may be sent to it on this session. */
export function openSession(client: Client, ssh: Connection, session: Session): boolean {
  const insides = session as unknown as SessionInsides;
  const { incoming, outgoing } = insides._chanInfo;
  if (!takesPackets({ outgoing })) return false;
  client.sessions += 1;
  session.once("close", () => {
    client.sessions -= 1;
    if (insides._channel !== undefined) return;
    const { _chanMgr: channels, _protocol: protocol } = ssh as unknown as ConnectionInsides;
    channels.remove(incoming.id);
    protocol.channelClose(outgoing.id);
  });
  handleSession(client, session);
  return true;
}

/**
 * Whether the client takes packets of a sensible size. The library cuts what is sent into pieces of whatever size the
 * client named and never looks up meanwhile: at one byte for seconds, and at none for ever.
 */
export function takesPackets(channel: object): boolean {
  return (channel as { readonly outgoing: Outgoing }).outgoing.packetSize >= PACKET_BYTES_MIN;
}
