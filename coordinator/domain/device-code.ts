/**
 * A login of a program that has no browser (RFC 8628): it shows a user code, which its user types into the console. The program
 * then redeems its device code for an access key of that user.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { type Scope, USER_SCOPES } from "./access-key.ts";

export interface DeviceCode {
  readonly id: string;
  /** SHA-256 of the device code's secret, lower-case hexadecimal. */
  readonly secretSha256: string;
  /** Without the hyphen that it is shown with. */
  readonly userCode: string;
  /** As the program names its machine. Whoever starts a login may name any. */
  readonly hostName: string;
  /** From where the login was started. */
  readonly address: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Instant;
  readonly decision: DeviceDecision | null;
}

export type DeviceDecision = { readonly kind: "declined" } | DeviceApproval;

export interface DeviceApproval {
  readonly kind: "approved";
  readonly userId: string;
  readonly defaultTeamId: string;
  /** Of the session or key that approved it. */
  readonly byKeyId: string;
  /** When the access key ends. */
  readonly keyExpiresAt: Instant | null;
}

export const DEVICE_CODE_MS = 10 * 60_000;
export const HOST_NAME_LENGTH_MAX = 64;
/** Those of users alone: nobody is given an operator's rights by a code that was read out. */
export const DEVICE_SCOPES = USER_SCOPES;
export const DEVICE_CODES_MAX = 10_000;
export const DEVICE_CODES_PER_NETWORK = 20;

export function isDeviceCodeOver({ createdAt }: Pick<DeviceCode, "createdAt">, now: Instant): boolean {
  return createdAt + DEVICE_CODE_MS <= now;
}
