/**
 * Files of Debian packages of this machine, with all that they depend on: what images are made of where none can be pulled.
 * `env` is that of the tools that are started.
 */
import { lstatSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { runTool } from "./run-tool.ts";

/** Documentation, and what only sanitizers need. */
const LEFT_OUT = /^\/usr\/share\/(doc|man|locale|info|lintian)\/|lib(asan|tsan|lsan|ubsan)/;

/** Each by its real folder. The links of a merged /usr are listed too, as folders of the packages. */
export function packageFiles(roots: readonly string[], env: NodeJS.ProcessEnv): readonly string[] {
  const listed = runTool(env, "dpkg", "--listfiles", ...withDependencies(roots, env)).split("\n");
  const files = listed.filter((path) => path.startsWith("/") && !LEFT_OUT.test(path) && isFile(path));
  return [...new Set(files.map((path) => join(realpathSync(dirname(path)), path.slice(dirname(path).length))))];
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
}

/** Of alternatives all that are installed. */
function withDependencies(roots: readonly string[], env: NodeJS.ProcessEnv): readonly string[] {
  const format = `${["Package", "Pre-Depends", "Depends", "Provides"].map((field) => `\${${field}}`).join("\t")}\n`;
  const dependencies = new Map<string, readonly string[]>();
  const providers = new Map<string, string>();
  for (const line of runTool(env, "dpkg-query", "--show", `--showformat=${format}`).split("\n")) {
    const [name = "", before = "", needed = "", provided = ""] = line.split("\t");
    dependencies.set(name, [...names(before), ...names(needed)]);
    for (const virtual of names(provided)) providers.set(virtual, name);
  }
  const chosen = new Set<string>();
  const open = [...roots];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const real = dependencies.has(name) ? name : providers.get(name);
    if (real === undefined || chosen.has(real)) continue;
    chosen.add(real);
    open.push(...(dependencies.get(real) ?? []));
  }
  return [...chosen];
}

function names(field: string): readonly string[] {
  return field
    .split(/[,|]/)
    .map((one) => one.trim().replace(/[ :(].*$/, ""))
    .filter((name) => name !== "");
}
