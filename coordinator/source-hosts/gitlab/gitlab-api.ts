/** The REST API of GitLab. Project access tokens and users' tokens are sent in the same way. */
import { HostApi, USER_AGENT } from "../host-api.ts";

export function gitlabRestApi(url: string, deadlineMs?: number): HostApi {
  return new HostApi({ base: `${url}/api/v4`, headersOf, deadlineMs });
}

function headersOf(token: string): Readonly<Record<string, string>> {
  return { accept: "application/json", authorization: `Bearer ${token}`, "user-agent": USER_AGENT };
}
