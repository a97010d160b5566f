import { expect, test } from "vitest";
import { WRONG_PASSWORD_EVERY_MS, WRONG_PASSWORDS_AT_ONCE } from "./limits.ts";
import { PasswordThrottle } from "./password-throttle.ts";

function throttle() {
  const clock = { at: 1_000_000, monotonicMs: () => clock.at };
  return { clock, throttle: new PasswordThrottle(clock) };
}

test("lets a source try some wrong passwords freely, then each costs a wait, and the allowance refills with time", () => {
  const { clock, throttle: one } = throttle();
  for (let n = 0; n < WRONG_PASSWORDS_AT_ONCE; n++) {
    expect(one.waitMs("a", "s")).toBe(0);
    one.failed("a", "s");
  }
  expect(one.waitMs("a", "s")).toBe(WRONG_PASSWORD_EVERY_MS);
  clock.at += WRONG_PASSWORD_EVERY_MS;
  expect(one.waitMs("a", "s")).toBe(0);
  for (let n = 0; n < 1_000; n++) one.failed("a", "s");
  expect(one.waitMs("a", "s")).toBe(WRONG_PASSWORD_EVERY_MS);
});

test("what one source does costs no other, nor a pair of source and shell that was let in before", () => {
  const { throttle: one } = throttle();
  one.succeeded("a", "mine");
  for (let n = 0; n < 100; n++) one.failed("a", "yours");
  expect(one.waitMs("a", "yours")).toBeGreaterThan(0);
  expect(one.waitMs("a", "third")).toBeGreaterThan(0);
  expect(one.waitMs("a", "mine")).toBe(0);
  expect(one.waitMs("b", "yours")).toBe(0);
});
