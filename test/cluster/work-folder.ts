/** A folder of its own for each test, gone with it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface WorkFolder extends Disposable {
  readonly path: string;
}

export function makeWorkFolder(): WorkFolder {
  const path = mkdtempSync(join(tmpdir(), "elastic-test-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
}
