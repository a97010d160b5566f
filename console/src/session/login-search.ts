/** What the address of the login page says. Pure. */

export interface LoginSearch {
  /** Code of what went wrong with a login. */
  readonly error?: string | undefined;
  /** Name of the provider at which it went wrong. */
  readonly provider?: string | undefined;
  /** Code of an invitation, which is accepted with the login. */
  readonly invitation?: string | undefined;
  /** Page of the console to come back to. */
  readonly return_to?: string | undefined;
}

const INVITATION = /^epi_[0-9a-zA-Z_]{1,190}$/;

/** What is not understood is left out: anybody can write an address. */
export function readLoginSearch(search: Readonly<Record<string, unknown>>): LoginSearch {
  const { error, provider, invitation, return_to } = search;
  return {
    error: typeof error === "string" ? error : undefined,
    provider: typeof provider === "string" ? provider : undefined,
    invitation: typeof invitation === "string" && INVITATION.test(invitation) ? invitation : undefined,
    return_to: typeof return_to === "string" && return_to.startsWith("/") ? return_to : undefined,
  };
}

/** Where the button of a provider leads. The service checks again where it leads back to. */
export function loginAddress(provider: string, { invitation, return_to }: LoginSearch): string {
  const given = Object.entries({ invitation, return_to }).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(Object.fromEntries(given) as Record<string, string>);
  const address = `/v1/login/${encodeURIComponent(provider)}`;
  return query.size === 0 ? address : `${address}?${query}`;
}

/** The search with which the login page leads back to where the user wanted to be. */
export function searchFor(href: string): LoginSearch {
  return href === "/" || href === "/services" ? {} : { return_to: href };
}

/** Of the login page that leads back to `href`. */
export function loginPageAddress(href: string): string {
  const { return_to } = searchFor(href);
  return return_to === undefined ? "/login" : `/login?${new URLSearchParams({ return_to })}`;
}
