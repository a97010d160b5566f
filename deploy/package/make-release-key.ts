/** `npm run release-key -- FILE`: the pair of keys that releases are signed with. */
import { existsSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { fingerprintOf, newReleaseKey, readSigningKey } from "@elastic/std/program-release/signature.ts";

const HELP = `Usage: npm run release-key -- <file>

Makes an Ed25519 key pair: the private key in <file>, readable by its owner alone, and the public key in <file>.pub. Run it on a
machine that is no coordinator and, best, has no network; store the private key there and on a second medium. Whoever has it
can run code on every machine. The public key goes to coordinators and machines (/etc/elastic/release-keys.pem).
Without npm, OpenSSL makes the same: openssl genpkey -algorithm ed25519 -out release.key, then
openssl pkey -in release.key -pubout -out release.key.pub.

Options:
  --help  this text

Examples:
  npm run release-key -- release.key
  npm run package -- --sign-key release.key --release-key release.key.pub`;

const { file, help } = readLine();
if (help) console.log(HELP);
else if (file === null) fail("name one file for the private key; npm run release-key -- --help has an example", 2);
else make(file);

function readLine(): { readonly file: string | null; readonly help: boolean } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { help: { type: "boolean", short: "h", default: false } },
    });
    return { file: positionals.length === 1 ? (positionals[0] ?? null) : null, help: values.help };
  } catch (error) {
    return fail((error as Error).message.split(". ")[0] ?? "", 2);
  }
}

function make(path: string): void {
  const publicPath = `${path}.pub`;
  const existing = [path, publicPath].find((one) => existsSync(one));
  if (existing !== undefined)
    fail(`${existing} exists: name a new file, so that no key is lost. Nothing was changed`, 1);
  const { privatePem, publicPem } = newReleaseKey();
  try {
    writeFileSync(path, privatePem, { mode: 0o600, flag: "wx" });
    writeFileSync(publicPath, publicPem, { flag: "wx" });
  } catch (error) {
    fail(`the key cannot be written: ${(error as Error).message}; name a file in a folder that exists`, 1);
  }
  console.log(`private key: ${path}: keep it offline, twice; no coordinator and no node needs it
public key:  ${publicPath}: on coordinators and nodes it is /etc/elastic/release-keys.pem
fingerprint: ${fingerprintOf(readSigningKey(privatePem))}: join lines show it`);
}

function fail(why: string, code: number): never {
  console.error(`release-key: ${why}`);
  process.exit(code);
}
