/** Every error becomes a problem here; what nobody foresaw is logged and says nothing of itself to the client. */
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors, type ZodFastifySchemaValidationError } from "fastify-type-provider-zod";
import { ArchiveUnavailableError } from "../../archive/archive.ts";
import { RoleRefusedError } from "../../auth/authorize.ts";
import { BlobCorruptError, BlobsFullError, BlobsUnavailableError } from "../../blobs/blob-store.ts";
import { roleFor } from "../../domain/role.ts";
import { PROBLEM_TYPE, problemJson } from "../../public/problem-body.ts";
import { UnreadableRecordError } from "../../store/codec.ts";
import { StoreChangedError, StoreFullError, StoreUnavailableError } from "../../store/kv.ts";
import { TooManyConflictsError } from "../../store/update.ts";
import { closeAfterResponse } from "./closing-sockets.ts";
import { escapeToken } from "./json-pointer.ts";
import { invalidRequest, Problem, type ProblemCode, type ProblemError } from "./problem.ts";
import { storeChanged } from "./refuse-changed-store.ts";

const CODE_OF_FASTIFY: Readonly<Record<string, readonly [ProblemCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["content_type", "The body must be sent as application/json."],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["bad_request", "The body is not as long as its Content-Length says."],
  FST_ERR_BAD_URL: ["bad_request", "The path is not a valid URL path."],
};

declare module "fastify" {
  interface FastifyContextConfig {
    /** Said to a client whose body is too large: the way that larger ones go. */
    largerBodies?: string;
  }
}

export function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = toProblem(error, request);
  if (problem.status >= 500) {
    // An outage is logged by whoever lost what is away; a line for each request would bury that. A full disk is not.
    const isNews = problem.code === "internal" || problem.code === "storage_full";
    const level = isNews && !isClientGone(error, reply) ? "error" : "debug";
    request.log[level]({ err: error, requestId: request.id, method: request.method, path: pathOf(request) }, "refused");
  }
  return sendProblem(request, reply, problem);
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  // What is still to come of the body is not read: the connection cannot be used again.
  if (hasBody(request) && !request.raw.complete) {
    reply.header("connection", "close");
    closeAfterResponse(request.raw);
  }
  return reply
    .code(problem.status)
    .headers({ ...problem.headers, "x-request-id": request.id, "cache-control": "no-store" })
    .type(PROBLEM_TYPE)
    .send(problemJson(problem, request.id, pathOf(request)));
}

function toProblem(error: FastifyError, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error;
  if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") return bodyTooLarge(request);
  if (error instanceof RoleRefusedError) return roleMissing(error);
  if (error instanceof StoreChangedError) return storeChanged(error);
  if (error instanceof StoreFullError) {
    const detail = "The store is full and takes no writes; nothing was acknowledged. The operator can make room.";
    return new Problem("store_unavailable", detail, { cause: error });
  }
  if (error instanceof StoreUnavailableError) {
    return new Problem("store_unavailable", "The store cannot be reached; nothing was acknowledged.", { cause: error });
  }
  if (error instanceof UnreadableRecordError) {
    const detail = error.isMalformed
      ? "A record of this is malformed, and no coordinator reads it; nothing was changed. The operator can mend it: the log names it."
      : "A later version wrote this, and this coordinator cannot read it; nothing was changed. Another one may.";
    return new Problem("store_unavailable", detail, { cause: error });
  }
  if (error instanceof TooManyConflictsError) {
    const detail = "Others change the same at this moment, so nothing was changed; try again in a moment.";
    return new Problem("overloaded", detail, { cause: error });
  }
  if (error instanceof ArchiveUnavailableError) {
    return new Problem("archive_unavailable", "The archive of ended tasks cannot be reached.", { cause: error });
  }
  if (error instanceof BlobsUnavailableError) {
    const detail = "Large inputs and results cannot be reached; nothing was acknowledged.";
    return new Problem("blobs_unavailable", detail, { cause: error });
  }
  if (error instanceof BlobCorruptError) {
    const detail =
      "What was stored is damaged or missing and is not served. Send the same bytes again, or the task to have it proven again.";
    return new Problem("result_corrupt", detail, { cause: error });
  }
  if (error instanceof BlobsFullError) {
    const detail =
      "There is no space for large inputs and results; nothing of this request was stored. The operator can free some.";
    return new Problem("storage_full", detail, { cause: error });
  }
  if (hasZodFastifySchemaValidationErrors(error)) return invalidForm(error.validationContext, error.validation);
  const known = CODE_OF_FASTIFY[error.code];
  if (known !== undefined) return new Problem(...known);
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new Problem("bad_request", error.message);
  }
  return new Problem("internal", "Something went wrong here; the request id finds it in the logs.", { cause: error });
}

/** A stream is closed too early both when it breaks here and when the client hangs up; then there is nobody to respond to. */
function isClientGone(error: FastifyError, { raw }: FastifyReply): boolean {
  return error.code === "ERR_STREAM_PREMATURE_CLOSE" && raw.destroyed;
}

function invalidForm(context: string | undefined, found: readonly ZodFastifySchemaValidationError[]): Problem {
  // Of the body it is a pointer, of a query, a path and headers the name.
  const at = (path: string): string => (context === "body" ? `#${path}` : path.replace(/^\//, ""));
  return invalidRequest(
    found.flatMap((error): ProblemError[] => {
      const { keys } = error.params as { readonly keys?: readonly string[] };
      if (keys === undefined) return [{ pointer: at(error.instancePath), detail: detailOf(error) }];
      // Of members that are not known the path is that of the object they stand in; that of the body itself is "/".
      const parent = at(error.instancePath === "/" ? "" : error.instancePath);
      return keys.map((key) => ({ pointer: `${parent}/${escapeToken(key)}`, detail: "there is no such setting" }));
    }),
  );
}

/** With the way that larger ones go, where an endpoint has one. */
function bodyTooLarge({ routeOptions }: FastifyRequest): Problem {
  const { bodyLimit, config } = routeOptions;
  const way = config.largerBodies === undefined ? "" : ` ${config.largerBodies}`;
  return new Problem("body_too_large", `The body has more than the ${bodyLimit} bytes that this endpoint takes.${way}`);
}

function roleMissing({ role, permission }: RoleRefusedError): Problem {
  const needed = roleFor(permission);
  const lowest = needed === "owner" ? needed : `${needed} or a higher one`;
  return new Problem("role_missing", `Your role in the team is ${role}; this takes the role ${lowest}.`);
}

/** Of a name that is not allowed the reason stands within. */
function detailOf({ message, params }: ZodFastifySchemaValidationError): string {
  const { issues } = params as { readonly issues?: readonly { readonly message: string }[] };
  return issues?.[0]?.message ?? message ?? "not valid";
}

function hasBody({ headers }: FastifyRequest): boolean {
  return (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined;
}

/** Without the query, which may hold a signature. */
function pathOf(request: FastifyRequest): string {
  return request.url.split("?", 1)[0] ?? "/";
}
