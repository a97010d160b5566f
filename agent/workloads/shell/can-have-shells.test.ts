import { expect, test } from "vitest";
import { checkShells } from "../../doctor/shell-check.ts";
import { whyNoShells } from "./can-have-shells.ts";

const everything = () => true;

test("a machine has shells with root, loop devices and the programs for disks", () => {
  expect(whyNoShells(0, everything)).toBeNull();
});

test("a machine that cannot have shells says why", () => {
  expect(whyNoShells(1000, everything)).toBe("this node cannot have shells: its agent does not run as root");
  const without = (name: string) => whyNoShells(0, (path) => !path.endsWith(name));
  expect(without("mkfs.ext4")).toContain("mkfs.ext4 not found; install util-linux and e2fsprogs");
  expect(without("loop-control")).toContain("it has no loop devices");
});

test("the doctor says what shells lack, and that provers do without", () => {
  expect(checkShells(whyNoShells(1000, everything))).toMatchObject({
    level: "warn",
    finding: "this node cannot have shells: its agent does not run as root",
  });
  expect(checkShells(null).level).toBe("ok");
});
