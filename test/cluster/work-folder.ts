/** A separate folder for each test, gone with it. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepsFolders } from "./machine.ts";

export interface WorkFolder extends Disposable {
  readonly path: string;
}

export function makeWorkFolder(): WorkFolder {
  const path = mkdtempSync(join(tmpdir(), "elastic-test-"));
  return {
    path,
    [Symbol.dispose]() {
      if (keepsFolders()) process.stderr.write(`left: ${path}${judgedBy(path)}\n`);
      else rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** What judges the histories in it again, where it has some. */
function judgedBy(path: string): string {
  const hasHistory = readdirSync(path).some((name) => /-history.*\.jsonl$/.test(name));
  return hasHistory ? ` has histories: node test/checker/main.js ${path}` : "";
}
