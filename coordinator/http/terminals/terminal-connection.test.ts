/** What a terminal does with a client that neither reads nor responds, and with one that nobody uses. */
import { EventEmitter } from "node:events";
import { beforeEach, expect, test, vi } from "vitest";
import type { WebSocket } from "ws";
import { TerminalConnection } from "./terminal-connection.ts";
import { IDLE_MS, PINGS_MISSED_MAX, PONG_UNSENT_BYTES_MAX, UNSENT_BYTES_MAX } from "./terminal-limits.ts";

/** As much of a WebSocket as a terminal uses. */
class FakeSocket extends EventEmitter {
  bufferedAmount = 0;
  readonly send = vi.fn();
  readonly ping = vi.fn();
  readonly pong = vi.fn();
  readonly close = vi.fn();
  readonly terminate = vi.fn();
}

let socket: FakeSocket;
let connection: TerminalConnection;
let nowMs: number;
let show: (text: string) => void;

beforeEach(() => {
  socket = new FakeSocket();
  nowMs = 0;
  connection = new TerminalConnection(socket as unknown as WebSocket, {
    permission: () => "granted",
    typed: () => undefined,
    isUp: () => true,
    failed: () => undefined,
    monotonicMs: () => nowMs,
  });
  void connection.run((shown) => {
    show = shown;
    return new Promise(() => undefined);
  });
});

test("responds to no ping of a client that leaves the pongs unread", () => {
  socket.emit("ping", Buffer.from("1"));
  expect(socket.pong).toHaveBeenCalledTimes(1);
  socket.bufferedAmount = PONG_UNSENT_BYTES_MAX;
  socket.emit("ping", Buffer.from("2"));
  expect(socket.pong).toHaveBeenCalledTimes(1);
});

test("cuts a client that leaves a mebibyte unread", () => {
  show("a notice");
  expect(socket.send).toHaveBeenCalledTimes(1);
  socket.bufferedAmount = UNSENT_BYTES_MAX + 1;
  show("another");
  expect(socket.send).toHaveBeenCalledTimes(1);
  expect(socket.terminate).toHaveBeenCalled();
});

test("cuts a client that responds to no ping, and keeps one that does", () => {
  for (let count = 0; count < 10; count++) {
    connection.ping();
    socket.emit("pong");
  }
  expect(socket.terminate).not.toHaveBeenCalled();
  for (let count = 0; count <= PINGS_MISSED_MAX; count++) connection.ping();
  expect(socket.terminate).toHaveBeenCalled();
});

test("ends a terminal that nobody has used for an hour, counted from what was typed last", () => {
  nowMs = IDLE_MS - 1;
  connection.review();
  socket.emit("message", Buffer.from("x"), true);
  nowMs += IDLE_MS - 1;
  connection.review();
  expect(socket.close).not.toHaveBeenCalled();
  nowMs += 1;
  connection.review();
  expect(socket.close).toHaveBeenCalledWith(4000, "nobody used the terminal for an hour");
});
