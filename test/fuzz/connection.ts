import { type ClientHttp2Session, connect as connectHttp2, type IncomingHttpHeaders } from "node:http2";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { frame } from "../support/frames.ts";
import { type Answer, type AnswerReader, answerReader } from "./answers.ts";
import { healthCheck, isHealthy, problemOfFrames } from "./frame-answers.ts";
import type { Input, StreamInput } from "./input.ts";

/** What became of an input. */
type Outcome = {
  readonly answers: readonly Answer[];
  readonly isClosed: boolean;
  /** Why there is no more; undefined when everything came that had to. */
  readonly problem: string | undefined;
};

/** How long an answer may take, in milliseconds: longer than the server's own deadline. */
const patienceMs = 20_000;

/** A place where one input after the other is sent; connections stay open for the next where HTTP allows it. */
export type Lane = { exchange(input: Input): Promise<Outcome>; close(): void };

export function openLane(port: number): Lane {
  let kept: Socket | undefined;
  let session: ClientHttp2Session | undefined;
  return {
    async exchange(input) {
      if (input.answers === "frames") return exchangeFrames(port, input);
      if (input.stream !== undefined) {
        if (session === undefined || session.closed)
          session = connectHttp2(`http://127.0.0.1:${port}`).on("error", () => {});
        return exchangeOnStream(session, input.stream);
      }
      if (!input.keepsAlive) return onOwnConnection(port, input);
      const socket = kept?.readable ? kept : await opened(port);
      kept = undefined;
      const outcome = await exchangeOn(socket, input);
      const isDone = outcome.answers.at(-1)?.headers.get("connection") === "close";
      if (outcome.isClosed || outcome.problem !== undefined || isDone) socket.destroy();
      else kept = socket;
      return outcome;
    },
    close() {
      kept?.destroy();
      session?.destroy();
    },
  };
}

/** Its trailers come as the last frame of the body, as in gRPC-Web, so that one judge judges both. */
function exchangeOnStream(
  session: ClientHttp2Session,
  { headers, pieces, withTrailers }: StreamInput,
): Promise<Outcome> {
  const stream = session.request(headers, { waitForTrailers: withTrailers });
  if (withTrailers) stream.on("wantTrailers", () => stream.sendTrailers({ x: "y" }));
  const chunks: Buffer[] = [];
  let head: IncomingHttpHeaders = {};
  let trailers: IncomingHttpHeaders = {};
  return new Promise((resolve) => {
    const finish = (problem: string | undefined) => {
      clearTimeout(givingUp);
      const lines = Object.entries(trailers).map(([name, value]) => `${name}: ${value}\r\n`);
      const found = new Map(Object.entries(head).map(([name, value]) => [name, String(value)]));
      found.set("content-type", String(head["content-type"]).replace(/^application\/grpc\+/, "application/grpc-web+"));
      const body = Buffer.concat([...chunks, ...(lines.length > 0 ? [frame(lines.join(""), { flags: 0x80 })] : [])]);
      resolve({ answers: [{ status: Number(head[":status"]), headers: found, body }], isClosed: false, problem });
    };
    const givingUp = setTimeout(() => finish(`no answer in ${patienceMs / 1_000} seconds`), patienceMs);
    stream.on("response", (found) => {
      head = found;
    });
    stream.on("trailers", (found) => {
      trailers = found;
    });
    // A refused body is reset, but its answer came before that.
    stream.on("error", () => {}).on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("close", () => finish(head[":status"] === undefined ? "the stream was reset" : undefined));
    for (const piece of pieces) stream.write(piece);
    stream.end();
  });
}

async function onOwnConnection(port: number, input: Input): Promise<Outcome> {
  const socket = await opened(port);
  try {
    return await exchangeOn(socket, input);
  } finally {
    socket.destroy();
  }
}

/** Sends frames of HTTP/2 until the server closes, and then looks whether it still serves. */
async function exchangeFrames(port: number, input: Input): Promise<Outcome> {
  const socket = await opened(port);
  const bytes: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => bytes.push(chunk));
  const closed = isOver(socket);
  await play(socket, input);
  const found = (await closed) ? problemOfFrames(Buffer.concat(bytes)) : "the connection is not closed";
  socket.destroy();
  return { answers: [], isClosed: true, problem: found ?? (await problemOfHealth(port)) };
}

async function problemOfHealth(port: number): Promise<string | undefined> {
  const socket = await opened(port);
  let bytes = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    if (isHealthy(bytes)) socket.destroy();
  });
  const closed = isOver(socket);
  socket.write(healthCheck);
  await closed;
  socket.destroy();
  return isHealthy(bytes) ? undefined : "another connection is not served";
}

/** Whether a connection is over before patience is. */
function isOver(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    const givingUp = setTimeout(() => resolve(false), patienceMs);
    const over = () => {
      clearTimeout(givingUp);
      resolve(true);
    };
    socket.once("end", over).once("close", over);
  });
}

function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      // What breaks the connection is seen by what is missing afterwards.
      socket.on("error", () => {});
      resolve(socket);
    });
  });
}

function exchangeOn(socket: Socket, input: Input): Promise<Outcome> {
  const reader = answerReader(input.isHead ?? false);
  let isClosed = socket.readableEnded || socket.destroyed;
  return new Promise((resolve) => {
    const listeners = {
      data(chunk: Buffer) {
        reader.add(chunk);
        settle();
      },
      end: closed,
      close: closed,
    };
    const givingUp = setTimeout(() => finish(`no answer in ${patienceMs / 1_000} seconds`), patienceMs);
    function closed() {
      isClosed = true;
      reader.end();
      settle();
    }
    function settle() {
      const problem = problemOf(input, reader, isClosed);
      if (problem !== waiting) finish(problem);
    }
    function finish(problem: string | undefined) {
      clearTimeout(givingUp);
      for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
      resolve({ answers: reader.answers, isClosed, problem });
    }
    for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
    void play(socket, input).then(() => {
      if (input.answers === "none") finish(undefined);
    });
  });
}

const waiting = "waiting";

/** Whether what came is what has to come; `waiting` while it may still. */
function problemOf(
  { answers }: Input,
  { answers: found, rest, broken }: AnswerReader,
  isClosed: boolean,
): string | undefined {
  if (broken !== undefined) return broken;
  if (answers === "none" || answers === "frames") return isClosed ? undefined : waiting;
  if (answers === "some") return isClosed || found.length > 0 ? undefined : waiting;
  if (found.length < answers && !isClosed) return waiting;
  if (found.length < answers) return `the connection was closed after ${found.length} of ${answers} answers`;
  if (found.length > answers || (rest.length > 0 && !isUnread(found))) return "more came than was asked for";
  return undefined;
}

/** What Node cannot read is answered without a look at the method, so that HEAD gets a body too; then it is over. */
function isUnread([answer]: readonly Answer[]): boolean {
  return answer?.status === 400 && answer.headers.get("connection") === "close";
}

async function play(socket: Socket, { steps }: Input): Promise<void> {
  for (const step of steps) {
    if (socket.destroyed) return;
    if ("send" in step) socket.write(step.send);
    else if ("pauseMs" in step) await sleep(step.pauseMs);
    else if (step.finish === "end") socket.end();
    else await reset(socket);
  }
}

/** After what was written has been handed over, so that it is not taken back. */
async function reset(socket: Socket): Promise<void> {
  if (socket.writableLength > 0) await new Promise((resolve) => socket.write("", resolve));
  socket.resetAndDestroy();
}
