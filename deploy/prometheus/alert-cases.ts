/**
 * For each alert of elastic.rules.yml what it must fire on, and what it must not: series as promtool takes them, one sample a
 * minute if not said (https://prometheus.io/docs/prometheus/latest/configuration/unit_testing_rules/).
 */
export interface AlertCase {
  readonly fires: readonly Series[];
  readonly silent: readonly Series[];
  /** Bad enough, and over: silent too. */
  readonly over?: readonly Series[];
  /** When both are judged. */
  readonly at: string;
  /** Between two samples; one where it is not said. */
  readonly everyMinutes?: number;
}

/** The series without `elastic_`, or Prometheus' own `up`, and its samples. */
type Series = readonly [series: string, values: string];

const REQUESTS = 'http_requests_total{route="/v1/tasks/:id",status=';
const ENDED = "tasks_ended_total{reason=";
const CLAIMED = "task_create_to_claim_seconds";
const LEADS: Series = ['scheduler_leader{instance="a"}', "1x300"];
const FOLLOWS: Series = ['scheduler_leader{instance="a"}', "0x300"];

/** Of a gauge: the value that it must fire at, and the nearest that is fine. */
function gauge(series: string, fires: number, silent: number, at = "30m"): AlertCase {
  return { fires: [[series, `${fires}x300`]], silent: [[series, `${silent}x300`]], at };
}

/** Of a counter that must not grow; what it was long ago is no reason. */
function counter(series: string): AlertCase {
  return { fires: [[series, "0x20 1x10"]], silent: [[series, "5x300"]], at: "25m" };
}

/** Of the certificate that lasts ten minutes and is renewed every six, in seconds: when each began, plus `offset`. */
function renewed(offset: number): string {
  return Array.from({ length: 10 }, (_, n) => `${360 * n + offset}x5`).join(" ");
}

const CERTIFICATE_BEGINS = "agent_certificate_begins_timestamp_seconds";
const CERTIFICATE_ENDS = "agent_certificate_ends_timestamp_seconds";

/** Of a loop of coordinator a: a gauge. */
function ofLoop(gauge: string, loop: string): string {
  return `loop_${gauge}{loop="${loop}",instance="a"}`;
}

/**
 * Bad events that use the month's budget so many times too fast; when that shows; from when on they are over; and how far samples
 * are apart, in minutes: three days of one a minute take promtool minutes.
 */
const BURN_RATES = [
  { times: 14.4, at: "90m", overMinute: 80, everyMinutes: 1 },
  { times: 6, at: "390m", overMinute: 350, everyMinutes: 5 },
  { times: 1, at: "78h", overMinute: 4_260, everyMinutes: 60 },
] as const;

/** Of a counter: such a share of 100,000 events between two samples; of bad ones until they are over. */
type Counted = (share: number, kind?: "bad") => string;

/**
 * Of the three alerts of a service level: each fires a twentieth above its burn rate, is silent a twentieth below, and where
 * there were far more bad events until a short while ago.
 */
function serviceLevel(
  names: readonly [string, string, string],
  budget: number,
  events: (badShare: number, counted: Counted) => readonly Series[],
): Readonly<Record<string, AlertCase>> {
  return Object.fromEntries(
    BURN_RATES.map(({ times, at, overMinute, everyMinutes }, index) => {
      const samples = 100;
      const growing: Counted = (share) => `0+${Math.round(100_000 * share)}x${samples}`;
      const ending: Counted = (share, kind) => {
        const each = Math.round(100_000 * share);
        const bad = overMinute / everyMinutes;
        return kind === "bad" ? `0+${each}x${bad} ${each * bad}x${samples - bad}` : growing(share);
      };
      const one: AlertCase = {
        fires: events(1.05 * times * budget, growing),
        silent: events(0.95 * times * budget, growing),
        over: events(3 * times * budget, ending),
        at,
        everyMinutes,
      };
      return [names[index], one];
    }),
  );
}

export const ALERT_CASES: Readonly<Record<string, AlertCase | readonly AlertCase[]>> = {
  ...serviceLevel(
    ["ElasticApiErrorsFast", "ElasticApiErrorsSlow", "ElasticApiErrorsForDays"],
    0.001,
    (share, counted) => [
      [`${REQUESTS}"503"}`, counted(share, "bad")],
      [`${REQUESTS}"200"}`, counted((1 - share) / 2)],
      // What clients send wrongly is no failure.
      [`${REQUESTS}"404"}`, counted((1 - share) / 2)],
    ],
  ),
  ...serviceLevel(["ElasticTasksFail", "ElasticTasksFailSlow", "ElasticTasksFailForDays"], 0.001, (share, counted) => [
    [`${ENDED}"node_lost"}`, counted(share, "bad")],
    [`${ENDED}"none"}`, counted(1 - share)],
    // Failures of users' provers do not count, however many.
    [`${ENDED}"prover_error"}`, counted(5)],
  ]),
  ...serviceLevel(["ElasticQueueStalls", "ElasticQueueSlow", "ElasticQueueSlowForDays"], 0.01, (share, counted) => [
    [`${CLAIMED}_bucket{le="120",instance="a"}`, counted(1 - share)],
    [`${CLAIMED}_count{instance="a"}`, counted(1 - share)],
    // Half of the others come to run too late, half of them never.
    [`${CLAIMED}_bucket{le="120",instance="b"}`, counted(0)],
    [`${CLAIMED}_count{instance="b"}`, counted(share / 2, "bad")],
    [`${ENDED}"queue_timeout"}`, counted(share / 2, "bad")],
  ]),
  ElasticTargetDown: gauge('up{job="elastic-agent",instance="a"}', 0, 1),
  ElasticNoLeader: { fires: [["scheduler_leader", "0x30"]], silent: [["scheduler_leader", "1x30"]], at: "10m" },
  ElasticCircuitBreakerOpen: gauge("scheduler_brake", 1, 0),
  ElasticNodesLost: gauge('nodes{state="lost"}', 1, 0),
  ElasticPoolStopped: gauge("pools_stopped", 1, 0),
  ElasticUpgradePaused: gauge("upgrade_paused", 1, 0),
  ElasticPoolDriverFails: {
    fires: [['pool_driver_calls_total{call="grow",instance="a",outcome="failed"}', "0+1x60"]],
    silent: [
      ['pool_driver_calls_total{call="grow",instance="a",outcome="failed"}', "0+1x60"],
      ['pool_driver_calls_total{call="grow",instance="a",outcome="succeeded"}', "0+1x60"],
    ],
    at: "50m",
  },
  ElasticNodeQuarantined: gauge("nodes_quarantined", 1, 0),
  ElasticStoreFull: gauge("store_full", 1, 0),
  ElasticStoreNearlyFull: gauge("store_nearly_full", 1, 0),
  ElasticStoreChanged: gauge("store_changed", 1, 0),
  ElasticStoreViewOld: gauge("store_view_age_seconds", 11, 10),
  ElasticRecordsUnreadable: gauge("store_unreadable_records", 1, 0),
  ElasticSchedulingFails: counter("scheduler_failures_total"),
  ElasticClockOff: gauge("clock_trusted", 0, 1),
  ElasticClocksDisagree: gauge("clock_majority", 0, 1),
  ElasticLostTasks: counter("lost_tasks_total"),
  ElasticBlobsCorrupt: counter("blobs_corrupt_total"),
  ElasticRegistryKeepsImages: gauge("registry_deletions_refused", 1, 0, "2h"),
  ElasticTasksExpireInQueue: counter('tasks_ended_total{reason="queue_timeout"}'),
  ElasticLoopFails: [
    {
      fires: [[ofLoop("failing", "move_tasks"), "1x300"], LEADS],
      // As a coordinator of an earlier version leaves it that no longer leads.
      silent: [[ofLoop("failing", "move_tasks"), "1x300"], FOLLOWS],
      at: "30m",
    },
    {
      // Who sends webhooks need not schedule.
      fires: [[ofLoop("failing", "tidy_deliveries"), "1x300"], FOLLOWS],
      // It failed until leadership was lost, and has not had a turn since that returned.
      silent: [[ofLoop("failing", "tidy_deliveries"), "1x60 _x60"], LEADS],
      at: "75m",
    },
  ],
  ElasticLoopHangs: [
    {
      fires: [[ofLoop("last_success_timestamp_seconds", "sweep_blobs"), "0x300"], LEADS],
      // Two hours and a half ago, of a loop that runs every hour.
      silent: [[ofLoop("last_success_timestamp_seconds", "sweep_blobs"), "5400x300"], LEADS],
      at: "4h",
    },
    {
      // It led in the first hour, and leads again since the fourth: its first turn of that term hangs.
      fires: [
        [ofLoop("active_since_timestamp_seconds", "move_tasks"), "0x59 _x179 14400x60"],
        ['scheduler_leader{instance="a"}', "1x59 0x179 1x60"],
      ],
      // The next turn of a loop that runs every hour is not due yet.
      silent: [
        [ofLoop("last_success_timestamp_seconds", "sweep_blobs"), "0x59 _x240"],
        [ofLoop("active_since_timestamp_seconds", "sweep_blobs"), "0x59 _x179 14400x60"],
        ['scheduler_leader{instance="a"}', "1x59 0x179 1x60"],
      ],
      at: "4h30m",
    },
    {
      fires: [[ofLoop("active_since_timestamp_seconds", "tidy_deliveries"), "0x300"], FOLLOWS],
      // As a coordinator of an earlier version leaves it that no longer sends.
      silent: [[ofLoop("last_success_timestamp_seconds", "tidy_deliveries"), "0x300"], FOLLOWS],
      at: "30m",
    },
  ],
  ElasticAgentUnlinked: gauge("agent_links_up", 0, 1),
  ElasticAgentFenced: counter("agent_fences_total"),
  ElasticProversUnsealed: {
    fires: [["agent_egress_policies", "0x5 1x30"]],
    silent: [["agent_egress_policies", "0x30"]],
    at: "20m",
  },
  ElasticEngineDown: { fires: [["agent_engines", "1x5 0x30"]], silent: [["agent_engines", "0x30"]], at: "20m" },
  ElasticCertificateEnds: [
    // Of an agent that does not report when its certificate began.
    gauge(CERTIFICATE_ENDS, 7 * 3600, 8 * 3600, "90m"),
    // Of a day: 5.5 hours are left, and 6.5.
    {
      fires: [
        [CERTIFICATE_ENDS, `${7 * 3600}x300`],
        [CERTIFICATE_BEGINS, `${-17 * 3600}x300`],
      ],
      silent: [
        [CERTIFICATE_ENDS, `${8 * 3600}x300`],
        [CERTIFICATE_BEGINS, `${-16 * 3600}x300`],
      ],
      at: "90m",
    },
    // Of ten minutes: not renewed, and renewed in time.
    {
      fires: [
        [CERTIFICATE_ENDS, "600x60"],
        [CERTIFICATE_BEGINS, "0x60"],
      ],
      silent: [
        [CERTIFICATE_ENDS, renewed(600)],
        [CERTIFICATE_BEGINS, renewed(0)],
      ],
      at: "50m",
    },
  ],
  ElasticGpuQuarantined: gauge("agent_gpu_healthy", 0, 1, "2h"),
  ElasticGpuLost: counter('agent_gpu_xids_total{xid="79"}'),
  ElasticGpuMemoryFails: counter('agent_gpu_xids_total{xid="48"}'),
  ElasticGpuFaults: counter('agent_attempts_total{outcome="gpu_fault"}'),
  ElasticDisksFull: gauge("agent_disk_pressure", 1, 0),
  ElasticTasksFailForDisks: counter('agent_attempts_total{outcome="node_disk_full"}'),
  ElasticOutcomesWait: gauge("agent_outcomes_spooled", 1, 0),
};
