/** What programs and provers link, each in the form that its registry takes. */
import { mkdirSync } from "node:fs";
import { chmod, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { inRepository } from "../local/repository.ts";
import { runTool } from "../local/run-tool.ts";
import { packClient, packCommand } from "./npm-tarballs.ts";

interface LibraryRelease {
  /** The time of all files. */
  readonly committed: Date;
  /** In which Python and cargo run. */
  readonly env: NodeJS.ProcessEnv;
}

export interface PackagedLibrary {
  readonly name: string;
  /** In a few words. */
  readonly form: string;
  /** The parts of deploy/setup.sh that it takes. */
  readonly setUp: readonly string[];
  /** Makes it with an empty folder to work in, and returns its path in `to`. */
  readonly make: (work: string, to: string, release: LibraryRelease) => Promise<string>;
}

export const LIBRARIES: readonly PackagedLibrary[] = [
  { name: "elastic-client", form: "npm package", setUp: ["node"], make: packClient },
  { name: "elastic-client-python", form: "wheel", setUp: ["wheel"], make: buildWheel },
  { name: "elastic-cli", form: "npm package", setUp: ["node"], make: (_, to) => packCommand(to) },
  { name: "elastic-sdk", form: "crate", setUp: ["cargo"], make: packCrate },
];

/** flit gives all files the commit's time. */
async function buildWheel(work: string, to: string, { committed, env: given }: LibraryRelease): Promise<string> {
  const env = {
    ...given,
    PYTHONPATH: inRepository(".cache", "wheel"),
    PYTHONDONTWRITEBYTECODE: "1",
    SOURCE_DATE_EPOCH: String(committed.getTime() / 1000),
  };
  runTool(env, "python3", "-m", "flit_core.wheel", inRepository("clients", "python"), "--outdir", work);
  return await moveOnly(work, ".whl", to);
}

/** Cargo gives all files one time. The provers' tests compile the crate: here it is not compiled again. */
async function packCrate(work: string, to: string, { env }: LibraryRelease): Promise<string> {
  const manifest = inRepository("sdk", "Cargo.toml");
  const crate = ["--manifest-path", manifest, "--package", "elastic-sdk"];
  runTool(env, "cargo", "package", "--quiet", "--no-verify", "--allow-dirty", "--target-dir", work, ...crate);
  return await moveOnly(join(work, "package"), ".crate", to);
}

async function moveOnly(folder: string, ending: string, to: string): Promise<string> {
  const [made, ...others] = (await readdir(folder)).filter((name) => name.endsWith(ending));
  if (made === undefined || others.length > 0) throw new Error(`there is not exactly one file ${ending} in ${folder}`);
  mkdirSync(to, { recursive: true });
  await rename(join(folder, made), join(to, made));
  // flit's own is for its user alone.
  await chmod(join(to, made), 0o644);
  return join(to, made);
}
