import { expect, test } from "vitest";
import { Confirmation } from "./confirmation.ts";

/** Checks that end when the test ends them. */
function scripted() {
  const checks: PromiseWithResolvers<void>[] = [];
  const confirmation = new Confirmation(() => {
    const check = Promise.withResolvers<void>();
    checks.push(check);
    return check.promise;
  });
  return { checks, confirmation };
}

test("runs one check at a time, and those who come meanwhile share the next", async () => {
  const { checks, confirmation } = scripted();
  const first = confirmation.confirm();
  const [second, third] = [confirmation.confirm(), confirmation.confirm()];
  expect(checks).toHaveLength(1);
  checks[0]?.resolve();
  await first;
  await expect.poll(() => checks.length).toBe(2);
  checks[1]?.resolve();
  await Promise.all([second, third]);
  expect(checks).toHaveLength(2);
  confirmation.stop();
});

test("rejects who waits where the check fails, and checks again for the next", async () => {
  const { checks, confirmation } = scripted();
  const [first, second] = [confirmation.confirm(), confirmation.confirm()];
  checks[0]?.reject(new Error("away"));
  await expect(first).rejects.toThrow("away");
  await expect.poll(() => checks.length).toBe(2);
  checks[1]?.resolve();
  await second;
  confirmation.stop();
});

test("repeats a check that nobody waits for until the store responds", async () => {
  const { checks, confirmation } = scripted();
  confirmation.suspect();
  confirmation.suspect();
  expect(checks).toHaveLength(1);
  checks[0]?.reject(new Error("away"));
  await expect.poll(() => checks.length).toBe(2);
  checks[1]?.resolve();
  confirmation.stop();
});
