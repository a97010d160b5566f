import { compareVersions } from "@elastic/std/program-release/version-order.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { planUpgrade, type UpgradeQuestion } from "./upgrade-plan.ts";

function question(given: Partial<UpgradeQuestion> & { readonly version?: string }): UpgradeQuestion {
  const { version = "1.1.0", ...rest } = given;
  const offered = { version, minimumAgent: "0.9.0", minimumCoordinator: "1.0.0" };
  return { installed: "1.0.0", offered, coordinator: "1.0.0", rollback: false, ...rest };
}

test("upgrades to a later release", () => {
  expect(planUpgrade(question({}))).toEqual({ kind: "upgrade" });
  expect(planUpgrade(question({ coordinator: null }))).toEqual({ kind: "upgrade" });
});

test("does nothing for the version that is installed", () => {
  expect(planUpgrade(question({ version: "1.0.0" })).kind).toBe("nothing");
});

test("refuses an agent that is too old, and coordinators that are", () => {
  expect(planUpgrade(question({ installed: "0.8.0" }))).toMatchObject({
    kind: "refused",
    why: expect.stringContaining("upgrade to 0.9.0 first"),
  });
  expect(planUpgrade(question({ coordinator: "0.9.9" }))).toMatchObject({
    kind: "refused",
    why: expect.stringContaining("upgrade them first"),
  });
});

test("never takes an older release unless a roll-back is meant", () => {
  const number = fc.integer({ min: 0, max: 3 });
  const version = fc.tuple(number, number, number).map((parts) => parts.join("."));
  fc.assert(
    fc.property(
      version,
      version,
      version,
      version,
      fc.option(version),
      (installed, offered, agent, control, coordinator) => {
        const asked = {
          installed,
          offered: { version: offered, minimumAgent: agent, minimumCoordinator: control },
          coordinator,
        };
        const plan = planUpgrade({ ...asked, rollback: false });
        if (plan.kind === "upgrade") {
          expect(compareVersions(offered, installed)).toBeGreaterThan(0);
          expect(compareVersions(installed, agent)).toBeGreaterThanOrEqual(0);
          // Who means a roll-back may upgrade as well.
          expect(planUpgrade({ ...asked, rollback: true }).kind).toBe("upgrade");
        }
        expect(plan.kind === "nothing").toBe(offered === installed);
      },
    ),
  );
});
