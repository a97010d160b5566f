/** The public JSON of a refusal. */
import { STATUS_CODES } from "node:http";
import { z } from "zod";

export const PROBLEM_MEDIA_TYPE = "application/problem+json";
export const PROBLEM_TYPE = `${PROBLEM_MEDIA_TYPE}; charset=utf-8`;

export const problemSchema = z
  .object({
    type: z.string().describe("Stable name of the kind of problem."),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe("A sentence for a person."),
    code: z.string().describe("What a program decides by."),
    instance: z.string().optional(),
    request_id: z.string(),
    errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
  })
  .meta({ id: "Problem", description: "RFC 9457 problem details." });

export interface ShownProblem {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[] | undefined;
}

export function problemJson(problem: ShownProblem, requestId: string, path: string | undefined): string {
  return JSON.stringify({
    type: `urn:elastic:problem:${problem.code}`,
    title: STATUS_CODES[problem.status] ?? "Error",
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    instance: path,
    request_id: requestId,
    errors: problem.errors,
  });
}
