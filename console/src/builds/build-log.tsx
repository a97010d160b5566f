/** What a build writes, folded by step: the one that failed and those that run are open. */
import { Badge, Group, Stack, Text, TextInput, UnstyledButton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMemo, useState } from "react";
import { secondsText } from "../text/seconds-text.ts";
import { visibleText } from "../text/visible-text.ts";
import classes from "./build-log.module.css";
import { type BuildStep, matchingSteps } from "./build-steps.ts";

const SEARCH_AFTER_MS = 300;
const COLORS = { running: "blue", done: "green", cached: "gray", failed: "red" } as const;

export function BuildLog({ steps }: { readonly steps: readonly BuildStep[] }) {
  const [search, setSearch] = useState("");
  const [wanted] = useDebouncedValue(search, SEARCH_AFTER_MS);
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set());
  const shown = useMemo(() => matchingSteps(steps, wanted), [steps, wanted]);
  const toggle = (number: number) => {
    const after = new Set(toggled);
    if (!after.delete(number)) after.add(number);
    setToggled(after);
  };
  return (
    <Stack gap="xs">
      <TextInput label="Search the log" value={search} onChange={(event) => setSearch(event.currentTarget.value)} />
      <div className={classes.log} role="log" aria-label="Log" aria-live="off">
        {shown.map((step, index) =>
          step.number === null ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: what stands between steps has no name and keeps its place.
            <Lines key={`between ${index}`} of={step} />
          ) : (
            <Step
              key={step.number}
              of={step}
              isOpen={wanted !== "" || isOpenAtFirst(step) !== toggled.has(step.number)}
              onToggle={() => toggle(step.number ?? 0)}
            />
          ),
        )}
        {shown.length === 0 && (
          <Text c="dimmed">{steps.length === 0 ? "Nothing was written yet." : "No line has this text."}</Text>
        )}
      </div>
    </Stack>
  );
}

function isOpenAtFirst({ state }: BuildStep): boolean {
  return state === "failed" || state === "running";
}

interface StepProps {
  readonly of: BuildStep;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function Step({ of: step, isOpen, onToggle }: StepProps) {
  const { number, name, state, seconds } = step;
  return (
    <section aria-label={`Step ${number}`}>
      <UnstyledButton onClick={onToggle} aria-expanded={isOpen} className={classes.step}>
        <Group gap="xs" wrap="nowrap" align="baseline">
          <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span>
          <Text component="span" size="sm" ff="monospace" className={classes.text}>
            {visibleText(name)}
          </Text>
          <Badge color={COLORS[state]} size="sm" style={{ flexShrink: 0 }}>
            {seconds === null ? state : secondsText(seconds)}
          </Badge>
        </Group>
      </UnstyledButton>
      {isOpen && <Lines of={step} />}
    </section>
  );
}

function Lines({ of: { lines, cut } }: { readonly of: BuildStep }) {
  if (lines.length === 0) return null;
  return (
    <Text component="pre" size="sm" ff="monospace" dir="ltr" className={classes.lines}>
      {cut > 0 && `… ${cut.toLocaleString()} earlier lines are in the file\n`}
      {visibleText(lines.join("\n"))}
    </Text>
  );
}
