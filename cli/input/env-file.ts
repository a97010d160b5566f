/** A file of environment variables, one `NAME=value` a line, as for `docker run --env-file`. */
import { usageError } from "../errors/cli-error.ts";
import { isVariableName, VARIABLE_RULE } from "./variable-name.ts";

type Env = Readonly<Record<string, string>>;

/** Where a name stands twice, the last one counts. `path` is for messages. */
export function parseEnvFile(text: string, path: string): Env {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  const env: Record<string, string> = {};
  for (const [at, line] of lines.entries()) {
    const content = line.trim().replace(/^export\s+/, "");
    if (content === "" || content.startsWith("#")) continue;
    const reject = (why: string) => usageError(`${path}, line ${at + 1}: ${why}`, "Write it as NAME=value.");
    const equals = content.indexOf("=");
    if (equals <= 0) throw reject("this is not NAME=value.");
    const name = content.slice(0, equals).trimEnd();
    if (!isVariableName(name)) throw reject(VARIABLE_RULE);
    env[name] = unquoted(content.slice(equals + 1).trim(), reject);
  }
  return env;
}

/** Without the quotes around it; nothing inside is expanded. */
function unquoted(value: string, reject: (why: string) => Error): string {
  const quote = value[0];
  if (quote !== '"' && quote !== "'") return value;
  if (value.length === 1 || !value.endsWith(quote)) throw reject("the quote is not closed on this line.");
  return value.slice(1, -1);
}
