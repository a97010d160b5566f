/**
 * One alert with the recorded series that it reads, cut out of the file of all rules as they stand there. Prometheus
 * evaluates every rule at every step: with all of them a test of one alert computes sixty.
 */
const GROUP = /^ {2}- name: \S+$/;
const RULE = /^ {6}- (?:alert|record): (\S+)$/;
const COMMENT = /^ *#/;

interface Rule {
  readonly group: string;
  readonly name: string;
  readonly text: string;
}

/** Throws where the file has no such alert. */
export function rulesOfAlert(alert: string, file: string): string {
  const rules = parseRules(file);
  const needed = new Set<Rule>();
  const add = (name: string): void => {
    const rule = rules.find((one) => one.name === name);
    if (rule === undefined) throw new Error(`there is no rule ${name}`);
    if (needed.has(rule)) return;
    needed.add(rule);
    for (const [recorded] of rule.text.matchAll(/elastic:[a-z0-9_:]+/g)) add(recorded);
  };
  add(alert);
  // In the order of the file: what is recorded comes first.
  const groups = Map.groupBy(
    rules.filter((rule) => needed.has(rule)),
    ({ group }) => group,
  );
  const texts = [...groups].map(([group, some]) => `${group}\n    rules:\n${some.map(({ text }) => text).join("")}`);
  return `groups:\n${texts.join("")}`;
}

function parseRules(file: string): readonly Rule[] {
  const rules: Rule[] = [];
  let group = "";
  for (const line of file.split("\n")) {
    const name = RULE.exec(line)?.[1];
    const last = rules.at(-1);
    if (GROUP.test(line)) group = line;
    else if (name !== undefined) rules.push({ group, name, text: `${line}\n` });
    else if (last?.group === group && line.startsWith("        ") && !COMMENT.test(line)) {
      rules[rules.length - 1] = { ...last, text: `${last.text}${line}\n` };
    }
  }
  return rules;
}
