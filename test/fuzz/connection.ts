import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, type AnswerReader, answerReader } from "../support/answer-reader.ts";
import type { Input } from "./input.ts";

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
  return {
    async exchange(input) {
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
    },
  };
}

async function onOwnConnection(port: number, input: Input): Promise<Outcome> {
  const socket = await opened(port);
  try {
    return await exchangeOn(socket, input);
  } finally {
    socket.destroy();
  }
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
  const reader = answerReader();
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
  if (answers === "none") return isClosed ? undefined : waiting;
  if (answers === "some") return isClosed || found.length > 0 ? undefined : waiting;
  if (found.length < answers && !isClosed) return waiting;
  if (found.length < answers) return `the connection was closed after ${found.length} of ${answers} answers`;
  if (found.length > answers || rest.length > 0) return "more came than was asked for";
  return undefined;
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
