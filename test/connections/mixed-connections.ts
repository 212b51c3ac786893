import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls, TLSSocket } from "node:tls";
import { type Dice, diceOf } from "../../demo/dice.ts";
import { four, frame, getFrame, greeting, preface, settingsOf } from "../support/http2-frames.ts";

/** Where servers listen, in clear text and with TLS. */
export type Doors = { readonly clear: number; readonly tls: number };

/** Opens one connection of a kind, uses or abuses it, and resolves when this client is done with it. */
type Kind = (doors: Doors, dice: Dice) => Promise<void>;

const host = "127.0.0.1";
/** How long a client waits for the server to hang up; what is left then is counted in the server. */
const patienceMs = 10_000;
const http1 = Buffer.from("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
const hello = Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]);

/** Everything that one connection sends, by its kind. */
const kinds: Readonly<Record<string, Kind>> = {
  "an answer over HTTP/1.1": ({ clear }, dice) => raw(clear, dice, http1, true),
  "half a request": ({ clear }, dice) => raw(clear, dice, http1.subarray(0, dice.below(http1.length)), false),
  "half a preface": ({ clear }, dice) => raw(clear, dice, preface.subarray(0, dice.below(preface.length)), false),
  "no HTTP": ({ clear }, dice) => raw(clear, dice, Buffer.from("hello\r\n\r\n"), true),
  "frames and an answer": ({ clear }, dice) => raw(clear, dice, Buffer.concat([greeting, getFrame(1)]), true),
  "streams that are reset": ({ clear }, dice) => {
    const each = [1, 3, 5, 7, 9].flatMap((stream) => [getFrame(stream), frame("reset", 0, stream, four(8))]);
    return raw(clear, dice, Buffer.concat([greeting, ...each]), dice.chance(0.5));
  },
  "a closed window": ({ clear }, dice) => {
    const closed = frame("settings", 0, 0, settingsOf([4, 0]));
    return raw(clear, dice, Buffer.concat([preface, closed, getFrame(1, "/openapi.json")]), true);
  },
  "frames cut off": ({ clear }, dice) => {
    const all = Buffer.concat([greeting, getFrame(1), getFrame(3)]);
    return raw(clear, dice, all.subarray(0, dice.below(all.length)), false);
  },
  "frames no one may send": ({ clear }, dice) => raw(clear, dice, Buffer.concat([greeting, getFrame(2)]), true),
  "a session in clear text": ({ clear }, dice) => session(`http://${host}:${clear}`, dice),
  "a session over TLS": ({ tls }, dice) => session(`https://${host}:${tls}`, dice),
  "HTTP/1.1 over TLS": async ({ tls }, dice) => {
    const socket = connectTls({ port: tls, host, rejectUnauthorized: false });
    socket.on("error", () => {});
    await Promise.race([once(socket, "secureConnect"), once(socket, "close")]);
    socket.write(http1);
    await leave(socket, dice, true);
  },
  "half a handshake": ({ tls }, dice) => raw(tls, dice, hello.subarray(0, dice.below(hello.length)), false),
};

/** Opens so many connections, some at the same time, and resolves to how many there were of each kind. */
export async function openMany(doors: Doors, count: number, seed: number, atOnce = 50): Promise<Map<string, number>> {
  const names = Object.keys(kinds);
  const opened = new Map<string, number>();
  let next = 0;
  const drive = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      const name = names[index % names.length] as string;
      opened.set(name, (opened.get(name) ?? 0) + 1);
      await kinds[name]?.(doors, diceOf(seed + index));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, drive));
  return opened;
}

async function raw(port: number, dice: Dice, bytes: Buffer, isAnswered: boolean): Promise<void> {
  const socket = connect({ port, host });
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(bytes);
  await leave(socket, dice, isAnswered);
}

/** In one of the ways in which clients leave. */
async function leave(socket: Socket, dice: Dice, isAnswered: boolean): Promise<void> {
  if (isAnswered) await Promise.race([once(socket, "data"), once(socket, "close")]);
  const way = dice.below(3);
  if (way === 0) socket.destroy();
  else if (way === 1 && !(socket instanceof TLSSocket)) socket.resetAndDestroy();
  else socket.resume().end();
  // A server may wait for more from a client that has only stopped sending.
  const isOver = Promise.race([once(socket, "close"), ...(way === 2 ? [once(socket, "end")] : [])]);
  if (!socket.closed) await Promise.race([isOver, sleep(patienceMs, undefined, { ref: false })]);
  socket.destroy();
}

async function session(url: string, dice: Dice): Promise<void> {
  const opened = connectHttp2(url, { rejectUnauthorized: false });
  opened.on("error", () => {});
  const answers = Array.from({ length: 1 + dice.below(3) }, () => {
    const stream = opened.request({ ":path": "/healthz" });
    stream.on("error", () => {}).resume();
    if (dice.chance(0.3)) stream.close(8);
    return once(stream, "close").catch(() => {});
  });
  if (dice.chance(0.7)) await Promise.all(answers);
  if (dice.chance(0.5)) opened.destroy();
  else opened.close();
  if (!opened.destroyed) await once(opened, "close");
}
