/** For values of options: an empty one, as of a variable of a script that is not set, is named before it is sent. */
import { usageError } from "../errors/cli-error.ts";

export function notEmpty(what: string): (text: string) => string {
  return (text) => {
    if (text.trim() === "") throw usageError(`The ${what} is empty.`, "Is it from a variable that is not set?");
    return text;
  };
}
