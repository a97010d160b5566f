/** A push in words and bars. */
import type { Layer, PushState } from "./push-state.ts";
import { summary } from "./push-state.ts";

const BAR_WIDTH = 24;
/** Of a terminal some room is left for what stands above. */
const ROWS_MAX = 16;

/** A line for each layer that is not done, and one for all that are. */
export function pushBars(state: PushState): readonly string[] {
  const open = [...state.layers.values()].filter(({ state: at }) => at === "waiting" || at === "pushing");
  const shown = open.slice(0, ROWS_MAX).map(barOf);
  const hidden = open.length > ROWS_MAX ? [`… and ${open.length - ROWS_MAX} more`] : [];
  return [...shown, ...hidden, doneText(state)];
}

/** What to say of a layer once it is done; null while it is not. */
export function layerText({ id, state, totalBytes }: Layer): string | null {
  if (state === "present") return `${id}: is in the registry already`;
  return state === "pushed" ? `${id}: pushed (${sizeText(totalBytes)})` : null;
}

export function doneText(state: PushState): string {
  const { pushed, present, bytes } = summary(state);
  const reused = present === 0 ? "" : `, ${countText(present)} in the registry already`;
  return `Pushed ${countText(pushed)} (${sizeText(bytes)})${reused}.`;
}

function barOf({ id, state, doneBytes, totalBytes }: Layer): string {
  if (state === "waiting" || totalBytes === 0) return `${id}  ${"".padEnd(BAR_WIDTH, "·")}  waiting`;
  const filled = Math.min(BAR_WIDTH, Math.floor((BAR_WIDTH * doneBytes) / totalBytes));
  const bar = "█".repeat(filled).padEnd(BAR_WIDTH, "·");
  return `${id}  ${bar}  ${sizeText(doneBytes)} of ${sizeText(totalBytes)}`;
}

function countText(count: number): string {
  return count === 1 ? "1 layer" : `${count} layers`;
}

function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const [unit, size] = bytes < 1e6 ? ["kB", 1e3] : bytes < 1e9 ? ["MB", 1e6] : ["GB", 1e9];
  return `${(bytes / size).toFixed(1)} ${unit}`;
}
