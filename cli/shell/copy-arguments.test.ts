import { expect, test } from "vitest";
import { copyArguments, parseCopyPlace, shellOfCopy } from "./copy-arguments.ts";

const ADDRESS = { user: "0a", host: "shells.example", port: 2222, hostKey: "ssh-ed25519 A" };

test("a place in a shell and one here become the arguments of scp", () => {
  const [from, to] = [parseCopyPlace("lab:out/proof.bin"), parseCopyPlace("-odd:name".slice(0, 4))];
  expect(shellOfCopy(from, to)).toBe("lab");
  expect(copyArguments(ADDRESS, [from, to], true)).toEqual([
    "-P",
    "2222",
    "-r",
    "--",
    "0a@shells.example:out/proof.bin",
    "./-odd",
  ]);
  expect(copyArguments({ ...ADDRESS, host: "::1" }, [from], false).at(-1)).toBe("0a@[::1]:out/proof.bin");
});

test("a path of this machine may hold a colon after a slash", () => {
  expect(parseCopyPlace("./a:b")).toEqual({ shell: null, path: "./a:b" });
});

test("one place is in a shell, and one is here", () => {
  expect(() => shellOfCopy(parseCopyPlace("a"), parseCopyPlace("b"))).toThrow("Neither place is in a shell.");
  expect(() => shellOfCopy(parseCopyPlace("a:x"), parseCopyPlace("b:y"))).toThrow("Both places are in shells.");
});
