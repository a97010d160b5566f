import { chmod, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { credentialsPath, loadCredentials, removeCredentials, saveCredentials } from "./credentials-file.ts";

const LOGIN = { url: "https://proving.example.com", apiKey: "eps_a_b", team: { id: "0f", name: "research" } };
let dir: string;

beforeEach(async () => {
  dir = join(await mkdtemp(join(tmpdir(), "elastic-cli-")), "elastic");
});
afterEach(() => rm(join(dir, ".."), { recursive: true }));

describe("the credentials file", () => {
  test("returns what was stored and is readable by its owner alone", async () => {
    await saveCredentials(dir, LOGIN);
    expect(await loadCredentials(dir)).toEqual(LOGIN);
    expect((await stat(credentialsPath(dir))).mode & 0o777).toBe(0o600);
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
  });

  test("is replaced atomically and leaves no other file behind", async () => {
    await saveCredentials(dir, LOGIN);
    await saveCredentials(dir, { ...LOGIN, apiKey: "eps_c_d" });
    expect((await loadCredentials(dir))?.apiKey).toBe("eps_c_d");
    expect(await readdir(dir)).toEqual(["credentials.json"]);
  });

  test.each([0o640, 0o604, 0o660])("is refused with mode %o", async (mode) => {
    await saveCredentials(dir, LOGIN);
    await chmod(credentialsPath(dir), mode);
    await expect(loadCredentials(dir)).rejects.toMatchObject({ next: expect.stringContaining("chmod 600") });
  });

  test("is null when there is none, and refused when it is something else", async () => {
    expect(await loadCredentials(dir)).toBeNull();
    await saveCredentials(dir, LOGIN);
    await writeFile(credentialsPath(dir), '{"url": 1}');
    await expect(loadCredentials(dir)).rejects.toThrow("is not a credentials file");
  });

  test("below a file is refused in a sentence that names where else it may be", async () => {
    await writeFile(dir, "a file");
    const elsewhere = { name: "CliError", next: expect.stringContaining("ELASTIC_CONFIG_DIR") };
    await expect(loadCredentials(dir)).rejects.toMatchObject(elsewhere);
    await expect(saveCredentials(dir, LOGIN)).rejects.toMatchObject(elsewhere);
    await expect(removeCredentials(dir)).rejects.toMatchObject(elsewhere);
  });

  test("is removed once", async () => {
    await saveCredentials(dir, LOGIN);
    expect(await removeCredentials(dir)).toBe(true);
    expect(await removeCredentials(dir)).toBe(false);
  });
});
