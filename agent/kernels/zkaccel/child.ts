/**
 * Sends the acceleration library one request, in a separate process: `node child.ts <library> <question as JSON>`. A
 * crash of the library ends this process and nothing else. Which GPU it may use is its environment's doing.
 */
import { Accelerator } from "./accelerator.ts";
import { measure } from "./benchmark.ts";
import { bindZka } from "./bind.ts";
import { knownAnswers, queryLibrary, whatIsWrong } from "./known-answers.ts";
import type { Answer, ChildMessage, Question } from "./messages.ts";

const [libraryPath = "", question = ""] = process.argv.slice(2);

function answer(question: Question): Answer {
  const accelerator = new Accelerator(bindZka(libraryPath), question.backend);
  const info = accelerator.info();
  if (question.kind === "info") return { kind: "info", info };
  if (question.kind === "self-test")
    return { kind: "tested", failure: whatIsWrong(queryLibrary(accelerator), knownAnswers()) };
  const report = (what: string): void => say({ kind: "doing", what });
  return { kind: "measured", info, speed: measure(accelerator, { ...question, report }) };
}

function say(said: ChildMessage): void {
  process.stdout.write(`${JSON.stringify(said)}\n`);
}

say({ kind: "up" });
try {
  say(answer(JSON.parse(question) as Question));
} catch (error) {
  say({ kind: "failed", why: error instanceof Error ? error.message : String(error) });
}
