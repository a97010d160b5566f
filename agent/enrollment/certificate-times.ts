/** When to renew a certificate, and what its times say of this machine's clock. */

/** So that a fleet that was enrolled at once does not renew at once. */
const SPREAD = 0.05;
/** Between two tries, and never less. */
const RETRY_MS = { least: 1_000, most: 60_000 };
/** More than a healthy clock is off. */
const CLOCK_OFF_MS = 60_000;

/** How long after its issue a certificate is renewed: at two thirds of its life, or a little before. `random` is in [0, 1). */
export function renewAfterMs(lifeMs: number, random: number): number {
  return Math.max(0, lifeMs * (2 / 3 - SPREAD * random));
}

/** How long to wait after a renewal that failed: several tries fit into what is left. */
export function retryAfterMs(leftMs: number): number {
  return Math.min(RETRY_MS.most, Math.max(RETRY_MS.least, leftMs / 10));
}

/** What the operator should know of the clock; null while it is right. */
export function clockComplaint(ownMs: number, coordinatorsMs: number): string | null {
  const offMs = ownMs - coordinatorsMs;
  if (Math.abs(offMs) < CLOCK_OFF_MS) return null;
  const off = `${Math.round(Math.abs(offMs) / 60_000)} min ${offMs > 0 ? "ahead of" : "behind"}`;
  return `this machine's clock is ${off} the coordinators': ${SET_CLOCK}`;
}

/** Why a certificate is not valid at this time; null when it can. */
export function validityComplaint(
  whose: string,
  valid: { readonly from: Date; readonly to: Date },
  now: Date,
): string | null {
  const by = `by this machine's clock it is ${now.toISOString()}`;
  if (now < valid.from) return `${whose} begins at ${valid.from.toISOString()}, but ${by}: ${SET_CLOCK}`;
  if (now > valid.to) return `${whose} ended at ${valid.to.toISOString()}, and ${by}: ${SET_CLOCK} if that is wrong`;
  return null;
}

const SET_CLOCK = "set the clock (timedatectl set-ntp true)";
