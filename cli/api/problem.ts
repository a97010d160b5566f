/** What a problem document of the server (RFC 9457) becomes: its detail, the next step, and the exit code. */
import { CliError } from "../errors/cli-error.ts";
import { EXIT, type ExitCode } from "../errors/exit-code.ts";
import { nextForScope, nextForUnknown } from "../errors/next-step.ts";
import { inWordsOfCommand } from "./option-of.ts";

/** A response that is not 2xx. */
export interface Refusal {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly requestId: string | null;
  /** The body, parsed where it was JSON. */
  readonly body: unknown;
}

interface Rule {
  readonly exitCode: ExitCode;
  readonly next: string | undefined;
}

/** The error to throw. Its exit code says whether the same command may work later ({@link EXIT}). */
export function refused(refusal: Refusal): CliError {
  const { status } = refusal;
  const body = isRecord(refusal.body) ? refusal.body : {};
  const code = text(body.code) ?? `http_${status}`;
  const { exitCode, next } = rule({ status, code, retryAfter: refusal.retryAfter, detail: text(body.detail) ?? "" });
  const requestId = text(body.request_id) ?? refusal.requestId ?? undefined;
  return new CliError(sentence(body, status), {
    exitCode,
    code,
    pointers: errorsOf(body).flatMap((error) => text(error.pointer) ?? []),
    ...(next === undefined ? {} : { next }),
    ...(requestId === undefined ? {} : { requestId }),
  });
}

const ERRORS_MAX = 5;

function sentence(body: Record<string, unknown>, status: number): string {
  // Its detail names the places as the request has them; here they are named as the command's options.
  if (body.code === "invalid_request" && errorsOf(body).length > 0) {
    const places = errorsOf(body)
      .slice(0, ERRORS_MAX)
      .flatMap((error) => place(error, ""));
    return `The request is not valid. ${places.join("; ")}`;
  }
  const detail = text(body.detail) ?? text(body.title) ?? `The server responded with status ${status}.`;
  return [
    detail,
    ...errorsOf(body)
      .slice(0, ERRORS_MAX)
      .flatMap((error) => place(error, detail)),
  ].join(" ");
}

function errorsOf(body: Record<string, unknown>): readonly Record<string, unknown>[] {
  return Array.isArray(body.errors) ? body.errors.filter(isRecord) : [];
}

/** What one of the errors adds to the detail: nothing where it only repeats it. */
function place(error: Record<string, unknown>, detail: string): readonly string[] {
  const what = text(error.detail);
  if (what === undefined || detail.includes(what)) return [];
  return [inWordsOfCommand(text(error.pointer) ?? "", what)];
}

interface Facts {
  readonly status: number;
  readonly code: string;
  readonly retryAfter: string | null;
  readonly detail: string;
}

function rule({ status, code, retryAfter, detail }: Facts): Rule {
  if (code === "service_not_ready") {
    return {
      exitCode: EXIT.failure,
      next: "Run `elastic service info` to see its state, and `elastic deploy` to bring it up.",
    };
  }
  if (code === "route_not_found" || code === "http_404") {
    return {
      exitCode: EXIT.notFound,
      next: "Check the id, and the address of the service: it is given without a path such as /v1.",
    };
  }
  // Nothing changes by waiting or by another key: the detail says what would.
  if (["quota_exceeded", "beyond_key"].includes(code)) return { exitCode: EXIT.failure, next: undefined };
  // It lasts until the operator acts, as the detail says.
  if (code === "store_changed") return { exitCode: EXIT.tryAgain, next: undefined };
  if (code === "no_registry") {
    return {
      exitCode: EXIT.notFound,
      next: "Ask whoever operates it for one, or deploy an image of another registry: `elastic deploy --image <image_name>`.",
    };
  }
  if (code === "registry_not_allowed") return { exitCode: EXIT.usage, next: nextForRegistry(detail) };
  if (code === "service_name_taken") {
    return { exitCode: EXIT.failure, next: "Choose another name: `elastic service list` shows those there are." };
  }
  if (code === "role_missing") {
    return { exitCode: EXIT.failure, next: "Ask an owner or admin: `elastic team members` shows who that is." };
  }
  switch (status) {
    // The request is invalid as it is: a script changes the command, and does not repeat it.
    case 400:
    case 413:
    case 422:
      return { exitCode: EXIT.usage, next: undefined };
    case 401:
      return { exitCode: EXIT.notLoggedIn, next: "Run `elastic login` with a valid API key." };
    case 403:
      return { exitCode: EXIT.failure, next: nextForScope(scopesIn(detail), lackedIn(detail)) };
    case 404:
      return { exitCode: EXIT.notFound, next: code === "not_found" ? nextForUnknown(nounIn(detail)) : undefined };
    case 429:
    case 503: {
      const wait = retryAfter === null ? "in a moment" : `in ${retryAfter} s`;
      return { exitCode: EXIT.tryAgain, next: `Run the command again ${wait}.` };
    }
    default:
      return {
        exitCode: EXIT.failure,
        next: status >= 500 ? "Run the command again; if it stays, report it with the request id." : undefined,
      };
  }
}

/** Where the service has a registry, an image gets there from this machine. */
function nextForRegistry(detail: string): string {
  if (detail.includes("none is configured")) {
    return "The operator configures one by ELASTIC_REGISTRY; a demo has one with `npm run demo -- --container --keep`.";
  }
  return (
    "Get the image onto this machine (`docker pull <image>`) and run the command again: what the local engine has is " +
    "pushed to the team's own registry. The operator allows further registries by ELASTIC_REGISTRIES."
  );
}

/** What the server's sentence says there is none of. */
function nounIn(detail: string): string | undefined {
  return /^There is no such ([a-z ]+)\.$/.exec(detail)?.[1];
}

/** Those that the server's sentence requires, any of which would do. */
function scopesIn(detail: string): readonly string[] {
  const named = /needs the scope (.+?)\.?$/.exec(detail)?.[1];
  return named === undefined ? [] : named.split(" or ");
}

/** A scope that cannot be granted, because the key in use has it not. */
function lackedIn(detail: string): string | undefined {
  return /has not the scope (\S+) itself/.exec(detail)?.[1];
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
