/** The user of an idle shell is warned that it stops, and one who works there is not. */
import { systemClock } from "@elastic/std/clock.ts";
import { expect, test } from "vitest";
import { SHELL_USE_WRITTEN_EVERY_MS } from "../domain/shell.ts";
import { said } from "./testing/fake-shells.ts";
import { exec, startTestGateway, TEST_SHELL, textOf } from "./testing/test-gateway.ts";

const MINUTE_MS = 60_000;

test("warns a terminal that its idle shell stops, once nothing has passed for a while", async () => {
  let laterMs = 0;
  await using gateway = await startTestGateway(
    async function* (tunnel) {
      yield said("stdout", "in");
      await tunnel.allInput();
      return 0;
    },
    { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + laterMs },
  );
  const { directory } = gateway;
  const terminal = await exec(await gateway.login(), "vi", { pty: true });
  const seen = textOf(terminal);
  const stopsWithin = (ms: number): void => {
    directory.add(TEST_SHELL, { end: { at: Date.now() + ms, cause: "idle" } });
    directory.changed();
  };

  // What was typed a moment ago puts the end off, as soon as it is written.
  stopsWithin(3 * MINUTE_MS);
  await expect
    .poll(() => {
      laterMs += 2 * SHELL_USE_WRITTEN_EVERY_MS;
      stopsWithin(MINUTE_MS);
      return seen();
    })
    .toContain("it stops within a minute");
  expect(seen()).not.toContain("3 minutes");
});
