/** The cookies of a session, and of what is on its way to a provider or a source host and back. */
import { SESSION_AGE_MS_MAX } from "../domain/session.ts";
import { LOGIN_MS } from "../domain/used-login.ts";
import { hostCookie } from "./host-cookie.ts";

export const sessionCookie = hostCookie("elastic_session", SESSION_AGE_MS_MAX);
export const loginCookie = hostCookie("elastic_login", LOGIN_MS);
export const sourceLinkCookie = hostCookie("elastic_source_link", LOGIN_MS);
