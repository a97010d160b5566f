/** Makes the account of a login one of the user's who is logged in in the same browser. */
import type { FastifyRequest } from "fastify";
import { accountId } from "../../accounts/account-id.ts";
import { newAccount } from "../../accounts/sign-up.ts";
import { audit } from "../../auth/audit.ts";
import { authenticateSession } from "../../auth/authenticate.ts";
import { sessionCookie } from "../../auth/login-cookies.ts";
import { ACCOUNTS_PER_USER, type Identity } from "../../domain/account.ts";
import { LoginError } from "../../login/login-error.ts";
import type { LoginTransaction } from "../../login/login-transaction.ts";
import { create } from "../../store/change.ts";
import type { CallerDeps } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { PlaceDeps } from "../limits/places.ts";

/** Throws a LoginError. */
export async function linkAccount(
  deps: RecordDeps & PlaceDeps & Pick<CallerDeps, "publicUrl">,
  request: FastifyRequest,
  { id, startedAt, linkForUser }: LoginTransaction,
  identity: Identity,
): Promise<void> {
  const { store, clock, log } = deps;
  const userId = userOf(deps, request);
  if (userId === null || userId !== linkForUser) throw new LoginError("session_ended");
  const release = deps.places.take(`accounts/${userId}`, store.view.accounts.countOf(userId), ACCOUNTS_PER_USER);
  if (release === null) throw new LoginError("accounts_full");
  using held = new DisposableStack();
  held.defer(release);
  const account = newAccount(identity, userId, clock.now());
  const used = create("used-logins", { id, startedAt });
  const outcome = await store.commit([create("accounts", account), used]);
  if (outcome.kind === "committed") {
    const { issuer, subject } = identity;
    audit(log, "account_linked", { requestId: request.id, accountId: account.id, issuer, subject, userId });
    return;
  }
  const known = await store.get("accounts", accountId(identity));
  if (known === null) throw new LoginError("login_used");
  if (known.value.userId !== userId) throw new LoginError("account_taken");
}

/** Who is logged in in this browser. */
function userOf(
  { store, clock, publicUrl }: Pick<CallerDeps, "store" | "clock" | "publicUrl">,
  { headers }: FastifyRequest,
): string | null {
  const value = sessionCookie.read(headers.cookie, publicUrl());
  const found = value === null ? null : authenticateSession(store.view, value, clock.now());
  return found?.kind === "key" ? found.key.userId : null;
}
