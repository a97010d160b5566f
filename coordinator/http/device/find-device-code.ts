/** The login that a user's code is of, while it waits for the user. */
import { type DeviceCode, isDeviceCodeOver } from "../../domain/device-code.ts";
import { parseUserCode } from "../../domain/user-code.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import { Problem } from "../problems/problem.ts";
import { type CodeGuesses, WRONG_CODES_MAX } from "./code-guesses.ts";

/** Throws the refusal of a wrong code, and of a user who has typed too many. */
export function findDeviceCode(
  { store, clock }: Pick<RecordDeps, "store" | "clock">,
  guesses: CodeGuesses,
  userId: string,
  text: string,
): Versioned<DeviceCode> {
  const nowMs = clock.monotonicMs();
  if (guesses.isExhausted(userId, nowMs)) {
    const detail = `You typed ${WRONG_CODES_MAX} wrong codes; try again in ten minutes.`;
    throw new Problem("rate_limited", detail, { headers: { "retry-after": "600" } });
  }
  const userCode = parseUserCode(text);
  const [code] = userCode === null ? [] : store.view.deviceCodes.of(userCode);
  if (code !== undefined && code.value.decision === null && !isDeviceCodeOver(code.value, clock.now())) return code;
  guesses.noteWrong(userId, nowMs);
  throw new Problem(
    "not_found",
    "No login waits for this code: it is mistyped, was used, or is older than ten minutes.",
  );
}
