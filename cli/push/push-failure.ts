/** Why the engine could not push: finally, or a retry may succeed. Engines have messages for it, and no codes. */
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";

export type PushFailure =
  | { readonly kind: "for good"; readonly error: CliError }
  | { readonly kind: "this time"; readonly words: string };

interface Rule {
  readonly words: RegExp;
  readonly message: (words: string) => string;
  readonly next: (host: string) => string;
  readonly code: string;
}

const RULES: readonly Rule[] = [
  {
    words: /unauthorized|denied|no basic auth|insufficient_scope|authentication required/i,
    message: (words) => `The registry refused the push: ${words}.`,
    next: () => "Use an API key with the scope services, of a user in the service's team.",
    code: "push_refused",
  },
  {
    words: /server gave HTTP response to HTTPS client/i,
    message: () => "The container engine wants TLS, and the registry has none.",
    next: (host) => `Add "insecure-registries": ["${host}"] to the engine's daemon.json and restart it.`,
    code: "registry_without_tls",
  },
  {
    words: /x509|certificate/i,
    message: (words) => `The container engine does not trust the registry: ${words}.`,
    next: (host) => `Put the certificate of its authority into /etc/docker/certs.d/${host}/ca.crt.`,
    code: "registry_not_trusted",
  },
  {
    words: /manifest invalid|does not exist|no such image|blob unknown/i,
    message: (words) => `The image cannot be pushed: ${words}.`,
    next: () => "Build it again, and see `docker images`.",
    code: "push_refused",
  },
];

/** `words` is the message of the engine. What no rule knows may succeed another time. */
export function pushFailure(words: string, host: string): PushFailure {
  const message = words.trim().replace(/\.$/, "");
  const rule = RULES.find((one) => one.words.test(message));
  if (rule === undefined) return { kind: "this time", words: message };
  return { kind: "for good", error: new CliError(rule.message(message), { code: rule.code, next: rule.next(host) }) };
}

/** After the last try. The same command may work later. */
export function gaveUp(words: string, host: string): CliError {
  return new CliError(`The image could not be pushed to ${host}: ${words}.`, {
    exitCode: EXIT.tryAgain,
    code: "push_failed",
    next: "See that the registry is up and that the engine reaches it; what is pushed stays, the next try resumes.",
  });
}
