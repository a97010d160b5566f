/** `npm run check`: types, lint, the contract, import rules and house rules, in seconds and without any set-up but `npm ci`. */
import { runCheck } from "./runners/check.ts";
import { sentence } from "./runners/count.ts";

const { count } = await runCheck();
console.log(sentence(count));
process.exitCode = count.failed === 0 ? 0 : 1;
