/** The public key that a person gives: one line of a file that ssh-keygen wrote. */
import { readFile } from "node:fs/promises";
import { usageError } from "../errors/cli-error.ts";

const BYTES_MAX = 16 * 1024;

/** Throws before anything is sent for what is no public key, a private one above all. */
export async function readPublicKeyFile(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch(() => {
    throw usageError(`${path} cannot be read.`, "Give a .pub file, or make a key with `ssh-keygen -t ed25519`.");
  });
  if (/PRIVATE KEY/.test(text)) {
    throw usageError(`${path} holds a private key, which stays where it is.`, "Give the .pub file next to it.");
  }
  const line = text.trim();
  if (line === "" || line.length > BYTES_MAX || line.includes("\n")) {
    throw usageError(`${path} is not one public key on one line.`, "Give a .pub file of ssh-keygen.");
  }
  return line;
}
