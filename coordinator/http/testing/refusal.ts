/** The one form of refusals, as the document has it, with the status and code that are expected. */
import { expect } from "vitest";
import type { ProblemCode } from "../problem.ts";
import type { Answer } from "./call.ts";

/** That the members agree with each other and with the head, `call` has looked at. */
export function expectRefused(answer: Answer, status: number, code: ProblemCode): void {
  expect([answer.status, answer.json?.code, answer.text.slice(0, 300)]).toEqual([status, code, expect.any(String)]);
  expect(answer.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
}
