/** Regenerates `gen/` from the .proto files: `npm run proto`. A test runs it and fails on a difference. */
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";

const here = import.meta.dirname;
const bin = join(dirname(here), "node_modules", ".bin");
execFileSync(join(bin, "buf"), ["generate"], {
  cwd: here,
  stdio: "inherit",
  env: { ...process.env, PATH: `${bin}:${process.env.PATH ?? ""}` },
});
