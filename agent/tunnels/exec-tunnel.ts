/** A program in a shell's container, with its input, output and errors on a tunnel. */
import type { ExecTunnel, TerminalSize } from "@elastic/proto/gen/elastic/fleet/v1/tunnel.ts";
import { pause } from "@elastic/std/pause.ts";
import type Docker from "dockerode";
import { StreamFrames } from "../workloads/docker/stream-frames.ts";
import { writeAll } from "./byte-pipe.ts";
import type { ShellContainer } from "./shell-container.ts";
import { signalProgram } from "./signal-program.ts";
import type { TunnelCall } from "./tunnel-call.ts";

/** What bash adds to a plain shell is expected where it is there. */
const LOGIN_SHELL = "if [ -x /bin/bash ]; then exec /bin/bash -l; fi; exec /bin/sh -l";
/** After a hang-up, for a program that ignores it. */
const KILL_AFTER_MS = 5_000;
const SIZE_MAX = 10_000;
/** What a program exits with that is killed, alone or with all others. */
const KILLED = 137;
const ENDS_WITHIN_MS = 500;

export async function runExec(shell: ShellContainer, wanted: ExecTunnel, open: () => TunnelCall): Promise<void> {
  const hasTerminal = wanted.terminal !== undefined;
  const exec = await shell.container.exec({
    Cmd: ["/bin/sh", "-c", wanted.command ?? LOGIN_SHELL],
    Env: environment(wanted),
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: hasTerminal,
  });
  const stream = await exec.start({ hijack: true, stdin: true, Tty: hasTerminal });
  stream.on("error", () => undefined);
  const size = wanted.terminal?.size;
  if (size !== undefined) await resize(exec, size);
  const call = open();
  const signal = (name: string) => signalExec(shell, exec, name);
  call.receive(async (message) => {
    switch (message.$case) {
      case "stdin":
        return await writeAll(stream, message.value, call.over);
      case "stdinEnd":
        // A terminal has no end of input but the character for it.
        if (!hasTerminal) stream.end();
        return;
      case "resize":
        return await resize(exec, message.value);
      case "signal":
        return await signal(message.value);
    }
  });
  const ended = new AbortController();
  call.over.addEventListener("abort", () => void hangUp(signal, ended.signal, () => stream.destroy()), { once: true });
  try {
    const frames = new StreamFrames();
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (hasTerminal) await call.sendBytes("stdout", chunk);
      else for (const { of, bytes } of frames.take(chunk)) await call.sendBytes(of, bytes);
    }
  } catch (error) {
    if (!call.over.aborted) throw error;
  } finally {
    const { Running, ExitCode } = await exec.inspect().catch(() => ({ Running: false, ExitCode: null }));
    if (!Running) ended.abort();
    if (await outlives(shell, ExitCode, call.over))
      await call.send({ $case: "exit", value: { code: ExitCode ?? undefined } });
    else await call.send({ $case: "failed", value: { tunnelId: "", message: "the shell's container has ended" } });
    call.end();
  }
}

/** Whether the container is still there: one that ends kills its programs a moment before the engine says so. */
async function outlives(shell: ShellContainer, exitCode: number | null, over: AbortSignal): Promise<boolean> {
  const untilMs = performance.now() + (exitCode === null || exitCode === KILLED ? ENDS_WITHIN_MS : 0);
  for (;;) {
    if (!(await shell.isRunning())) return false;
    if (over.aborted || performance.now() >= untilMs) return true;
    await pause(ENDS_WITHIN_MS / 10, over);
  }
}

/** As a terminal that is switched off: whoever wants to stay says so, with nohup. */
async function hangUp(signal: (name: string) => Promise<void>, ended: AbortSignal, drop: () => void): Promise<void> {
  if (ended.aborted) return;
  await signal("HUP");
  drop();
  const kill = setTimeout(() => void signal("KILL"), KILL_AFTER_MS);
  ended.addEventListener("abort", () => clearTimeout(kill), { once: true });
}

/** Of a program whose container or engine goes meanwhile nothing is left to be signalled, and nobody to be notified. */
async function signalExec(shell: ShellContainer, exec: Docker.Exec, name: string): Promise<void> {
  try {
    const { Running, Pid } = await exec.inspect();
    if (Running && Pid > 0) await signalProgram({ container: await shell.pid(), program: Pid }, name);
  } catch {}
}

/** An engine of Podman's kind returns a success that its client takes for a failure. */
async function resize(exec: Docker.Exec, { columns, rows }: TerminalSize): Promise<void> {
  const size = { w: Math.min(columns, SIZE_MAX), h: Math.min(rows, SIZE_MAX) };
  if (size.w > 0 && size.h > 0) await exec.resize(size).catch(() => undefined);
}

function environment({ env, terminal }: ExecTunnel): string[] {
  const entries = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return terminal === undefined ? entries : [...entries, `TERM=${terminal.type || "dumb"}`];
}
