/** To a source host, where the user installs or authorizes the app. The browser comes back to a page of the console. */
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";

export interface Journey {
  /** Name of the source host. */
  readonly host: string;
  /** Path of the page to come back to. */
  readonly returnTo: string;
  /** The connection that is authorized again; the app is installed in an account where it is left out. */
  readonly connectionId?: string;
}

export async function leaveForHost({ host, returnTo, connectionId }: Journey): Promise<void> {
  const body = { return_to: returnTo, ...(connectionId !== undefined && { connection_id: connectionId }) };
  const { redirect_url: address } = await dataOf(
    api.POST("/v1/source-hosts/{host}/connections", { params: { path: { host } }, body }),
  );
  window.location.assign(address);
}
