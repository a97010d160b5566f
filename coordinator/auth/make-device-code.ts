/** A new device code: its record, and its text, which its program alone keeps. */
import { randomInt } from "node:crypto";
import type { Instant } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import type { DeviceCode } from "../domain/device-code.ts";
import { USER_CODE_LENGTH, USER_CODE_LETTERS } from "../domain/user-code.ts";
import { deviceCodeText } from "./id-secret-text.ts";
import { hashSecret } from "./key-secret.ts";

export interface MadeDeviceCode {
  readonly record: DeviceCode;
  readonly text: string;
}

export function makeDeviceCode(
  of: Pick<DeviceCode, "hostName" | "address" | "scopes">,
  isTaken: (userCode: string) => boolean,
  now: Instant,
): MadeDeviceCode {
  const text = deviceCodeText.create(newId(now));
  const secretSha256 = hashSecret(text.secret);
  const userCode = freeUserCode(isTaken);
  const record: DeviceCode = { id: text.id, secretSha256, userCode, ...of, createdAt: now, decision: null };
  return { record, text: deviceCodeText.format(text) };
}

function freeUserCode(isTaken: (userCode: string) => boolean): string {
  for (;;) {
    const letters = Array.from({ length: USER_CODE_LENGTH }, () =>
      USER_CODE_LETTERS.charAt(randomInt(USER_CODE_LETTERS.length)),
    );
    const code = letters.join("");
    if (!isTaken(code)) return code;
  }
}
