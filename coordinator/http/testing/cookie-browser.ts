/** As much of a browser as a login needs: it keeps cookies, and says whose page a request comes from. */
import { cookieOf } from "./browser.ts";
import { type CallResponse, call } from "./call.ts";

export interface PageRequest {
  /** Whose page it comes from; the console's own where it is left out, and null for a browser that does not say. */
  readonly site?: "same-origin" | "same-site" | "cross-site" | "none" | null;
  readonly body?: object;
  readonly method?: string;
}

export class CookieBrowser {
  readonly url: string;
  /** By name. */
  readonly cookies = new Map<string, string>();

  constructor(url: string) {
    this.url = url;
  }

  /** Sends a request to a path, or to an address of the service. */
  async open(target: string, { site = "same-origin", body, method }: PageRequest = {}): Promise<CallResponse> {
    const response = await call(new URL(target, this.url).href, {
      headers: {
        ...(this.cookies.size > 0 && { cookie: this.header() }),
        ...(site !== null && { "sec-fetch-site": site }),
        ...((body !== undefined || method !== undefined) && { origin: this.url }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(method !== undefined && { method }),
    });
    for (const given of response.headers.getSetCookie()) this.#keep(given);
    return response;
  }

  header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** The same cookies from now on, as a thief has them. */
  copy(): CookieBrowser {
    const copy = new CookieBrowser(this.url);
    for (const [name, value] of this.cookies) copy.cookies.set(name, value);
    return copy;
  }

  #keep(given: string): void {
    const [name = "", value = ""] = cookieOf(given).split(/=(.*)/s);
    if (/max-age=0(;|$)/i.test(given)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** Where a redirection leads. */
export function locationOf({ status, headers, text }: CallResponse): string {
  const location = headers.get("location");
  if (status !== 303 || location === null) throw new Error(`no redirection: ${status} ${text}`);
  return location;
}

/** The code of the sentence that the login page shows; null where the login came to no error. */
export function errorOf(response: CallResponse): string | null {
  const { pathname, searchParams } = new URL(locationOf(response));
  return pathname === "/login" ? searchParams.get("error") : null;
}
