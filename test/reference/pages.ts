/** The references that are generated from the code, by their paths. */
import { startApiInMemory } from "../cluster/api-in-memory.ts";
import { errorsPage } from "./errors-page.ts";
import { type ApiDocument, httpPage } from "./http-page.ts";
import { metricsPage } from "./metrics-page.ts";
import { settingsPage } from "./settings-page.ts";

export const REFERENCE_FOLDER = "docs/reference";

/** From the name of each file to its text. */
export async function referencePages(): Promise<Readonly<Record<string, string>>> {
  await using api = await startApiInMemory();
  return {
    "settings.md": settingsPage(),
    "metrics.md": await metricsPage(),
    "errors.md": errorsPage(),
    "http.md": httpPage((await api.document()) as ApiDocument),
  };
}
