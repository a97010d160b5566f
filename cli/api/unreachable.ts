/** Why there was no response, as a message. */
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";

const NOT_TRUSTED = "its certificate is not trusted (name its authority by --ca-file or ELASTIC_CA_FILE)";

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was cut",
  ENOTFOUND: "the host name is not known",
  EAI_AGAIN: "the host name could not be looked up",
  EHOSTUNREACH: "there is no way to the host",
  ENETUNREACH: "there is no way to the network",
  ETIMEDOUT: "the connection timed out",
  UND_ERR_CONNECT_TIMEOUT: "the connection timed out",
  UND_ERR_SOCKET: "the connection was cut",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: NOT_TRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: NOT_TRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: NOT_TRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate names another host",
  ERR_SSL_WRONG_VERSION_NUMBER: "what listens there does not speak https (is the address one of http:?)",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "what listens there does not speak https (is the address one of http:?)",
};

/** Of errors without a code. */
const MESSAGES: Readonly<Record<string, string>> = {
  "bad port": "HTTP clients refuse to connect to that port, which is another protocol's; serve on another one",
};

export function unreachable(address: string, cause: unknown): CliError {
  return new CliError(`Could not reach ${address}: ${whyUnreachable(cause)}.`, {
    exitCode: EXIT.tryAgain,
    code: "unreachable",
    next: "Check the address and that the service is up; `elastic login --url <address>` sets another one.",
    cause,
  });
}

export function tooSlow({ message }: Error): CliError {
  return new CliError(message, {
    exitCode: EXIT.tryAgain,
    code: "timeout",
    next: "Run the command again; if it was to create something, it may have done so.",
  });
}

/** fetch says "fetch failed" and keeps why in a chain of causes. */
export function whyUnreachable(error: unknown): string {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ("code" in current && typeof current.code === "string") return REASONS[current.code] ?? current.code;
    if (current instanceof AggregateError && current.errors[0] instanceof Error)
      return whyUnreachable(current.errors[0]);
    if (!(current.cause instanceof Error)) return MESSAGES[current.message] ?? current.message;
  }
  return String(error);
}
