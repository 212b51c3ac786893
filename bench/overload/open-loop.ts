// Sends requests at a fixed rate, whether or not the earlier ones are answered, as many people at once do. A process of
// its own, so that what it measures is not what its parent does meanwhile.

import { setTimeout as sleep } from "node:timers/promises";
import { type Connection, openConnection } from "./connection.ts";

export type Order = {
  readonly host: string;
  readonly port: number;
  /** Sent in turns. */
  readonly requests: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
};

/** Times in milliseconds, counted from when a request was due, not from when it could be sent. */
export type Outcome = {
  readonly sent: number;
  /** Requests by the status of their answer, or by why their connection broke. */
  readonly byStatus: Readonly<Record<string, number>>;
  readonly useful: readonly number[];
  readonly refused: readonly number[];
  /** Answered with 200, by the tenth of a second in which the answer came. */
  readonly usefulByTenth: readonly number[];
  readonly connections: number;
};

/** As many as a balancer might keep open to one server. What finds none free waits for one, and its time runs on. */
const mostConnections = 256;

/** How long the last answers are waited for. Later ones count as sent, and not as answered. */
const patienceMs = 15_000;

type Due = { readonly at: number; readonly request: Buffer };

process.on("message", async (order: Order) => process.send?.(await run(order)));

async function run({ host, port, requests, perSecond, seconds }: Order): Promise<Outcome> {
  const bytes = requests.map((request) => Buffer.from(request));
  const idle: Connection[] = [];
  const all = new Set<Connection>();
  const waiting: Due[] = [];
  const byStatus: Record<string, number> = {};
  const useful: number[] = [];
  const refused: number[] = [];
  const usefulByTenth: number[] = [];
  let open = 0;
  let sent = 0;
  let most = 0;
  const start = performance.now();

  function next(): Connection {
    const free = idle.pop();
    if (free !== undefined) return free;
    const connection: Connection = openConnection({ host, port }, () => {
      all.delete(connection);
      const index = idle.indexOf(connection);
      if (index >= 0) idle.splice(index, 1);
    });
    all.add(connection);
    most = Math.max(most, all.size);
    return connection;
  }

  function sendOne(dueAt: number): void {
    const due = { at: dueAt, request: bytes[sent % bytes.length] as Buffer };
    sent += 1;
    open += 1;
    if (idle.length === 0 && all.size >= mostConnections) waiting.push(due);
    else sendOn(next(), due);
  }

  function sendOn(connection: Connection, { at, request }: Due): void {
    connection.send(request, (status) => {
      const now = performance.now();
      open -= 1;
      byStatus[status] = (byStatus[status] ?? 0) + 1;
      (status === "200" ? useful : refused).push(now - at);
      if (status === "200") {
        const tenth = Math.floor((now - start) / 100);
        usefulByTenth[tenth] = (usefulByTenth[tenth] ?? 0) + 1;
      }
      const first = waiting.shift();
      if (first !== undefined) sendOn(all.has(connection) ? connection : next(), first);
      else if (all.has(connection)) idle.push(connection);
    });
  }

  const total = Math.round(perSecond * seconds);
  while (sent < total) {
    const due = Math.min(total, Math.floor(((performance.now() - start) / 1_000) * perSecond));
    while (sent < due) sendOne(start + (sent / perSecond) * 1_000);
    await sleep(1);
  }
  const giveUpAt = performance.now() + patienceMs;
  while (open > 0 && performance.now() < giveUpAt) await sleep(5);
  for (const connection of all) connection.close();
  return {
    sent,
    byStatus,
    useful,
    refused,
    usefulByTenth: Array.from(usefulByTenth, (n) => n ?? 0),
    connections: most,
  };
}
