/** Reports the state of a commit's release to the source host, with retries; what it rejects is not repeated. */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { Build } from "../domain/build.ts";
import { commitState } from "../domain/release.ts";
import type { Versioned } from "../domain/versioned.ts";
import type { SourceAccess } from "../source-hosts/source-access.ts";
import { SourceHostError, type SourceHostErrorCode } from "../source-hosts/source-host-error.ts";
import { replace } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import { commitStatus } from "./commit-status.ts";

export interface ReportOptions {
  readonly store: Pick<Store, "commit" | "view">;
  readonly access: Pick<SourceAccess, "setCommitStatus">;
  readonly publicUrl: string | null;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Logger;
}

const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 5 * 60_000;
/** Nobody waits for the status of an older one. */
const AGE_MS_MAX = 24 * 3_600_000;
/** Everything else is the host's last word. */
const PASSING: readonly SourceHostErrorCode[] = ["host_down", "host_invalid", "app_rejected"];

interface Failing {
  readonly state: string;
  readonly waitMs: number;
  readonly notBeforeMs: number;
}

export class ReleaseReporter {
  readonly #options: ReportOptions;
  readonly #failing = new Map<string, Failing>();

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  /** Whether a report to the host is due. `now` is the wall clock. */
  isDue({ id, release, origin, createdAt }: Build, now: number): boolean {
    if (release === null || origin === null || origin.commit === null) return false;
    const state = commitState(release);
    if (release.reported === state || createdAt < now - AGE_MS_MAX) return false;
    const failing = this.#failing.get(id);
    return failing?.state !== state || failing.notBeforeMs <= this.#options.clock.monotonicMs();
  }

  async report(build: Versioned<Build>): Promise<void> {
    const { access, store, publicUrl } = this.#options;
    const { id, release, origin, serviceId } = build.value;
    if (release === null || origin === null || origin.commit === null) return;
    const serviceName = store.view.services.get(serviceId)?.value.name ?? serviceId;
    const status = commitStatus(build.value, release, { serviceName, publicUrl });
    try {
      await access.setCommitStatus(origin.from, origin.commit, status);
    } catch (error) {
      if (!(error instanceof SourceHostError)) throw error;
      this.#note(id, status.state, error);
      return;
    }
    this.#failing.delete(id);
    await store.commit([replace("builds", build, { ...build.value, release: { ...release, reported: status.state } })]);
  }

  /** Of builds that are not there any more. */
  forget(isKnown: (id: string) => boolean): void {
    for (const id of this.#failing.keys()) if (!isKnown(id)) this.#failing.delete(id);
  }

  #note(id: string, state: string, error: SourceHostError): void {
    const { clock, log } = this.#options;
    const before = this.#failing.get(id);
    const waitMs = before?.state === state ? Math.min(RETRY_MS_MAX, 2 * before.waitMs) : RETRY_MS_MIN;
    const isFinal = !PASSING.includes(error.code);
    this.#failing.set(id, { state, waitMs, notBeforeMs: isFinal ? Infinity : clock.monotonicMs() + waitMs });
    log.warn({ err: error, buildId: id, state, isFinal }, "the source host rejected the status of a commit");
  }
}
