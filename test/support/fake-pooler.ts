import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import pg from "pg";
import { onTestFinished } from "vitest";
import { type Message, messages, simpleQuery, withStatements } from "./pooled-messages.ts";

export type PoolerKind = {
  /** For how long a client keeps a session. */
  readonly keeps: "connection" | "transaction";
  /** How many sessions it opens at most. */
  readonly sessions: number;
  /** Which idle session a client gets. When it is none of them, the client gets a new one, or waits. */
  readonly pick: (idle: readonly PooledSession[], client: PoolerClient) => PooledSession | undefined;
  /** Whether a session is reset before another client gets it. */
  readonly resets: boolean;
  /** Whether it prepares a client's statements again in every session that the client gets. */
  readonly carriesStatements: boolean;
  /** Poolers tell clients a process id of their own, by which the protocol cancels. */
  readonly processId: number;
};

type PoolerClient = {
  readonly socket: Socket;
  /** Waits for a session. */
  readonly pending: Message[];
  readonly statements: Map<string, Message>;
  session: PooledSession | undefined;
};

type PooledSession = {
  readonly socket: Socket;
  readonly prepared: Set<string>;
  /** Of statements that are being prepared, whether the client asked for it. */
  readonly preparing: boolean[];
  client: PoolerClient | undefined;
  lastClient: PoolerClient | undefined;
  /** What is still to be answered with ReadyForQuery. */
  unanswered: number;
  inTransaction: boolean;
};

export const newest: PoolerKind["pick"] = (idle) => idle.at(-1);
export const oldest: PoolerKind["pick"] = (idle) => idle[0];
/** The one that the client had before, or one that was never used: no client notices, until something changes. */
export const sameAsBefore: PoolerKind["pick"] = (idle, client) =>
  idle.find(({ lastClient }) => lastClient === client) ?? idle.find(({ lastClient }) => lastClient === undefined);
export const anyOther: PoolerKind["pick"] = (idle, client) => idle.find(({ lastClient }) => lastClient !== client);

/** As PgBouncer in session mode, and in transaction mode before and after its version 1.21. */
export const sessionMode: PoolerKind = {
  keeps: "connection",
  sessions: 30,
  pick: newest,
  resets: true,
  carriesStatements: false,
  processId: 4711,
};
export const transactionMode: PoolerKind = { ...sessionMode, keeps: "transaction", resets: false };
export const carryingMode: PoolerKind = { ...transactionMode, carriesStatements: true };

/** A connection pooler of whatever kind a test wants, in front of a real Postgres, until the test ends. */
export async function openFakePooler(databaseUrl: string, initial: PoolerKind) {
  let kind = initial;
  const clients = new Set<PoolerClient>();
  const sessions = new Set<PooledSession>();
  const idle: PooledSession[] = [];
  const opening = new Set<Promise<Socket>>();
  let isClosed = false;

  const server = createServer({ noDelay: true }, (socket) => {
    const client: PoolerClient = { socket, pending: [], statements: new Map(), session: undefined };
    clients.add(client);
    const read = messages({ first: (bytes) => greet(socket, bytes, kind), each: (message) => ask(client, message) });
    socket.on("data", read);
    socket.on("error", () => {});
    socket.on("close", () => leave(client));
  });

  function ask(client: PoolerClient, message: Message): void {
    if (message.type === "X") client.socket.end();
    else client.pending.push(message);
    serve();
  }

  function serve(): void {
    for (const client of clients) {
      if (client.pending.length > 0) client.session ??= take(client);
      if (client.session === undefined) continue;
      for (const message of client.pending.splice(0)) forward(client, client.session, message);
    }
  }

  function take(client: PoolerClient): PooledSession | undefined {
    const picked = kind.pick(idle, client);
    if (picked === undefined) {
      void openOneMore();
      return undefined;
    }
    idle.splice(idle.indexOf(picked), 1);
    picked.client = client;
    picked.lastClient = client;
    return picked;
  }

  function forward(client: PoolerClient, session: PooledSession, message: Message): void {
    const sent = kind.carriesStatements ? withStatements(client, session, message) : [message];
    for (const { bytes } of sent) session.socket.write(bytes);
    if (message.type === "Q" || message.type === "S") session.unanswered += 1;
  }

  function answer(session: PooledSession, { type, bytes }: Message): void {
    const isOurs = type === "3" || (type === "1" && session.preparing.shift() === false);
    if (!isOurs) session.client?.socket.write(bytes);
    if (type !== "Z") return;
    session.unanswered -= 1;
    session.inTransaction = bytes.toString("latin1", 5) !== "I";
    // It was reset.
    if (session.client === undefined && session.unanswered === 0) giveBack(session);
    else releaseBetweenTransactions(session);
  }

  function releaseBetweenTransactions(session: PooledSession): void {
    if (kind.keeps !== "transaction" || session.unanswered > 0 || session.inTransaction) return;
    if (session.client !== undefined) release(session, session.client);
  }

  function release(session: PooledSession, client: PoolerClient): void {
    client.session = undefined;
    session.client = undefined;
    session.preparing.length = 0;
    if (!kind.resets) {
      giveBack(session);
      return;
    }
    session.prepared.clear();
    session.unanswered += 1;
    session.socket.write(simpleQuery("discard all"));
  }

  function giveBack(session: PooledSession): void {
    idle.push(session);
    serve();
  }

  function leave(client: PoolerClient): void {
    clients.delete(client);
    const { session } = client;
    if (session === undefined) return;
    // What was in the middle of something goes with its client.
    if (session.unanswered > 0 || session.inTransaction) session.socket.destroy();
    else release(session, client);
  }

  async function openOneMore(): Promise<void> {
    const waiting = [...clients].filter(({ session, pending }) => session === undefined && pending.length > 0);
    if (isClosed || opening.size >= waiting.length || sessions.size + opening.size >= kind.sessions) return;
    const login = openSession(databaseUrl);
    opening.add(login);
    const socket = await login;
    opening.delete(login);
    const session: PooledSession = {
      socket,
      prepared: new Set(),
      preparing: [],
      client: undefined,
      lastClient: undefined,
      unanswered: 0,
      inTransaction: false,
    };
    sessions.add(session);
    socket.on("data", messages({ each: (message) => answer(session, message) }));
    socket.on("close", () => {
      sessions.delete(session);
      if (idle.includes(session)) idle.splice(idle.indexOf(session), 1);
      session.client?.socket.destroy();
    });
    giveBack(session);
  }

  onTestFinished(async () => {
    isClosed = true;
    await Promise.all(opening);
    for (const { socket } of [...clients, ...sessions]) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const { user, database } = new pg.Client({ connectionString: databaseUrl });
  return {
    /** The database's URL by way of the pooler. */
    url: `postgresql://${user}@127.0.0.1:${port}/${database}`,
    /** Works otherwise from now on, also for clients that are connected. */
    become(next: PoolerKind) {
      kind = next;
      for (const session of sessions) releaseBetweenTransactions(session);
      serve();
    },
  };
}

/** A session that the driver has opened, whatever it took, and that it reads no more. */
async function openSession(databaseUrl: string): Promise<Socket> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on("error", () => {});
  await client.connect();
  const { stream } = (client as pg.Client & { connection: { stream: Socket } }).connection;
  stream.removeAllListeners("data");
  return stream;
}

/** Answers what a client begins with. Whether messages follow. */
function greet(socket: Socket, first: Buffer, { processId }: PoolerKind): boolean {
  const wantsTls = first.readInt32BE(4) === 80877103;
  if (wantsTls) {
    socket.write("N");
    return false;
  }
  const key = Buffer.from("K____________");
  key.writeInt32BE(12, 1);
  key.writeInt32BE(processId, 5);
  socket.write(Buffer.concat([Buffer.from("R\0\0\0\x08\0\0\0\0"), key, Buffer.from("Z\0\0\0\x05I")]));
  return true;
}
