/**
 * Where Node keeps what it has made of the sources: a process that loads what another has loaded starts with half the
 * work. In the environment of each program that is started from them; what changed is compiled again.
 */
import { inRepository } from "./repository.ts";

export const COMPILE_CACHE = { NODE_COMPILE_CACHE: inRepository(".cache", "compiled") } as const;
