/** What dashboards are made of, in the JSON that Grafana imports; its published types check each object. */
import type { Dashboard, Panel, VariableModel } from "@grafana/schema";

interface Query {
  readonly expr: string;
  /** Of each series; `{{label}}` stands for a label's value. */
  readonly legend: string;
}

interface PanelText {
  readonly title: string;
  /** As Grafana has it: `s`, `bytes`, `ops`, `percentunit`, `short`. */
  readonly unit: string;
  readonly queries: readonly Query[];
  /** Why there may be nothing to show where all is well. */
  readonly emptyAtRest?: string;
}

export interface DashboardText {
  /** Of the file, and of the dashboard in Grafana. */
  readonly name: "fleet" | "service" | "machine" | "tenant";
  readonly title: string;
  readonly description: string;
  /** Chosen at the top: a label, and the metric whose values it has. */
  readonly choice?: { readonly label: string; readonly of: string };
  readonly panels: readonly PanelText[];
}

/** Of Grafana 10 and newer. */
const SCHEMA_VERSION = 39;
const COLUMNS = 3;
const WIDTH = 24 / COLUMNS;
const HEIGHT = 8;
const SOURCE = { type: "prometheus", uid: "$" + "{datasource}" };

export function dashboardOf({ name, title, description, choice, panels }: DashboardText): Dashboard {
  return {
    uid: `elastic-${name}`,
    title,
    description,
    tags: ["elastic"],
    schemaVersion: SCHEMA_VERSION,
    editable: true,
    refresh: "30s",
    time: { from: "now-3h", to: "now" },
    templating: { list: [dataSourceVariable(), ...(choice === undefined ? [] : [choiceVariable(choice)])] },
    panels: panels.map(panelOf),
  };
}

function panelOf({ title, unit, queries, emptyAtRest }: PanelText, index: number): Panel {
  return {
    id: index + 1,
    type: "timeseries",
    title,
    ...(emptyAtRest === undefined ? {} : { description: emptyAtRest }),
    datasource: SOURCE,
    gridPos: { x: (index % COLUMNS) * WIDTH, y: Math.floor(index / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: "list", placement: "bottom" }, tooltip: { mode: "multi", sort: "desc" } },
    targets: queries.map(({ expr, legend }, at) => ({
      refId: String.fromCharCode("A".charCodeAt(0) + at),
      datasource: SOURCE,
      expr,
      legendFormat: legend,
    })),
  };
}

function dataSourceVariable(): VariableModel {
  return { type: "datasource", name: "datasource", label: "Prometheus", query: "prometheus" };
}

function choiceVariable({ label, of }: { readonly label: string; readonly of: string }): VariableModel {
  const query = `label_values(${of}, ${label})`;
  return {
    type: "query",
    name: label,
    label,
    datasource: SOURCE,
    query: { query, refId: "choices" },
    includeAll: true,
    multi: true,
    current: { selected: true, text: "All", value: "$__all" },
  };
}

/** A quantile of a histogram, over what the panel shows as one point. */
export function quantile(of: number, histogram: string, filter = "", by: readonly string[] = []): string {
  return `histogram_quantile(${of}, sum by (${["le", ...by].join(", ")}) (rate(${histogram}_bucket${filter}[$__rate_interval])))`;
}

/** How fast a counter grows. */
export function rate(counter: string, by: string, filter = ""): string {
  const grouped = by === "" ? "sum" : `sum by (${by})`;
  return `${grouped} (rate(${counter}${filter}[$__rate_interval]))`;
}
