/**
 * The Cargo.toml of a prover's template: that of the prover, with what it inherits from the workspace written out, the workspace's
 * profiles, and the crates that it has paths to in folders next to it. Pure.
 */
import { parse, type TomlTable, type TomlValue } from "smol-toml";

export interface TemplateManifest {
  readonly manifest: string;
  /** That of the repository. */
  readonly workspace: string;
  /** The template's own Cargo.lock: profiles name only packages that are in it. */
  readonly lock: string;
  /** Dependencies of the prover that the template does without. */
  readonly without: readonly string[];
}

/** Of the prover itself: it is compiled at each change, and most of a proof's time is spent in what it depends on. */
const OWN_PROFILE = { "opt-level": 0 };

const COMMENTS: Readonly<Record<string, string>> = {
  "profile.release": "What the service runs.",
  "profile.release.package":
    "Where proofs spend their time. Your own code compiles in seconds this way: raise its opt-level once it computes much itself.",
  "profile.dev": "What `cargo run` and `cargo test` build: proofs in reasonable time there too.",
};

export function templateManifest({ manifest, workspace, lock, without }: TemplateManifest): string {
  const prover = parse(manifest);
  const root = table(parse(workspace), "workspace");
  const profiles = table(parse(workspace), "profile");
  const own = table(prover, "package");
  const dependencies = Object.entries(table(prover, "dependencies")).filter(([name]) => !without.includes(name));
  const release = table(profiles, "release");
  const packages = {
    ...lockedOnly(table(release, "package"), new Set(lockedPackages(lock).map(({ name }) => name))),
    [String(own.name)]: OWN_PROFILE,
  };
  const dev = table(profiles, "dev");
  return [
    section("package", inherited(own, table(root, "package"))),
    section("dependencies", Object.fromEntries(dependencies.map(([name, value]) => [name, crateHere(name, value)]))),
    section("profile.release", release),
    section("profile.release.package", packages),
    section("profile.release.build-override", table(release, "build-override")),
    section("profile.dev", dev),
    section("profile.dev.package", table(dev, "package")),
  ].join("\n");
}

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** Both absent for what is in a folder. */
  readonly source?: string;
  readonly checksum?: string;
}

/** All packages of a Cargo.lock. */
export function lockedPackages(lock: string): readonly LockedPackage[] {
  return parse(lock).package as unknown as readonly LockedPackage[];
}

function inherited(own: TomlTable, ofWorkspace: TomlTable): TomlTable {
  return Object.fromEntries(
    Object.entries(own).map(([key, value]) => [key, isInherited(value) ? requiredOf(ofWorkspace, key) : value]),
  );
}

function isInherited(value: TomlValue): boolean {
  return isTable(value) && value.workspace === true;
}

function crateHere(name: string, value: TomlValue): TomlValue {
  return isTable(value) && "path" in value ? { ...value, path: name } : value;
}

function lockedOnly(packages: TomlTable, locked: ReadonlySet<string>): TomlTable {
  return Object.fromEntries(Object.entries(packages).filter(([name]) => locked.has(name)));
}

/** With the members that are no tables of settings: those have sections of their own. */
function section(name: string, of: TomlTable): string {
  const lines = Object.entries(of)
    .filter(([key]) => !(name.startsWith("profile.") && (key === "package" || key === "build-override")))
    .map(([key, value]) => `${keyText(key)} = ${valueText(value)}`);
  const comment = COMMENTS[name];
  return `${comment === undefined ? "" : `# ${comment}\n`}[${name}]\n${lines.join("\n")}\n`;
}

function valueText(value: TomlValue): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (!isTable(value)) return typeof value === "string" ? JSON.stringify(value) : String(value);
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${keyText(key)} = ${valueText(one)}`)
    .join(", ")} }`;
}

function keyText(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

function table(of: TomlTable, key: string): TomlTable {
  const value = of[key];
  if (value === undefined || !isTable(value)) throw new Error(`there is no table ${key}`);
  return value;
}

function requiredOf(of: TomlTable, key: string): TomlValue {
  const value = of[key];
  if (value === undefined) throw new Error(`the workspace has no ${key} to inherit`);
  return value;
}

function isTable(value: TomlValue): value is TomlTable {
  return typeof value === "object" && !Array.isArray(value) && !(value instanceof Date);
}
