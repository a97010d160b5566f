/** A login link for a user who exists, made by an operator. Expired links go with each new one. */
import type { Clock, Instant } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { loginLinkText } from "../auth/id-secret-text.ts";
import { hashSecret } from "../auth/key-secret.ts";
import { LOGIN_LINK_MS, type LoginLink } from "../domain/login-link.ts";
import type { User } from "../domain/team.ts";
import { create, remove } from "../store/change.ts";
import type { Store, View } from "../store/store.ts";
import { firstTeamOf } from "./first-team.ts";

export const LOGIN_LINKS_MAX = 1_000;
/** Of expired links in a commit. */
const REMOVED_MAX = 50;

export interface AddedLoginLink {
  readonly record: LoginLink;
  /** Shown once. */
  readonly token: string;
}

export async function addLoginLink(store: Store, user: User, clock: Clock): Promise<AddedLoginLink> {
  if (firstTeamOf(store.view, user.id) === null) throw new Error(`${user.name} is in no team`);
  const now = clock.now();
  if (openLoginLinks(store.view, now) >= LOGIN_LINKS_MAX) {
    const minutes = LOGIN_LINK_MS / 60_000;
    throw new Error(`${LOGIN_LINKS_MAX} login links are open: wait until some expire, ${minutes} minutes each`);
  }
  const text = loginLinkText.create(newId(now));
  const record: LoginLink = {
    id: text.id,
    userId: user.id,
    secretSha256: hashSecret(text.secret),
    createdAt: now,
    expiresAt: now + LOGIN_LINK_MS,
  };
  const expired = [...store.view.loginLinks.values()].filter(({ value }) => value.expiresAt <= now);
  const removals = expired.slice(0, REMOVED_MAX).map((link) => remove("login-links", link));
  const outcome = await store.commit([create("login-links", record), ...removals]);
  // Another link, made at the same time, may have removed the same ones.
  if (outcome.kind === "conflict") await store.commit([create("login-links", record)]);
  return { record, token: loginLinkText.format(text) };
}

export function openLoginLinks({ loginLinks }: Pick<View, "loginLinks">, now: Instant): number {
  return [...loginLinks.values()].filter(({ value }) => value.expiresAt > now).length;
}

/** The token is in the fragment, which browsers send to nobody: no log and no `Referer` has it. */
export function loginUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/login#token=${token}`;
}
