/** A browser in which a tenant's user is logged in, and the end of a link in it. */
import { sessionCookie } from "../../../auth/login-cookies.ts";
import { makeSession } from "../../../auth/make-session.ts";
import { create } from "../../../store/change.ts";
import { CookieBrowser, locationOf } from "../../testing/cookie-browser.ts";
import type { HttpFixture, Tenant } from "../../testing/http-fixture.ts";

export async function sessionBrowser({ store, url }: HttpFixture, { userId, teamId }: Tenant): Promise<CookieBrowser> {
  const of = { userId, defaultTeamId: teamId, provider: "login-link", userAgent: "browser" };
  const { record, cookie } = makeSession(of, Date.now());
  await store.commit([create("sessions", record)]);
  const browser = new CookieBrowser(url);
  browser.cookies.set("elastic_session", /=([^;]*)/.exec(sessionCookie.setCookie(cookie, url))?.[1] ?? "");
  return browser;
}

/** Follows the way back from a host: what the console is given in its query. */
export async function endOfLink(browser: CookieBrowser, back: URL | string): Promise<Readonly<Record<string, string>>> {
  const ended = new URL(locationOf(await browser.open(String(back), { site: "cross-site" })));
  return Object.fromEntries(ended.searchParams);
}
