/** Why a login came to nothing, and what to do. Pure. */

const AGAIN = "Log in again.";

/** By the code in the address of the login page; `at` is the provider. */
const SENTENCES: Readonly<Record<string, (at: string) => string>> = {
  login_not_started: () => `This login was not started in this browser, or another one was started after it. ${AGAIN}`,
  login_expired: () => `The login took more than ten minutes. ${AGAIN}`,
  login_used: () => `This login was used already. ${AGAIN}`,
  login_foreign: () => "Another site started this login. Start it here.",
  login_declined: (at) => `You declined the login at ${at}.`,
  login_needs_tls: () => "Nobody can log in here over plain HTTP. Open the console by its https address.",
  provider_unknown: () => "There is no such login provider. Choose another one.",
  provider_unreachable: (at) => `${at} does not respond. Try again in a moment.`,
  provider_refused: (at) =>
    `${at} rejected the login, which may have been used before. ${AGAIN} If this happens again, ask the operator to check the settings of ${at}.`,
  provider_invalid: (at) =>
    `${at} sent a response that cannot be trusted. ${AGAIN} If this happens again, ask the operator.`,
  not_invited: (at) =>
    `Your account at ${at} is not known here. Ask an owner of a team for an invitation, or check with which account you are logged in at ${at}.`,
  invitation_invalid: () => "The invitation was used or revoked, has expired, or is incomplete. Ask for a new one.",
  sign_ups_full: () => "No more new users can be added today. Try again tomorrow, or ask for an invitation.",
  no_team: () => "You are in no team any more. Ask an owner of one for an invitation.",
  account_taken: (at) => `This account at ${at} belongs to another user here, so it was not linked.`,
  accounts_full: () => "You have linked as many accounts as you can. Unlink one first.",
  session_ended: () => "You logged out before the account was linked. Log in, and link it again.",
  quota_exceeded: () => "The team has as many members as it can have. Ask its owner.",
  rate_limited: () => "Too many logins came from your address. Try again in a moment.",
  unavailable: () => "The service cannot log you in now. Try again in a moment.",
};

export function loginErrorText(code: string, at: string | undefined): string {
  const sentence = Object.hasOwn(SENTENCES, code) ? SENTENCES[code] : undefined;
  return sentence?.(at ?? "the provider") ?? `The login failed. ${AGAIN}`;
}

export const KNOWN_LOGIN_ERRORS: readonly string[] = Object.keys(SENTENCES);
