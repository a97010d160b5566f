/**
 * gRPC streams to etcd, for watches and the renewal of leases. Each goes to the member that is current when it is opened;
 * a stream that fails leaves that member, and whoever opened it opens another.
 */
import { type ChannelCredentials, Client, type ClientDuplexStream, type MethodDefinition, status } from "@grpc/grpc-js";
import { type EtcdLogin, tokenCredentials } from "./etcd-login.ts";
import type { EtcdMembers } from "./etcd-members.ts";

export interface EtcdStreamsOptions {
  readonly members: EtcdMembers;
  readonly channel: ChannelCredentials;
  readonly login: EtcdLogin;
  readonly messageBytesMax: number;
}

export interface MemberStream<Request, Response> {
  readonly stream: ClientDuplexStream<Request, Response>;
  /** Nothing comes from its member. */
  leave(): void;
  /** Whether something was wrong with its member since it was opened. */
  isLeft(): boolean;
}

export class EtcdStreams {
  readonly #options: EtcdStreamsOptions;
  /** By endpoint; gRPC reconnects each on its own. */
  readonly #clients = new Map<string, Client>();

  constructor(options: EtcdStreamsOptions) {
    this.#options = options;
  }

  /** Errors of the stream are for the caller to handle; this only looks at them. */
  open<Request, Response>(method: MethodDefinition<Request, Response>): MemberStream<Request, Response> {
    const { members, login } = this.#options;
    const endpoint = members.current();
    const { path, requestSerialize, responseDeserialize } = method;
    const options = { credentials: tokenCredentials(login) };
    const client = this.#client(endpoint);
    const stream = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, options);
    stream.on("error", ({ code, message }: Error & { readonly code?: number }) => {
      // The caller's own doing.
      if (code === status.CANCELLED) return;
      if (!login.isRefused(message)) members.leave(endpoint);
    });
    return { stream, leave: () => members.leave(endpoint), isLeft: () => members.current() !== endpoint };
  }

  close(): void {
    for (const client of this.#clients.values()) client.close();
  }

  #client(endpoint: string): Client {
    const known = this.#clients.get(endpoint);
    if (known !== undefined) return known;
    const { channel, messageBytesMax } = this.#options;
    const client = new Client(new URL(endpoint).host, channel, {
      // etcd ends a connection as abused ("excess pings") after a few pings that come faster than every 5 s, or at any
      // pace while no call is open: an idle connection is left alone, and its next call finds out on its own. Where
      // watches and leases are open, what etcd sends forgives a ping that jitter brings early.
      "grpc.keepalive_time_ms": 6000,
      "grpc.keepalive_timeout_ms": 2000,
      "grpc.keepalive_permit_without_calls": 0,
      "grpc.initial_reconnect_backoff_ms": 100,
      "grpc.max_reconnect_backoff_ms": 500,
      "grpc.max_receive_message_length": messageBytesMax,
      "grpc.max_send_message_length": messageBytesMax,
    });
    this.#clients.set(endpoint, client);
    return client;
  }
}
