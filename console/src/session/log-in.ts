/** The ways into and out of a session. */
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { leaveSession } from "./leave-session.ts";
import { queryClient } from "./query-client.ts";

/** Of a login link: it is in the fragment, which the browser sends to nobody. */
export function tokenOfFragment(hash: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, "")).get("token");
}

export async function logInWithToken(token: string): Promise<void> {
  await dataOf(api.POST("/v1/sessions", { body: { login_token: token } }));
  queryClient.clear();
}

export async function logOut(): Promise<void> {
  await dataOf(api.DELETE("/v1/sessions/{id}", { params: { path: { id: "current" } } }));
  leaveSession("/login");
}

export async function logOutEverywhere(): Promise<void> {
  await dataOf(api.DELETE("/v1/sessions"));
  leaveSession("/login");
}
