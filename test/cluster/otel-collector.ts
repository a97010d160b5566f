/** OpenTelemetry's own collector, and the spans that it received: `await using collector = await startOtelCollector()`. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { until } from "@elastic/deploy/local/until.ts";
import { programPath } from "./machine.ts";
import { startPart } from "./part.ts";
import { makeWorkFolder } from "./work-folder.ts";

const START_TIMEOUT_MS = 30_000;

interface CollectedSpan {
  /** Of the program, such as `elastic-agent`. */
  readonly service: string;
  readonly instance: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first of a trace. */
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export interface OtelCollector extends AsyncDisposable {
  readonly endpoint: string;
  spans(): readonly CollectedSpan[];
}

/** As the collector writes JSON (opentelemetry-proto, trace/v1). */
interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string };
}
interface Line {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Pick<CollectedSpan, "name" | "traceId" | "spanId"> & {
        readonly parentSpanId?: string;
        readonly attributes?: readonly Attribute[];
      })[];
    }[];
  }[];
}

export async function startOtelCollector(): Promise<OtelCollector> {
  const folder = makeWorkFolder();
  const [config, file] = [join(folder.path, "collector.json"), join(folder.path, "spans.jsonl")];
  let endpoint = "";
  const part = await startPart<string>({
    async program() {
      const port = await freePort();
      endpoint = `http://127.0.0.1:${port}`;
      const traces = { receivers: ["otlp"], exporters: ["file"] };
      writeFileSync(
        config,
        JSON.stringify({
          receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
          exporters: { file: { path: file, flush_interval: "200ms" } },
          service: { pipelines: { traces }, telemetry: { metrics: { level: "none" } } },
        }),
      );
      return {
        name: "otel-collector",
        command: inRepository(".cache", "bin", "otelcol"),
        args: [`--config=file:${config}`],
        env: { PATH: programPath() },
        logFile: join(folder.path, "collector.log"),
      };
    },
    async becomesReady(child) {
      const look = async () => ((await fetch(`${endpoint}/v1/traces`)).status === 405 ? true : undefined);
      await child.whileRunning((signal) => until("the collector", look, { timeoutMs: START_TIMEOUT_MS, signal }));
      return endpoint;
    },
    triesMax: 3,
  });
  return {
    endpoint,
    spans: () => (existsSync(file) ? readFileSync(file, "utf8").split("\n") : []).flatMap(spansOf),
    async [Symbol.asyncDispose]() {
      await part[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** The last line may not be complete yet. */
function spansOf(line: string): readonly CollectedSpan[] {
  if (!line.endsWith("}")) return [];
  return (JSON.parse(line) as Line).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const { "service.name": service = "", "service.instance.id": instance = "" } = valuesOf(resource.attributes);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ parentSpanId = "", attributes = [], ...span }) => ({
        ...span,
        parentSpanId,
        service,
        instance,
        attributes: valuesOf(attributes),
      })),
    );
  });
}

function valuesOf(attributes: readonly Attribute[]): Readonly<Record<string, string>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? ""]));
}
