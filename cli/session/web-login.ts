/** `elastic login --web`: the user types a short code into the console, and the API key comes from there. */
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { KeylessCaller } from "../api/caller.ts";
import { createDeviceCode, redeemDeviceCode } from "../api/device.ts";
import { openPage } from "../browser/open-page.ts";
import type { Context } from "../context/context.ts";
import { CliError, interrupted } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { printableLine } from "../output/printable.ts";

/** Of the service. */
const HOST_NAME_LENGTH_MAX = 64;
const SLOWER_BY_S = 5;

/** The text of the key. */
export async function webLogin(context: Context, caller: KeylessCaller): Promise<string> {
  const name = printableLine(hostname()).trim().slice(0, HOST_NAME_LENGTH_MAX).trim() || "unknown";
  const { device_code, user_code, verification_uri, expires_in, interval } = await createDeviceCode(caller, name);
  // The user has to act on it, so it is printed for programs too.
  context.printer.promptOutput.write(
    `Open ${printableLine(verification_uri)} and type the code ${printableLine(user_code)} there.\n`,
  );
  if (context.interactive) await openPage(verification_uri, context.settings);
  const startedAt = performance.now();
  for (let waitS = interval; ; ) {
    const waitedS = (performance.now() - startedAt) / 1000;
    if (waitedS > expires_in) throw new CliError("Nobody typed the code in time.", { next: "Run the command again." });
    context.printer.progress("Waiting for the code to be confirmed", Math.floor(waitedS));
    await delay(waitS * 1000, undefined, { signal: context.signal }).catch(() => {
      throw interrupted();
    });
    const outcome = await redeemDeviceCode(caller, device_code).catch(passing);
    if (typeof outcome !== "string") return outcome.key;
    if (outcome === "slow_down") waitS += SLOWER_BY_S;
  }
}

/** The code of what passes; everything else ends the login. */
function passing(error: unknown): string {
  if (!(error instanceof CliError)) throw error;
  if (["authorization_pending", "slow_down"].includes(error.code) || error.exitCode === EXIT.tryAgain)
    return error.code;
  const { message, code, exitCode } = error;
  throw new CliError(message, { code, exitCode, next: "Run `elastic login --web` to begin again.", cause: error });
}
