/** Carries bytes between a client's channel and a tunnel, both ways, each as fast as the slower side. */
import type { ServerChannel } from "ssh2";
import type { TunnelStream } from "../tunnels/tunnels.ts";
import type { ChannelWriter } from "./channel-writer.ts";

export interface Traffic {
  /** Something went in or out. */
  readonly moved: (direction: "in" | "out", bytes: number) => void;
}

/** What the client sends goes into the tunnel. */
export function carryInput(channel: ServerChannel, tunnel: TunnelStream, { moved }: Traffic): void {
  channel.on("data", (bytes: Buffer) => {
    moved("in", bytes.length);
    channel.pause();
    void tunnel.write(bytes).then(() => channel.resume());
  });
  channel.once("end", () => tunnel.endInput());
  channel.once("close", () => tunnel.close());
}

/** Resolves with the exit code, once all output was handed to the client. Rejects with a TunnelError. */
export async function carryOutput(
  tunnel: TunnelStream,
  writer: ChannelWriter,
  { moved }: Traffic,
): Promise<number | null> {
  for await (const { of, bytes } of tunnel.output) {
    moved("out", bytes.length);
    if (await writer.write(of, bytes)) continue;
    tunnel.close();
    break;
  }
  return await tunnel.exit;
}
