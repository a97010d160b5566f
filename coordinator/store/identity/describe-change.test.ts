import { expect, test } from "vitest";
import { describeChange } from "./describe-change.ts";

test("names the newest data first, then a backup, and the acceptance of what etcd has last", () => {
  expect(describeChange({ kind: "stepped back", from: 9, to: 2 }, 3)).toMatch(
    /from 9 to 2.*\. Put back etcd's newest data .*elastic-coordinator restore.*--accept-store 3 \(ELASTIC_ACCEPT_STORE=3\)/,
  );
});

test("asks for a restart alone where the state was accepted elsewhere", () => {
  expect(describeChange({ kind: "accepted", epoch: 2 }, 3)).toMatch(/accepted .* as store epoch 2\. Restart this/);
});
