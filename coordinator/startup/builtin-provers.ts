/** The builtin provers that deployments may name. */
import type { Config } from "../config/config.ts";

const BUILTIN_PROVERS = ["poseidon", "poseidon-verify", "ivc-minroot", "ivc-minroot-verify"];
const BUILTIN_TEST_PROVERS = ["noop", "clock", "echo", "sleep", "crash"];

export function builtinsOf({ builtinTestProvers }: Pick<Config, "builtinTestProvers">): readonly string[] {
  return builtinTestProvers ? [...BUILTIN_PROVERS, ...BUILTIN_TEST_PROVERS] : BUILTIN_PROVERS;
}
