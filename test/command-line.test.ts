import { describe, expect, test } from "vitest";
import { orderOf } from "./command-line.ts";

describe("an order", () => {
  test.each([
    [[], { kind: "all", long: false }],
    [["--long"], { kind: "all", long: true }],
    [["quick"], { kind: "quick", base: null }],
    [["quick", "--base", "HEAD~3"], { kind: "quick", base: "HEAD~3" }],
    [["flaky", "20"], { kind: "flaky", times: 20, words: [] }],
    [["flaky", "3", "shell", "demo"], { kind: "flaky", times: 3, words: ["shell", "demo"] }],
    [["cargo", "accel", "--long"], { kind: "some", runners: ["cargo", "accel"], words: [], long: true }],
    [["coordinator/http", "pure"], { kind: "some", runners: ["pure"], words: ["coordinator/http"], long: false }],
    [["quick", "--help"], { kind: "help" }],
  ] as const)("%j is read", (line, order) => {
    expect(orderOf(line)).toEqual(order);
  });

  test.each([
    [["--lnog"], "Unknown option '--lnog'"],
    [["system", "--base", "HEAD"], "--base belongs to quick"],
    [["quick", "shell"], "quick takes no words"],
    [["flaky"], 'flaky takes a number of times from 1 to 999, not ""'],
    [["flaky", "0"], 'flaky takes a number of times from 1 to 999, not "0"'],
    [["flaky", "many"], 'flaky takes a number of times from 1 to 999, not "many"'],
  ] as const)("%j is rejected with a reason", (line, why) => {
    const order = orderOf(line);
    expect(order.kind === "wrong" && order.why).toContain(why);
  });
});
