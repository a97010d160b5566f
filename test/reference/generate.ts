/** Writes the references that are generated from the code: `npm run docs`. A test fails where they are out of date. */
import { writeFileSync } from "node:fs";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { REFERENCE_FOLDER, referencePages } from "./pages.ts";

for (const [name, text] of Object.entries(await referencePages())) {
  writeFileSync(inRepository(REFERENCE_FOLDER, name), text);
  console.log(`${REFERENCE_FOLDER}/${name}`);
}
