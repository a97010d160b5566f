/** One call of the HTTP interface: sent once, bounded in time and size, and every failure explained. */
import { type Call as ClientCall, call as callOnce } from "elastic-client/http/call.ts";
import type { Connection } from "elastic-client/http/connection.ts";
import type { Caller, KeylessCaller } from "./caller.ts";
import { explainFailedCall } from "./explain-failed-call.ts";
import { connectionOf } from "./transport.ts";

type Call = Pick<ClientCall, "method" | "path" | "body" | "headers" | "timeoutMs">;

/** The parsed body of a 2xx response; null where it has none. Everything else is thrown, as a CliError. */
export async function call(caller: Caller | KeylessCaller, call: Call): Promise<unknown> {
  const { signal } = caller;
  return await explained(caller, (connection) => callOnce(connection, { ...call, signal }));
}

/** What `act` does by the client library, with its errors as CliErrors. */
export async function explained<T>(
  caller: Caller | KeylessCaller,
  act: (connection: Connection) => Promise<T>,
): Promise<T> {
  try {
    return await act(await connectionOf(caller));
  } catch (error) {
    throw explainFailedCall(caller, error);
  }
}
