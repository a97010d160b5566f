/** A coordinator with its own authority, the listener for enrollment, and machines that the test plays. */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type EnrollResponse,
  EnrollServiceClient,
  type RenewCertificateResponse,
} from "@elastic/proto/gen/elastic/fleet/v1/enroll.ts";
import { FleetServiceClient } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { type Clock, systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { makeSigningRequest } from "@elastic/std/x509/signing-request.ts";
import { credentials, type ServiceError } from "@grpc/grpc-js";
import { rootOfLines } from "../../enrollment/authority.ts";
import { LiveAuthority } from "../../enrollment/live-authority.ts";
import { makeJoinToken } from "../../enrollment/make-join-token.ts";
import { ownHosts } from "../../enrollment/own-hosts.ts";
import type { ReleasesPlace } from "../../program-releases/releases-folder.ts";
import { serveInstalls } from "../../program-releases/serve-installs.ts";
import { type EnrollServer, startEnrollServer } from "../enroll-server.ts";
import { ownTls } from "../own-tls.ts";
import type { CertificateFiles, FakeAgent } from "./fake-agent.ts";
import { type Coordinator, FleetFixture } from "./fleet-fixture.ts";

export const CERTIFICATE_LIFE_MS = 3_600_000;

export interface Keys {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export interface EnrollOptions {
  readonly token: string;
  readonly nodeName?: string;
  readonly machine?: string;
  readonly keys?: Keys;
  /** In place of what the keys and the name make. */
  readonly csr?: Buffer;
  /** What the machine trusts. */
  readonly caPem?: string;
}

export function newKeys(): Keys {
  return generateKeyPairSync("ec", { namedCurve: "prime256v1" });
}

export class EnrollmentFixture {
  readonly fleet: FleetFixture;
  readonly coordinator: Coordinator;
  readonly authority: LiveAuthority;
  readonly #server: EnrollServer;
  readonly #clock: MovedClock;
  readonly #folder = mkdtempSync(join(tmpdir(), "machines-"));
  readonly #clients: { close(): void }[] = [];
  #files = 0;

  private constructor(
    fleet: FleetFixture,
    coordinator: Coordinator,
    authority: LiveAuthority,
    server: EnrollServer,
    clock: MovedClock,
  ) {
    this.fleet = fleet;
    this.coordinator = coordinator;
    this.authority = authority;
    this.#server = server;
    this.#clock = clock;
  }

  /** Without releases by default. */
  static async open(releases: ReleasesPlace = { folder: "/none", keysFile: "/none" }): Promise<EnrollmentFixture> {
    const fleet = await FleetFixture.open();
    const clock = new MovedClock();
    const coordinator = await fleet.coordinator({ clock, certificateLifeMs: CERTIFICATE_LIFE_MS });
    const log = createLog({ name: "test", level: "silent" });
    const authority = await LiveAuthority.open({ kv: coordinator.kv, secrets: fleet.secrets, clock, log });
    const server = await startEnrollServer({
      store: coordinator.store,
      authority,
      tls: ownTls(authority, ownHosts([])),
      certificateLifeMs: CERTIFICATE_LIFE_MS,
      listen: "127.0.0.1:0",
      coordinators: { addresses: () => [coordinator.fleet.address] },
      installs: serveInstalls({
        place: releases,
        version: "1.0.0",
        authorityPem: () => rootOfLines(authority.current()),
        clock,
        log,
      }),
      metrics: coordinator.metrics,
      clock,
      log,
    });
    return new EnrollmentFixture(fleet, coordinator, authority, server, clock);
  }

  /** Of the listener for enrollment. */
  get enrollAddress(): string {
    return this.#server.address;
  }

  /** Of the roots that are trusted now. */
  caPem(): string {
    return this.authority.current().trusted.pem;
  }

  /** For the coordinator, and not for TLS. */
  moveClock(byMs: number): void {
    this.#clock.byMs += byMs;
  }

  async token(nodeName: string | null = null, seconds = 600): Promise<string> {
    const made = await makeJoinToken(this.coordinator.store, { nodeName, seconds, creatorId: null }, this.#clock);
    if (made === null) throw new Error("no token");
    return made.text;
  }

  /** Rejects with the status. */
  enroll({
    token,
    nodeName = "gpu-7",
    machine = "",
    keys = newKeys(),
    csr,
    caPem = this.caPem(),
  }: EnrollOptions): Promise<EnrollResponse> {
    const tls = credentials.createSsl(Buffer.from(caPem));
    const client = new EnrollServiceClient(this.#server.address, tls);
    this.#clients.push(client);
    const csrDer = csr ?? makeSigningRequest(nodeName, keys.publicKey, keys.privateKey);
    return responseOf((done) => client.enroll({ token, csrDer, nodeName, machine, agentVersion: "1" }, done));
  }

  /** A certificate of the node, by a token of its name. */
  async certificateOf(nodeName: string): Promise<CertificateFiles> {
    const keys = newKeys();
    const answer = await this.enroll({ token: await this.token(nodeName), nodeName, keys });
    return this.files(answer.certificateChainPem, keys);
  }

  files(certificatePem: string, keys: Keys): CertificateFiles {
    this.#files += 1;
    const path = (kind: string) => join(this.#folder, `${this.#files}.${kind}`);
    const files = { ca: path("ca"), cert: path("crt"), key: path("key") };
    writeFileSync(files.ca, this.caPem());
    writeFileSync(files.cert, certificatePem);
    writeFileSync(files.key, keys.privateKey.export({ type: "pkcs8", format: "pem" }));
    return files;
  }

  /** A figure of the coordinator by one label, as it is now. */
  async counted(name: string): Promise<Readonly<Record<string, number>>> {
    const { values = [] } = (await this.coordinator.metrics.registry.getSingleMetric(name)?.get()) ?? {};
    return Object.fromEntries(values.map(({ labels, value }) => [Object.values(labels).join(), value]));
  }

  agent(nodeName: string, files: CertificateFiles): FakeAgent {
    return this.fleet.agent(this.coordinator, nodeName, files);
  }

  /** Rejects with the status. */
  renew(certificatePem: string, keys: Keys, csrDer: Buffer): Promise<RenewCertificateResponse> {
    const key = Buffer.from(keys.privateKey.export({ type: "pkcs8", format: "pem" }));
    const tls = credentials.createSsl(Buffer.from(this.caPem()), key, Buffer.from(certificatePem));
    const client = new FleetServiceClient(this.coordinator.fleet.address, tls, { "grpc.use_local_subchannel_pool": 1 });
    this.#clients.push(client);
    return responseOf((done) => client.renewCertificate({ csrDer }, done));
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.close();
    await this.#server.stop();
    await this.fleet.close();
    rmSync(this.#folder, { recursive: true });
  }
}

class MovedClock implements Clock {
  byMs = 0;
  now(): number {
    return systemClock.now() + this.byMs;
  }
  monotonicMs(): number {
    return systemClock.monotonicMs();
  }
}

function responseOf<T>(call: (done: (error: ServiceError | null, answer: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => call((error, answer) => (error === null ? resolve(answer) : reject(error))));
}
