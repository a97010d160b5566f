import { execFileSync } from "node:child_process";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { expect, test } from "vitest";

const PROGRAMS = ["libzkaccel.so", "tests/zkaccel_tests", "tests/emulated/libzkaccel_cuda.so"];

const FUNCTION = /^<(.*)>:$/;
/** Registers and instructions that a plain x86-64 lacks: of AVX, AVX-512, BMI2 and ADX. */
const NOT_EVERYWHERE =
  /%[yz]mm|%k[1-7]|%xmm(1[6-9]|2[0-9]|3[01])\b|\t(mulx|adcx|adox|shlx|shrx|sarx|rorx|bzhi|pdep|pext|v[a-z0-9]+) /;
/** Where code for such machines is: it is called after the CPU's features have been checked. */
const OF_A_VARIANT = /\bzka::(adx|ifma)::/;

/** The functions with instructions that not every CPU has. */
function demanding(program: string): readonly string[] {
  const args = ["--disassemble", "--demangle", "--no-show-raw-insn", "--no-addresses", program];
  const text = execFileSync("objdump", args, { encoding: "utf8", maxBuffer: 1024 ** 3 });
  const found = new Set<string>();
  let name = "";
  for (const line of text.split("\n")) {
    name = FUNCTION.exec(line)?.[1] ?? name;
    if (NOT_EVERYWHERE.test(line)) found.add(name);
  }
  return [...found];
}

test.each(PROGRAMS)("%s has instructions that not every CPU has only behind a check of the CPU", (program) => {
  const functions = demanding(inRepository("target", "accel", program));
  expect(functions.filter((name) => !OF_A_VARIANT.test(name))).toEqual([]);
  const variants = process.arch === "x64" && !program.includes("emulated");
  expect(functions.length > 0).toBe(variants);
});
