/** Writes the references and dashboards that are generated from the code: `npm run docs`. A test fails where they are out of date. */
import { writeFileSync } from "node:fs";
import { DASHBOARD_FOLDER, dashboardFiles } from "@elastic/deploy/grafana/dashboards.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { REFERENCE_FOLDER, referencePages } from "./pages.ts";

write(REFERENCE_FOLDER, await referencePages());
write(DASHBOARD_FOLDER, dashboardFiles());

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(inRepository(folder, name), text);
    console.log(`${folder}/${name}`);
  }
}
