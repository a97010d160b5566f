/** The log of a build while a page shows it: its steps so far. After a cut connection it resumes where it was. */
import { useEffect, useState } from "react";
import { type BuildStep, BuildSteps } from "./build-steps.ts";

/** A page is redrawn no more often. */
const DRAW_EVERY_MS = 200;
const AGAIN_AFTER_MS = 2_000;

/** `run` counts the runs of the build: each has its own log. */
export function useBuildLog(buildId: string, run: number): readonly BuildStep[] {
  const [steps, setSteps] = useState<readonly BuildStep[]>([]);
  useEffect(() => {
    const gone = new AbortController();
    const log = new BuildSteps();
    let drawing: ReturnType<typeof setTimeout> | null = null;
    const draw = () => {
      drawing ??= setTimeout(() => {
        drawing = null;
        setSteps(log.steps());
      }, DRAW_EVERY_MS);
    };
    void follow(buildId, run, gone.signal, (text) => {
      log.add(text);
      draw();
    });
    return () => {
      gone.abort();
      if (drawing !== null) clearTimeout(drawing);
      setSteps([]);
    };
  }, [buildId, run]);
  return steps;
}

async function follow(buildId: string, run: number, signal: AbortSignal, take: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let offset = 0;
  while (!signal.aborted) {
    try {
      const response = await fetch(`/v1/builds/${buildId}/log?follow=1&offset=${offset}`, { signal });
      // A run that began meanwhile is another log, which the page requests separately.
      if (!response.ok || response.body === null || Number(response.headers.get("x-log-run")) !== Math.max(1, run))
        return;
      const reader = response.body.getReader();
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        offset += next.value.length;
        take(decoder.decode(next.value, { stream: true }));
      }
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
    }
  }
}
