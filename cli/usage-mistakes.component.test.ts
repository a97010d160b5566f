import { expect, test } from "vitest";
import { runBinary } from "./testing/run-binary.ts";

const elastic = (args: readonly string[]) =>
  runBinary(args, { directory: "/", env: { ELASTIC_CONFIG_DIR: "/nowhere" } });

test.each(["publish", "publish --help", "-h publish", "help publish", "team publish --help", "help team publish"])(
  "elastic %s names the command that does not exist",
  async (words) => {
    expect(await elastic(words.split(" "))).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "error: unknown command 'publish'\nRun `elastic --help` to see the commands.\n",
    });
  },
);

test.each([
  ["build cancle x", "unknown command 'cancle' of 'elastic build'", "Did you mean `elastic build cancel x`?"],
  ["build lsit", "unknown command 'lsit' of 'elastic build'", "Did you mean `elastic build list`?"],
  ["build logz", "unknown command 'logz' of 'elastic build'", "Did you mean `elastic build logs`?"],
  ["build remote", "unknown command 'remote' of 'elastic build'", "Did you mean `elastic build --remote`?"],
  ["build --remote ./prover", "unknown command './prover' of 'elastic build'", /by --base_dir\.\n$/],
])("elastic %s suggests what was meant", async (words, message, next) => {
  const ran = await elastic(words.split(" "));
  expect(ran).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(`error: ${message}\n`) });
  expect(ran.stderr).toMatch(next);
});

test.each([
  ["token create --node gpu-7", "token", "elastic-coordinator token --help"],
  ["backup --to /b", "backup", "elastic-coordinator backup --help"],
  ["enroll", "enroll", "elastic-agent enroll --help"],
])("elastic %s names the program that has the command", async (words, command, help) => {
  const ran = await elastic(words.split(" "));
  expect(ran).toMatchObject({ code: 2, stdout: "" });
  expect(ran.stderr).toMatch(new RegExp(`^error: unknown command '${command}'\\nIt is a command .*\`${help}\`\\.\\n$`));
});

test.each([
  ["service delete wrongport", "`elastic service delete --service wrongport`"],
  ["service info wrongport", "`elastic service info --service wrongport`"],
  ["deployment list wrongport", "`elastic deployment list --service wrongport`"],
])("elastic %s says how a service is named", async (words, command) => {
  const ran = await elastic(words.split(" "));
  expect(ran).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("error: too many arguments") });
  expect(ran.stderr).toContain(`A service is named by --service: ${command}.\n`);
});

test.each([
  ["nonsense --json", "unknown command 'nonsense'"],
  ["team nonsense --output json", "unknown command 'nonsense'"],
  ["task info --json", "missing required argument 'task_id'"],
  ["task list --limit 0 --output=json", "'--limit <count>' argument '0' is invalid"],
  ["task create --output json", "The input is missing"],
  ["--json team", "unknown option '--json'"],
  ["listen --forward http://localhost:1 --events task.suceeded --json", "--events names task.suceeded, which is no"],
  ["listen --forward http://localhost:1 --events , --json", "--events names no type."],
])("elastic %s reports the mistake as JSON", async (words, message) => {
  const ran = await elastic(words.split(" "));
  expect([ran.code, ran.stdout]).toEqual([2, ""]);
  const { error } = JSON.parse(ran.stderr);
  expect(error).toMatchObject({ code: "usage", message: expect.stringContaining(message), exit_code: 2 });
});

test("the --json of task create is its input, and requests no JSON output", async () => {
  const ran = await elastic(["task", "create", "--json", "{"]);
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringMatching(/^error: /) });
});
