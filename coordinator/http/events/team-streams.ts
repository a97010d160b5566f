/**
 * Sends what changes in teams to the streams that follow them. However many follow a team, its changes are gathered and made into
 * bytes once; a record is named at most once a second. Each event's id is the revision of the store up to which everything
 * has been sent, so a client continues after it at any coordinator.
 */
import type { Clock } from "@elastic/std/clock.ts";
import { eventText } from "../../public/server-event.ts";
import type { TeamChange } from "../../public/team-change.ts";
import { changesEvent, resetEvent } from "../../public/team-event.ts";
import type { Store } from "../../store/store.ts";
import type { EventStream } from "../sse/event-stream.ts";
import { ChangeBatch } from "./change-batch.ts";
import { ChangeHistory } from "./change-history.ts";
import { observeChanges } from "./observe-changes.ts";

/** Between two events of a team. */
const EVENTS_EVERY_MS = 1_000;
/** So that what is committed together is sent together. */
const GATHER_MS = 20;

/** Where a client continues: a revision of the store as it was in one of its epochs. */
export interface Position {
  readonly epoch: number;
  readonly revision: number;
}

interface FollowedTeam {
  readonly streams: Set<EventStream>;
  readonly batch: ChangeBatch;
  timer: NodeJS.Timeout | null;
  /** On the monotonic clock. */
  sentAtMs: number;
}

export class TeamStreams {
  readonly #store: Pick<Store, "view" | "epoch">;
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #history: ChangeHistory;
  readonly #teams = new Map<string, FollowedTeam>();
  readonly #unobserve: () => void;

  constructor({ store, clock }: { readonly store: Pick<Store, "view" | "epoch">; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
    this.#history = new ChangeHistory(store.view.revision());
    this.#unobserve = observeChanges(store.view, (change) => this.#note(change));
  }

  stop(): void {
    this.#unobserve();
    for (const { timer } of this.#teams.values()) if (timer !== null) clearTimeout(timer);
    this.#teams.clear();
  }

  /** Sends what was missed since a position, or that it is unknown, and from now on what changes. */
  follow(teamId: string, stream: EventStream, after: Position | null): void {
    const team = this.#teams.get(teamId) ?? newTeam();
    this.#teams.set(teamId, team);
    team.streams.add(stream);
    stream.body.once("close", () => this.#leave(teamId, stream));
    const missed = after?.epoch === this.#store.epoch ? this.#history.since(teamId, after.revision) : null;
    if (missed === null) {
      stream.send(resetEvent(this.#position()));
    } else {
      const batch = new ChangeBatch();
      for (const change of missed) batch.add(change);
      stream.send(changesEvent(this.#position(), batch.take()));
    }
    // A client sees that it is connected, and continues from a revision that is still known.
    stream.onBeat(() => stream.send(changesEvent(this.#position(), [])));
  }

  #note(change: TeamChange): void {
    this.#history.add(change);
    const team = this.#teams.get(change.teamId);
    if (team === undefined) return;
    team.batch.add(change);
    if (team.timer !== null) return;
    const dueInMs = team.sentAtMs + EVENTS_EVERY_MS - this.#clock.monotonicMs();
    team.timer = setTimeout(() => this.#send(team), Math.max(GATHER_MS, dueInMs));
  }

  #send(team: FollowedTeam): void {
    team.timer = null;
    team.sentAtMs = this.#clock.monotonicMs();
    const event = Buffer.from(eventText(changesEvent(this.#position(), team.batch.take())));
    for (const stream of team.streams) stream.sendBytes(event);
  }

  /** Everything that the view had been brought by now was noted, and is in what is sent. */
  #position(): string {
    return `${this.#store.epoch}-${this.#store.view.revision()}`;
  }

  #leave(teamId: string, stream: EventStream): void {
    const team = this.#teams.get(teamId);
    if (team === undefined || !team.streams.delete(stream) || team.streams.size > 0) return;
    if (team.timer !== null) clearTimeout(team.timer);
    this.#teams.delete(teamId);
  }
}

function newTeam(): FollowedTeam {
  return { streams: new Set(), batch: new ChangeBatch(), timer: null, sentAtMs: Number.NEGATIVE_INFINITY };
}
