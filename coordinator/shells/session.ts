/** One session of a client: a login shell, a command or sftp, on a terminal or not. */
import type { ServerChannel, Session } from "ssh2";
import { type ExecTunnel, TunnelError, type TunnelStream } from "../tunnels/tunnels.ts";
import { carryInput, carryOutput } from "./carry.ts";
import { ChannelWriter } from "./channel-writer.ts";
import type { Client } from "./client.ts";
import { COMMAND_BYTES_MAX } from "./limits.ts";
import { openTunnel } from "./open-tunnel.ts";
import { SessionRequest, SFTP_COMMAND, SIGNALS } from "./session-request.ts";
import { noticeLine } from "./shell-notices.ts";

/** What ssh itself exits with when it was not the command that failed. */
const NO_SESSION = 255;

export function handleSession(client: Client, session: Session): void {
  const request = new SessionRequest();
  let running: Running | null = null;
  session.on("error", () => undefined);
  session.on("env", (accept, reject, { key, val }) => {
    if (request.setEnv(key, String(val))) accept?.();
    else reject?.();
  });
  session.on("pty", (accept, _reject, info) => {
    const { term } = info as typeof info & { readonly term?: string };
    request.setTerminal(term ?? "", { columns: info.cols, rows: info.rows });
    accept?.();
  });
  session.on("window-change", (accept, _reject, { cols, rows }) => {
    request.resize({ columns: cols, rows });
    running?.resize({ columns: cols, rows });
    accept?.();
  });
  session.on("signal", (accept, reject, { name }) => {
    if (running !== null && SIGNALS.has(name)) {
      running.signal(name);
      accept?.();
    } else reject?.();
  });
  session.on("shell", (accept) => {
    running = run(client, accept(), request.tunnel(null), request);
  });
  session.on("exec", (accept, reject, { command }) => {
    if (Buffer.byteLength(command) > COMMAND_BYTES_MAX || command.includes("\0")) reject();
    else running = run(client, accept(), request.tunnel(command), request);
  });
  session.on("subsystem", (accept, reject, { name }) => {
    if (name === "sftp") running = run(client, accept(), request.plainTunnel(SFTP_COMMAND), request);
    else reject();
  });
}

interface Running {
  resize(size: { readonly columns: number; readonly rows: number }): void;
  signal(name: string): void;
}

function run(client: Client, channel: ServerChannel, kind: ExecTunnel, request: SessionRequest): Running {
  const closed = new AbortController();
  channel.once("close", () => closed.abort());
  const over = AbortSignal.any([client.over, closed.signal]);
  const writer = new ChannelWriter(channel, client.socket, over);
  let tunnel: TunnelStream | null = null;
  client.opened(channel);

  const work = async (): Promise<number> => {
    ({ tunnel } = await openTunnel(client.context, client.shellId, kind, over));
    // What was requested while it was opened.
    const now = request.tunnel(null).terminal;
    if (kind.terminal !== null && now !== null && now !== kind.terminal) tunnel.resize(now.size);
    const removeTerminal =
      kind.terminal === null
        ? undefined
        : client.addTerminal((text) => void writer.write("stdout", Buffer.from(noticeLine(text))));
    carryInput(channel, tunnel, client);
    try {
      return (await carryOutput(tunnel, writer, client)) ?? NO_SESSION;
    } finally {
      removeTerminal?.();
    }
  };

  work()
    .catch(async (error: unknown) => {
      if (!over.aborted && !(error instanceof TunnelError)) {
        client.context.log.warn({ err: error, shellId: client.shellId }, "a session failed");
      }
      const why = error instanceof TunnelError ? error.message : "the session failed; try again";
      await writer.write("stderr", Buffer.from(`elastic: ${why}\r\n`));
      return NO_SESSION;
    })
    .then((code) => {
      channel.exit(code);
      channel.end();
    })
    .finally(() => {
      tunnel?.close();
    });
  return { resize: (size) => tunnel?.resize(size), signal: (name) => tunnel?.signal(name) };
}
