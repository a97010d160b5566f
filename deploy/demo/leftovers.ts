/** What a demo that was killed leaves, and how a demo is ended from outside. */
import { enginePlace, removeTraces } from "../local/engine.ts";
import { until } from "../local/until.ts";
import { removeFolder } from "./folder.ts";
import type { Places } from "./places.ts";
import { isDemo, livingSupervisor } from "./state-file.ts";

/** An engine with running containers takes its time. */
const STOP_TIMEOUT_MS = 60_000;

/** `--stop`: ends a demo that is running and removes what one that was killed has left. */
export async function stopDemo(places: Places, say: (line: string) => void): Promise<void> {
  const pid = livingSupervisor(places.state);
  if (pid === null) {
    const removed = await removeLeftovers(places);
    say(
      removed
        ? `A demo had ended without cleaning up: ${places.lasting ? "its state can be used again" : "what it left is removed"} (${places.folder}).`
        : "No demo is running, and none has left anything to clean up.",
    );
    return;
  }
  process.kill(pid, "SIGTERM");
  // Its process, not its state file: that goes while the demo is still removing the rest.
  await until("the demo ends", () => !isDemo(pid) || undefined, { timeoutMs: STOP_TIMEOUT_MS });
  say(places.lasting ? `The demo has ended; its state is in ${places.folder}.` : "The demo has ended.");
}

/** The parts of a demo that was killed died with it, but not its containers. Returns whether it had left anything. */
export async function removeLeftovers(places: Places): Promise<boolean> {
  if (process.getuid?.() === 0) await removeTraces(enginePlace(places.engine, places.log("engine")));
  return removeFolder(places);
}
