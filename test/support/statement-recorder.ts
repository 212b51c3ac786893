import { connect, createServer, type Socket } from "node:net";
import pg from "pg";
import { afterAll } from "vitest";

/** A way to a Postgres server that writes down which statements are sent on it, without their values. */
export type StatementRecorder = {
  /** The database's URL by way of the recorder. */
  readonly url: string;
  /** The statements that work makes the service send: the name of a prepared one, the text of any other. */
  during(work: () => Promise<unknown>): Promise<string[]>;
  close(): Promise<void>;
};

export async function recordStatements(databaseUrl: string): Promise<StatementRecorder> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl });
  const target = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const sockets = new Set<Socket>();
  let recorded: string[] = [];

  const server = createServer((near) => {
    const far = connect(target);
    const read = reader((statement) => recorded.push(statement));
    near.on("data", (chunk: Buffer) => {
      read(chunk);
      far.write(chunk);
    });
    far.on("data", (chunk) => near.write(chunk));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("error", () => {});
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const url = new URL("postgresql://127.0.0.1");
  url.port = String(typeof address === "object" && address !== null ? address.port : 0);
  url.pathname = `/${database}`;
  url.username = user ?? "";
  url.password = typeof password === "string" ? password : "";
  return {
    url: url.toString(),
    async during(work) {
      recorded = [];
      await work();
      return recorded;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Reads what a client sends after the message it begins with: a letter, the length, and what the letter means. */
function reader(tell: (statement: string) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let started = false;
  let unnamed = "";
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const head = started ? 1 : 0;
      if (rest.length < head + 4 || rest.length < head + rest.readInt32BE(head)) return;
      const end = head + rest.readInt32BE(head);
      const [type, body] = [rest.toString("latin1", 0, head), rest.subarray(head + 4, end)];
      rest = rest.subarray(end);
      started = true;
      const texts = body.toString("utf8").split("\0");
      if (type === "Q") tell(texts[0] ?? "");
      // Parse: the name, empty for none, and the text. Bind: the portal, and the name of what was parsed.
      if (type === "P" && texts[0] === "") unnamed = texts[1] ?? "";
      if (type === "B") tell(texts[1] || unnamed);
    }
  };
}

/** The same for all tests of a file. */
export async function recorderOfTests(url: string): Promise<StatementRecorder> {
  const recorder = await recordStatements(url);
  afterAll(() => recorder.close());
  return recorder;
}
