/** The file of certificate authorities that a service with a private one is reached by. */
import { readFile } from "node:fs/promises";
import { usageError } from "../errors/cli-error.ts";

/** In PEM; undefined where no file is named. */
export async function readAuthorities(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const next = "Name a file of certificates in PEM by --ca-file or ELASTIC_CA_FILE.";
  const text = await readFile(path, "utf8").catch((cause: Error) => {
    throw usageError(`${path} cannot be read: ${cause.message}.`, next);
  });
  if (!text.includes("-----BEGIN CERTIFICATE-----")) throw usageError(`There is no certificate in ${path}.`, next);
  return text;
}
