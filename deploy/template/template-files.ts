/**
 * The template of the demo prover, as it is pushed to a user's new repository: the prover, elastic-sdk and grain as they are in
 * this repository, and around them what exists in deploy/template/poseidon alone. Pure: `sources` reads.
 */
import { templateManifest } from "./crate-manifest.ts";

export interface TemplateFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** Paths are relative to this repository's root. */
export interface Sources {
  readonly read: (path: string) => string;
  /** The files below a folder, relative to it. */
  readonly list: (folder: string) => readonly string[];
}

/** The crates in folders next to the prover's sources, by the folders that they are copied from. */
const CRATES = { "elastic-sdk": "sdk", grain: "kernels/grain" };
/** Of a crate, what `elastic init` unpacks too: the tests stay behind. */
const CRATE_PARTS = /^(Cargo\.toml|README\.md|(src|examples)\/.+\.rs)$/;
/** The program that checks proofs, which is not a part of what proves, and the prover of the acceleration library. */
const LEFT_OUT: readonly string[] = ["bin/poseidon.rs", "maker/accelerated.rs"];
/** What these alone take, and what only makes builds of this workspace alike. */
const WITHOUT = ["clap", "elastic-plonk", "one-graph"];
/** Lines of code that are compiled with a feature of the prover, and the condition of those that are compiled without it. */
const WITH_FEATURE = /^#\[cfg\(feature = "accel"\)\]\n.*\n/gm;
const WITHOUT_FEATURE = /^#\[cfg\(not\(feature = "accel"\)\)\]\n/gm;
/** Of the prover's own README: what the program is, wherever it is. */
const SECTIONS = ["Input", "What is proven, and what is not", "Parameters", "Set-up parameters", "Proof text"];

/** As it is committed: a file called Cargo.lock would be taken for that of a Cargo.toml next to it. */
export const TEMPLATE_LOCK = "deploy/template/poseidon/cargo-lock.toml";

export function templateFiles({ read, list }: Sources): readonly TemplateFile[] {
  const lock = read(TEMPLATE_LOCK);
  const manifest = templateManifest({
    manifest: read("provers/poseidon/Cargo.toml"),
    workspace: read("Cargo.toml"),
    lock,
    without: WITHOUT,
  });
  const own = [
    { path: ".dockerignore", text: read("cli/templates/dockerignore") },
    { path: ".gitignore", text: read("deploy/template/poseidon/gitignore") },
    { path: "Cargo.lock", text: lock },
    { path: "Cargo.toml", text: manifest },
    { path: "Dockerfile", text: read("deploy/template/poseidon/Dockerfile") },
    {
      path: "README.md",
      text: readme(read("deploy/template/poseidon/README.md"), read("provers/poseidon/README.md")),
    },
  ];
  const copied = (from: string, to: string, isPart: (path: string) => boolean): readonly TemplateFile[] =>
    list(from)
      .filter(isPart)
      .map((path) => ({ path: `${to}/${path}`, text: read(`${from}/${path}`) }));
  return [
    ...own,
    ...copied("provers/poseidon/src", "src", (path) => !LEFT_OUT.includes(path)).map(({ path, text }) => ({
      path,
      text: text.replace(WITH_FEATURE, "").replace(WITHOUT_FEATURE, ""),
    })),
    ...Object.entries(CRATES).flatMap(([name, from]) => copied(from, name, (path) => CRATE_PARTS.test(path))),
  ];
}

/** The template's own text, and after it the prover's section on the statement. */
function readme(own: string, prover: string): string {
  const sections = new Map(prover.split(/^(?=## )/m).map((text) => [/^## (.*)/.exec(text)?.[1], text.trimEnd()]));
  const taken = SECTIONS.map((title) => {
    const text = sections.get(title);
    if (text === undefined) throw new Error(`provers/poseidon/README.md has no section ${title}`);
    return text;
  });
  return `${[own.trimEnd(), ...taken].join("\n\n")}\n`;
}
