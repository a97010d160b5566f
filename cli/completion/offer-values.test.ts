import { Command } from "commander";
import { expect, test } from "vitest";
import { listFor } from "./offer-values.ts";

function program(): Command {
  const info = new Command("info").argument("<task_id>").option("-d, --detail").option("--output <format>");
  const cancel = new Command("cancel").argument("[task_ids...]");
  const task = new Command("task").addCommand(info).addCommand(cancel);
  const revoke = new Command("revoke").argument("<key_id>");
  const key = new Command("key").addCommand(revoke);
  const completion = new Command("completion").addArgument(new Command().createArgument("<shell>").choices(["bash"]));
  return new Command("elastic")
    .addCommand(task)
    .addCommand(key)
    .addCommand(completion)
    .addCommand(new Command("deploy"));
}

const isOffered = (...words: readonly string[]) => listFor(program(), words) !== null;

test.each([
  [["task", "info", ""]],
  [["task", "info", "-d", "01"]],
  [["task", "info", "--output", "json", "01"]],
  [["task", "cancel", "a", "b", ""]],
  [["deploy", "--service", "po"]],
  [["key", "revoke", ""]],
  [["team", "invitations", "--revoke", ""]],
])("%j ends with a value of the service", (words) => expect(isOffered(...words)).toBe(true));

test.each([
  [["task", "in"]],
  [["task", "info", "a", ""]],
  [["task", "info", "--"]],
  [["completion", ""]],
  [["deploy", ""]],
  [[]],
])("%j does not", (words) => expect(isOffered(...words)).toBe(false));
