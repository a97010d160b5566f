/** Links to a result that open without a header until they expire. */
import type { Instant } from "@elastic/std/clock.ts";
import type { Secrets } from "../../secrets/secrets.ts";

const PURPOSE = "result-url";
const HOUR_S = 3600;
/** A day at least. Links are the same for an hour, so that caches and people can compare them. */
const LIFETIME_S = 24 * HOUR_S;

export function resultUrl(secrets: Pick<Secrets, "sign">, publicUrl: string, taskId: string, now: Instant): string {
  const expires = (Math.floor(now / 1000 / HOUR_S) + 1) * HOUR_S + LIFETIME_S;
  const signature = secrets.sign(PURPOSE, `${taskId}.${expires}`);
  return `${publicUrl}/v1/tasks/${taskId}/result?expires=${expires}&signature=${signature}`;
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
