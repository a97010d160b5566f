/** The REST API of GitHub. */
import { githubApi } from "../../login/github.ts";
import { HostApi, USER_AGENT } from "../host-api.ts";

const API_VERSION = "2022-11-28";

/** `url` is that of the host. Tokens are of the app, of an installation, or of a user. */
export function githubRestApi(url: string, deadlineMs?: number): HostApi {
  return new HostApi({ base: githubApi(url), headersOf, isLimited, deadlineMs });
}

function headersOf(token: string): Readonly<Record<string, string>> {
  return {
    accept: "application/vnd.github+json",
    authorization: `Bearer ${token}`,
    "user-agent": USER_AGENT,
    "x-github-api-version": API_VERSION,
  };
}

/** 403 stands for both a missing permission and a rate limit. */
function isLimited(status: number, headers: Headers): boolean {
  return status === 403 && (headers.get("x-ratelimit-remaining") === "0" || headers.has("retry-after"));
}
