/**
 * The token that GitLab sends with each delivery of a project's webhook. It names the project, and only this service can derive
 * it: whoever learns one can report pushes to that project, and to no other.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

export function webhookToken(secret: string, projectId: string): string {
  return `${projectId}.${macOf(secret, projectId).toString("base64url")}`;
}

/** The project that the token is of; null for a token of anybody else. In constant time. */
export function projectOfToken(secret: string, token: string): string | null {
  const [, projectId, mac] = /^([1-9]\d{0,11})\.([\w-]{43})$/.exec(token) ?? [];
  if (projectId === undefined || mac === undefined) return null;
  return timingSafeEqual(Buffer.from(mac, "base64url"), macOf(secret, projectId)) ? projectId : null;
}

function macOf(secret: string, projectId: string): Buffer {
  return createHmac("sha256", secret).update(`gitlab-webhook/${projectId}`).digest();
}
