/** Images of files of this machine in a test's engine, where none can be pulled. */
import { type ImageFiles, importImage as importNow } from "@elastic/deploy/local/import-image.ts";
import { toolEnvironment } from "./machine.ts";

/** By engine and repository: of what the test files of this process have imported. */
const imported = new Map<string, Promise<string>>();

/** Returns its reference. Only the first import into an engine does the work. */
export function importImage(engineSocket: string, repository: string, image: () => ImageFiles): Promise<string> {
  const place = `${engineSocket} ${repository}`;
  const before = imported.get(place);
  if (before !== undefined) return before;
  const reference = `${repository}:test`;
  const now = importNow(engineSocket, reference, image(), toolEnvironment()).then(() => reference);
  imported.set(place, now);
  return now;
}
