/** Why a service accepts no task, from its record: the problem does not say what to do next. */
import type { Caller } from "../api/caller.ts";
import type { ServiceRecord } from "../api/records.ts";
import { getService } from "../api/services.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT, type ExitCode } from "../errors/exit-code.ts";

/** `flag` is how the command was given the service, for the next steps. The error to throw; what is no such problem, or is explained best by the server, stays as it is. */
export async function explainNotReady(
  caller: Caller,
  { serviceId, flag }: { readonly serviceId: string; readonly flag: string },
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof CliError) || error.code !== "service_not_ready") return error;
  const service = await getService(caller, serviceId).catch(() => null);
  if (service === null || service.state !== "Unready") return error;
  const { message, next, exitCode } = unready(service, flag);
  const { code, requestId } = error;
  return new CliError(message, {
    next,
    code,
    exitCode,
    cause: error,
    ...(requestId === undefined ? {} : { requestId }),
  });
}

function unready(service: ServiceRecord, flag: string): { message: string; next: string; exitCode: ExitCode } {
  if (service.next_deployment_id === null) {
    return {
      message: "Nothing is deployed to the service yet.",
      next: `Run \`elastic deploy --image <image>${flag}\`, then create the task again.`,
      exitCode: EXIT.failure,
    };
  }
  return {
    message: "The service is still starting.",
    next: `Create the task again once \`elastic service info${flag}\` shows READY.`,
    exitCode: EXIT.tryAgain,
  };
}
