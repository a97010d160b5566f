/** Notes why a login failed: an attempt of somebody's for the audit log, a fault of ours for the operators. */
import type { FastifyRequest } from "fastify";
import type { LoginErrorCode } from "../../login/login-error.ts";
import { addressOf, type CallerDeps } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import { loginErrorOf } from "./redirects.ts";

export function failLogin(
  { admission, log }: Pick<RecordDeps, "log"> & Pick<CallerDeps, "admission">,
  request: FastifyRequest,
  error: unknown,
): LoginErrorCode {
  const why = loginErrorOf(error);
  if (why === null) {
    log.error({ requestId: request.id, err: error }, "a login failed");
    return "unavailable";
  }
  admission.failures.note({ why, keyId: null, address: addressOf(request), requestId: request.id });
  // Only operators can do something about a provider's fault.
  if (why.startsWith("provider_")) log.warn({ requestId: request.id, err: error }, "a login provider failed");
  return why;
}
