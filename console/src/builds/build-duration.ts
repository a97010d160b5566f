/** How long a build took, or has taken so far. Pure. */
import { durationText } from "../text/duration-text.ts";
import type { Build } from "./builds-query.ts";

type Times = Pick<Build, "started" | "finished" | "reused_from">;

/** From its start to its end, whatever its stages took of it. Null for one that no machine began. */
export function buildDuration({ started, finished, reused_from: reusedFrom }: Times, nowMs: number): string | null {
  if (started === null || reusedFrom !== null) return null;
  const end = finished === null ? nowMs : Date.parse(`${finished}Z`);
  return durationText(end - Date.parse(`${started}Z`));
}
