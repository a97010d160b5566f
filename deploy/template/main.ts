/**
 * `node deploy/template/main.ts`: generates the templates of repositories that the coordinator reads. With `--lock` it first makes
 * the committed lock file agree with the repository's again, with cargo.
 */
import { lockTemplate, writeTemplates } from "./write-template.ts";

if (process.argv.includes("--lock")) lockTemplate();
writeTemplates();
