/** A secret in a file that an operator made. It is read at each use, so that a new one needs no restart. */
import { readFileSync } from "node:fs";

/** A setting is wrong: the message names the secret and the file. */
export class SecretFileError extends Error {
  override readonly name = "SecretFileError";
}

/** Without white space around it. `what` is for a person. Throws a SecretFileError. */
export function readSecretFile(what: string, path: string): string {
  const secret = readFile(what, path).trim();
  if (secret === "") throw new SecretFileError(`${what} is empty: ${path}`);
  return secret;
}

function readFile(what: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new SecretFileError(`${what} cannot be read: ${path}`, { cause });
  }
}
