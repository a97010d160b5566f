/** Says what is wrong with the options before anything is set up. Exits 2 when something is; see demo.sh. */
import { sayWhatIsWrong } from "./options.ts";

process.exitCode = sayWhatIsWrong(process.argv.slice(2)) ? 2 : 0;
