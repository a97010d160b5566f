/** The options that end a demo, as they are typed. */
import { type Places, USUAL_FOLDER } from "./places.ts";
import { shellWord } from "./shell-word.ts";

export function stopOptions({ folder, lasting }: Places): string {
  if (lasting) return `--stop --state ${shellWord(folder)}`;
  return folder === USUAL_FOLDER ? "--stop" : `--stop --folder ${shellWord(folder)}`;
}
