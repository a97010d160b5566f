/** Why an account at a source host was not connected, and what to do. Pure. */

const AGAIN = "Connect the account again.";

/** By the code in the address that leads back; `at` is the source host. */
const SENTENCES: Readonly<Record<string, (at: string) => string>> = {
  link_not_started: () => `This was not started in this browser, or was started again after it. ${AGAIN}`,
  link_expired: () => `It took more than ten minutes. ${AGAIN}`,
  link_used: () => `This way back was used already. ${AGAIN}`,
  session_ended: () => `You logged out, or logged in again, meanwhile. ${AGAIN}`,
  role_missing: () => "Your role in the team does not permit it. Ask an owner or admin of the team.",
  declined: (at) => `You declined the authorization at ${at}. Nothing was created.`,
  approval_pending: (at) =>
    `The owners of the account at ${at} have to approve the installation. Connect the account once they have, or choose another account.`,
  host_unknown: () => "There is no such source host any more. Ask the operator.",
  connection_gone: () => `The connection was deleted meanwhile. ${AGAIN}`,
  quota_exceeded: () => "The team has as many connections as it can have. Delete one on the team's page.",
  rate_limited: () => "Too many requests came from your address. Try again in a moment.",
  unavailable: () => "The service cannot connect accounts now. Try again in a moment.",
  host_down: (at) => `${at} does not respond. Try again in a few minutes.`,
  host_invalid: (at) => `${at} sent a response that is not as documented. Try again; if it persists, ask the operator.`,
  app_rejected: (at) => `${at} rejected the credentials of this service. Ask the operator to check the app's settings.`,
  authorization_failed: (at) => `${at} did not accept the authorization. ${AGAIN}`,
  not_listed: (at) =>
    `Your account at ${at} has no access to that account or installation. Connect an account of yours, or ask one of its members to connect it.`,
  no_permission: (at) => `${at} did not permit it. Ask an owner of the account to grant the app's permissions.`,
  maintainer_needed: (at) =>
    `${at} issued no access token for the project. That takes the role Maintainer in it, and a paid plan at gitlab.com.`,
  webhook_refused: (at) =>
    `${at} did not accept the webhook of this service. Ask the operator whether ${at} can reach its public address.`,
  revoked: (at) => `The access was ended at ${at}. ${AGAIN}`,
  suspended: (at) => `The app is suspended at ${at}. Ask an owner of the account to unsuspend it there.`,
};

export function linkErrorText(code: string, at: string | undefined): string {
  const sentence = Object.hasOwn(SENTENCES, code) ? SENTENCES[code] : undefined;
  return sentence?.(at ?? "the source host") ?? `The account was not connected. ${AGAIN}`;
}

export const KNOWN_LINK_ERRORS: readonly string[] = Object.keys(SENTENCES);
