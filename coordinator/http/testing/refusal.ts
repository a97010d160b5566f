/** The one form of refusals, as the document has it, with the status and code that are expected. */
import { expect } from "vitest";
import type { ProblemCode } from "../problems/problem.ts";
import type { CallResponse } from "./call.ts";

/** That the members agree with each other and with the head, `call` has looked at. */
export function expectRefused(response: CallResponse, status: number, code: ProblemCode): void {
  expect([response.status, response.json?.code, response.text.slice(0, 300)]).toEqual([
    status,
    code,
    expect.any(String),
  ]);
  expect(response.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
}
