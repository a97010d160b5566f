/** docs/reference/errors.md: every code and reason with which something fails, from the closed lists of the coordinator. */
import {
  BUILD_FAILURE_REASONS,
  BUILD_QUEUE_MS,
  BUILD_RUNS_MAX,
  type BuildFailureReason,
} from "@elastic/coordinator/domain/build.ts";
import { FAILURE_REASONS, type FailureReason, isInfrastructure, phaseOf } from "@elastic/coordinator/domain/failure.ts";
import { INFRASTRUCTURE_ATTEMPTS_MAX, NODE_LOSSES_MAX } from "@elastic/coordinator/domain/retry.ts";
import { Problem, type ProblemCode } from "@elastic/coordinator/http/problems/problem.ts";
import { refuseSourceError } from "@elastic/coordinator/http/source-hosts/find-source.ts";
import {
  SOURCE_HOST_ERROR_CODES,
  SourceHostError,
  type SourceHostErrorCode,
  sentencesOf,
} from "@elastic/coordinator/source-hosts/source-host-error.ts";
import { BUILD_FAILURE_MEANINGS, TASK_FAILURE_MEANINGS } from "./failure-meanings.ts";
import { code, markdownTable } from "./markdown-table.ts";
import { PROBLEM_MEANINGS } from "./problem-meanings.ts";

export function errorsPage(): string {
  return `# Errors

## Problem codes of the HTTP interface

Every response with a status from 400 on is a problem document (RFC 9457, \`application/problem+json\`). A program decides by
\`code\`, a person reads \`detail\`, and \`request_id\` names the request in the coordinator's log. \`errors\`, where it is
present, lists each invalid field as a JSON pointer with a sentence. Responses with 429, and with 503 but for \`unready\` and
\`store_changed\`, have \`Retry-After\`.

${markdownTable(["Code", "Status", "Meaning"], problemRows())}

## Why a task failed

\`failure.reason\` of a task, and of a deployment that did not become ready. "May succeed if posted again" is
\`failure.retryable\`. When the attempts are used up, the last reason stands.

${markdownTable(["Reason", "Phase", "Retried by the service", "May succeed if posted again", "Meaning"], taskRows())}

A task that has to prove a new deployment before it serves is not retried.

## Why a build failed

\`failure.reason\` of a build. A build that failed is not run again automatically; \`elastic build retry\` does that.

${markdownTable(["Reason", "Run again by the service", "Meaning"], buildRows())}

## What went wrong at a source host

\`{host}\` stands for the host's title. The code is in the coordinators' logs and in the address to which connecting an account
leads back; endpoints respond with the problem code, and the sentences are its \`detail\` and the message of a build.

${markdownTable(["Code", "Problem code", "Message"], sourceRows())}
`;
}

function problemRows(): readonly (readonly string[])[] {
  return Object.entries(PROBLEM_MEANINGS)
    .map(([name, meaning]) => ({ name, status: new Problem(name as ProblemCode, "").status, meaning }))
    .sort((left, right) => left.status - right.status)
    .map(({ name, status, meaning }) => [code(name), String(status), meaning]);
}

function taskRows(): readonly (readonly string[])[] {
  return FAILURE_REASONS.map((reason) => [
    code(reason),
    code(phaseOf(reason)),
    retriesOf(reason),
    isInfrastructure(reason) ? "yes" : "no",
    TASK_FAILURE_MEANINGS[reason],
  ]);
}

/** As mayRetry of domain/retry.ts decides. */
function retriesOf(reason: FailureReason): string {
  if (reason === "queue_timeout") return "no: it had no attempt";
  if (reason === "node_lost") return `yes, after up to ${NODE_LOSSES_MAX} losses; they count as no attempt`;
  if (reason === "prover_error") return "`prover_retries` times, by default 0";
  return isInfrastructure(reason) ? `yes, up to ${INFRASTRUCTURE_ATTEMPTS_MAX} attempts` : "no";
}

function buildRows(): readonly (readonly string[])[] {
  return BUILD_FAILURE_REASONS.map((reason) => [code(reason), rerunsOf(reason), BUILD_FAILURE_MEANINGS[reason]]);
}

function rerunsOf(reason: BuildFailureReason): string {
  if (reason === "node_lost") return `yes, up to ${BUILD_RUNS_MAX} runs`;
  return reason === "no_builder" ? `no, after waiting for ${BUILD_QUEUE_MS / 60_000} minutes` : "no";
}

function sourceRows(): readonly (readonly string[])[] {
  return SOURCE_HOST_ERROR_CODES.map((one) => [code(one), code(problemOf(one)), sentencesOf(one, "{host}")]);
}

function problemOf(one: SourceHostErrorCode): ProblemCode {
  try {
    return refuseSourceError([], "")(new SourceHostError(one));
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}
