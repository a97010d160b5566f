/** What the address of a page says of an account that was just connected, or was not. Pure. */

export interface LinkSearch {
  /** The connection that the user came back with. */
  readonly connection_id?: string | undefined;
  /** Code of what went wrong. */
  readonly source_error?: string | undefined;
  /** Name of the source host at which it went wrong. */
  readonly source_host?: string | undefined;
}

const CONNECTION_ID = /^[0-9a-f]{32}$/;

/** What is not understood is left out: anybody can write an address. */
export function readLinkSearch(search: Readonly<Record<string, unknown>>): LinkSearch {
  const { connection_id: id, source_error: error, source_host: host } = search;
  return {
    connection_id: typeof id === "string" && CONNECTION_ID.test(id) ? id : undefined,
    source_error: typeof error === "string" ? error : undefined,
    source_host: typeof host === "string" ? host : undefined,
  };
}
