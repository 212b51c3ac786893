import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import {
  call,
  type FrameConnection,
  flags,
  four,
  frame,
  get,
  getFrame,
  greeting,
  openFrames,
  preface,
  settingsOf,
} from "../support/http2-frames.ts";
import { serveSmallWorld } from "../support/server.ts";
import { until } from "../support/until.ts";

/** The shortest patience there is: five seconds more than the longest time of a request. */
const limits = { defaultTimeoutMs: 100, maximumTimeoutMs: 100 };
const { endStream, endHeaders } = flags;
const noError = 0;
const cancel = 8;

const { server, root: token } = await serveSmallWorld({ limits });

const resetCode = async (connection: FrameConnection) => (await connection.one("reset", 1)).payload.readUInt32BE();

function sending(...bytes: readonly Buffer[]): FrameConnection {
  const opened = openFrames(server.url, false);
  opened.send(...bytes);
  return opened;
}

describe.concurrent("In bounded time, a connection is closed that sends", () => {
  test.each([
    ["nothing", []],
    ["half a preface", [preface.subarray(0, 12)]],
    ["a preface alone", [preface]],
    ["a preface and settings", [greeting]],
    ["half a frame", [greeting, frame("headers", endHeaders, 1, get("/"), 99)]],
    ["headers without end", [greeting, frame("headers", endStream, 1, get("/healthz"))]],
    ["a request and nothing more", [greeting, getFrame(1)]],
  ])("%s", async (_, bytes) => {
    await sending(...bytes).untilClosed();
  });

  test("headers without end, again and again, beside a stream that is open", async () => {
    const connection = sending(greeting, openCall(), frame("headers", endStream, 3, get("/healthz")));
    await connection.untilClosed();
  });

  test.each([
    ["pings (CVE-2019-9512)", frame("ping", 0, 0, "12345678")],
    ["settings (CVE-2019-9515)", frame("settings", 0, 0, settingsOf([3, 100]))],
    ["resets (CVE-2019-9514)", frame("window", 0, 1, "\0\0\0\0")],
    ["requests", Buffer.concat([getFrame(1), getFrame(3)])],
  ])("%s and reads nothing", async (_, bytes) => {
    const socket = connect({ port: Number(new URL(server.url).port), host: "127.0.0.1" });
    socket.on("error", () => {}).pause();
    socket.write(greeting);
    const many = Buffer.concat(Array.from({ length: 1_000 }, () => bytes));
    const sending = setInterval(() => socket.writableLength < 1_000_000 && socket.write(many), 5);
    await until("the end of the connection", () => socket.closed);
    clearInterval(sending);
  });

  test("requests, and takes nothing of its connection, whatever its windows", async () => {
    const socket = connect({ port: Number(new URL(server.url).port), host: "127.0.0.1" });
    socket.on("error", () => {}).pause();
    const windows = [frame("settings", 0, 0, settingsOf([4, 0x7fffffff])), frame("window", 0, 0, four(0x7ffe0000))];
    // More than the system keeps for a connection.
    const asked = Array.from({ length: 90 }, (_, index) => getFrame(2 * index + 1, "/openapi.json"));
    socket.write(Buffer.concat([preface, ...windows, ...asked]));
    // What it sends shows it when there is no one to take it.
    const sending = setInterval(() => socket.write(frame("ping", 0, 0, "12345678")), 100);
    await until("the end of the connection", () => socket.closed);
    clearInterval(sending);
  });
});

describe.concurrent("In bounded time, a stream is reset, and the others on its connection are served,", () => {
  test("if its body never ends", async () => {
    const connection = sending(greeting, openCall());
    let stream = 1;
    const dripping = setInterval(() => {
      stream += 2;
      connection.send(frame("data", 0, 1, " "), getFrame(stream));
    }, 50);
    // It has been answered with its deadline.
    expect(await resetCode(connection)).toBe(noError);
    clearInterval(dripping);
    const served = connection.received().filter(({ type, stream: of }) => type === 1 && of > 1);
    expect(served.length).toBeGreaterThan(0);
    connection.close();
  });

  test("if its answer isn't read", async () => {
    const closed = frame("settings", 0, 0, settingsOf([4, 0]));
    const connection = sending(preface, closed, getFrame(1, "/openapi.json"));
    expect(await resetCode(connection)).toBe(cancel);
    connection.send(getFrame(3));
    await connection.one("headers", 3);
    connection.close();
  });
});

test("Nothing of them is left", async () => {
  await until("no connection", async () => (await server.openConnections()) === 0);
});

/** A call whose body has begun. */
function openCall(): Buffer {
  return Buffer.concat([frame("headers", endHeaders, 1, call("ListAuthorizations", token)), frame("data", 0, 1, "{")]);
}
