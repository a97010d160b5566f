/** Links to a result that open without a header until they expire. */
import type { Clock, Instant } from "@elastic/std/clock.ts";
import { isExpired } from "../domain/retention.ts";
import type { Task } from "../domain/task.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Shown } from "./task-record.ts";

const PURPOSE = "result-url";
const HOUR_S = 3600;
/** A day at least. Links are the same for an hour, so that caches and people can compare them. */
const LIFETIME_S = 24 * HOUR_S;
/** Of a link at most. */
export const LINK_LIFE_MS = 1000 * (HOUR_S + LIFETIME_S);

export interface ResultLinkSource {
  readonly secrets: Pick<Secrets, "sign">;
  readonly clock: Clock;
  /** Without a slash at the end. */
  readonly publicUrl: () => string;
}

function resultUrl(secrets: Pick<Secrets, "sign">, publicUrl: string, taskId: string, now: Instant): string {
  const expires = (Math.floor(now / 1000 / HOUR_S) + 1) * HOUR_S + LIFETIME_S;
  const signature = secrets.sign(PURPOSE, `${taskId}.${expires}`);
  return `${publicUrl}/v1/tasks/${taskId}/result?expires=${expires}&signature=${signature}`;
}

/** What a task's record says of its result, besides the result. `isLeftOut` is for one too large, damaged or missing. */
export function resultMembers(
  { secrets, publicUrl, clock }: ResultLinkSource,
  task: Task,
  isLeftOut: boolean,
): Pick<Shown, "resultUrl" | "resultOmitted" | "resultExpired"> {
  const now = clock.now();
  if (task.phase.kind !== "succeeded") return { resultUrl: null, resultOmitted: false, resultExpired: false };
  if (isExpired(task, now)) return { resultUrl: null, resultOmitted: false, resultExpired: true };
  return { resultUrl: resultUrl(secrets, publicUrl(), task.id, now), resultOmitted: isLeftOut, resultExpired: false };
}

export type LinkCheck = "good" | "invalid" | "expired";

export function checkResultLink(
  secrets: Pick<Secrets, "verify">,
  taskId: string,
  link: { readonly expires: string; readonly signature: string },
  now: Instant,
): LinkCheck {
  if (!/^\d{1,12}$/.test(link.expires)) return "invalid";
  if (!secrets.verify(PURPOSE, `${taskId}.${link.expires}`, link.signature)) return "invalid";
  return Number(link.expires) * 1000 > now ? "good" : "expired";
}
