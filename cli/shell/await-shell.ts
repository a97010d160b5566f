/** Waits until a shell can be logged into, showing what it waits for, or says why it cannot. */
import { setTimeout as delay } from "node:timers/promises";
import type { Caller } from "../api/caller.ts";
import type { ShellRecord } from "../api/records.ts";
import type { Context } from "../context/context.ts";
import { CliError, interrupted } from "../errors/cli-error.ts";
import { waiting } from "../errors/stopped-waiting.ts";
import { findShell } from "./find-shell.ts";

const POLL_MS = 500;

type Surroundings = Pick<Context, "printer" | "signal">;

/** The shell once it is ready. Throws where it failed or was stopped. */
export async function awaitShell(context: Surroundings, caller: Caller, id: string): Promise<ShellRecord> {
  return await waiting(pollUntilReady(context, caller, id), {
    what: `The shell ${id}`,
    next: `\`elastic shell info ${id}\` shows its state; \`elastic shell delete ${id}\` ends it.`,
  });
}

async function pollUntilReady(context: Surroundings, caller: Caller, id: string): Promise<ShellRecord> {
  const startedAt = performance.now();
  for (;;) {
    const shell = await findShell(caller, id);
    if (shell.state === "READY") return shell;
    if (shell.state !== "CREATING") throw notComing(shell);
    const stage = shell.waiting_for === null ? "starting" : `waiting for ${shell.waiting_for}`;
    context.printer.progress(stage, Math.floor((performance.now() - startedAt) / 1000));
    await delay(POLL_MS, undefined, { signal: context.signal }).catch(() => {
      throw interrupted();
    });
  }
}

/** Of one that is neither up nor on its way. */
export function notComing({ shell_id: id, state, failure, stopped_by: by }: ShellRecord): CliError {
  if (failure !== null) {
    const next =
      failure.reason === "node_lost"
        ? `Its home is on that machine: once it is back, run \`elastic shell start ${id}\`; else delete it and make another.`
        : `Correct that and run \`elastic shell start ${id}\`, or delete it.`;
    return new CliError(`The shell failed: ${failure.reason}: ${failure.message}`, { code: failure.reason, next });
  }
  const why = by === null ? "" : WHY_STOPPED[by];
  const next = `Run \`elastic shell start ${id}\`: its home is as it was.`;
  return new CliError(`The shell is ${state}${why}.`, { code: "shell_not_ready", next });
}

const WHY_STOPPED = {
  user: "",
  idle: ", since nobody used it",
  expired: ", since its longest life was over",
  drain: ", since its machine was emptied",
};
