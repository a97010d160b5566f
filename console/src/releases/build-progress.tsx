/** The step at which a build is, as its log says. */
import { Text } from "@mantine/core";
import { currentStep } from "../builds/current-step.ts";
import { useBuildLog } from "../builds/use-build-log.ts";
import { visibleLine } from "../text/visible-text.ts";

interface BuildProgressProps {
  readonly buildId: string;
  readonly run: number;
}

export function BuildProgress({ buildId, run }: BuildProgressProps) {
  const step = currentStep(useBuildLog(buildId, run));
  return (
    <Text ff="monospace" size="sm" style={{ overflowWrap: "anywhere" }}>
      {step === null ? "Preparing…" : visibleLine(step.name)}
    </Text>
  );
}
