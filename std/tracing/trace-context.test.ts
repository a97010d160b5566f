import { expect, test } from "vitest";
import { readTraceparent, traceFields } from "./trace-context.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

test.each([
  [PARENT, PARENT],
  ["00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-ff", PARENT],
  // Of a later version, in this one's words.
  ["cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00-more", PARENT.replace(/01$/, "00")],
])("reads %s", (text, read) => {
  expect(readTraceparent(text)).toBe(read);
});

test.each([
  undefined,
  "",
  `${PARENT}-more`,
  PARENT.toUpperCase(),
  PARENT.replace(/^00/, "ff"),
  `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
  `00-${TRACE}-${"0".repeat(16)}-01`,
  `00-${TRACE}\n-00f067aa0ba902b7-01`,
])("ignores %j", (text) => {
  expect(readTraceparent(text)).toBeUndefined();
});

test("names the trace in a line of the log, where there is one", () => {
  expect(traceFields(PARENT)).toEqual({ trace_id: TRACE });
  expect(traceFields(undefined)).toEqual({});
});
