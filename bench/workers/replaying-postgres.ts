// Stands between the service and Postgres, and answers from memory what it has already passed on once: what is left is
// the time of the server itself. A process of its own: node bench/workers/replaying-postgres.ts FOLDER UPSTREAM_SOCKET
//
// It leaves out: Postgres' own work, waiting for locks and disks, and anything that answers differently the second time.

import { createHash } from "node:crypto";
import { connect, createServer, type Socket } from "node:net";
import path from "node:path";

const [folder = "", upstream = ""] = process.argv.slice(2);

/** What was answered to a group of messages, by their bytes. Statements are known by their names. */
const known = new Map<string, Buffer>();

/** Whether answers are kept and repeated. What servers ask when they start is about their sessions. */
let replays = false;
process.on("message", (value) => {
  replays = value === "replay";
});

const parseComplete = Buffer.from([0x31, 0, 0, 0, 4]);

type Pending = { readonly key: string | undefined; readonly answer: Buffer[] };

createServer((client) => {
  const postgres = connect(upstream);
  for (const socket of [client, postgres]) socket.setNoDelay().on("error", () => {});
  client.on("close", () => postgres.destroy());
  postgres.on("close", () => client.destroy());
  relay(client, postgres);
}).listen(path.join(folder, ".s.PGSQL.5432"), () => process.send?.("listening"));

function relay(client: Socket, postgres: Socket): void {
  // Groups that Postgres has to answer, in order. Nothing is answered from memory while one is under way.
  const pending: Pending[] = [];
  let group: { type: string; bytes: Buffer }[] = [];

  function answer(): void {
    const prepares = group.some(({ type }) => type === "P");
    const key = keyOf(group);
    const found = key === undefined || prepares || pending.length > 0 ? undefined : known.get(key);
    if (found !== undefined) client.write(found);
    else {
      pending.push({ key, answer: [] });
      postgres.write(Buffer.concat(group.map(({ bytes }) => bytes)));
    }
    group = [];
  }

  let hasBegun = false;
  client.on(
    "data",
    messages(
      () => hasBegun,
      (type, bytes) => {
        if (!hasBegun) {
          hasBegun = true;
          // The answer to the start ends with ReadyForQuery, like that to a group.
          pending.push({ key: undefined, answer: [] });
          return void postgres.write(bytes);
        }
        group.push({ type, bytes });
        if (type === "S" || type === "Q" || type === "X") answer();
      },
    ),
  );
  postgres.on(
    "data",
    messages(
      () => true,
      (type, bytes) => {
        client.write(bytes);
        const [first] = pending;
        // What comes by itself between groups, such as notices, belongs to none.
        if (first === undefined) return;
        if (!bytes.equals(parseComplete)) first.answer.push(bytes);
        if (type !== "Z") return;
        pending.shift();
        const whole = Buffer.concat(first.answer);
        if (first.key !== undefined && whole.at(-1) === idle) known.set(first.key, whole);
      },
    ),
  );
}

/** ReadyForQuery outside of a transaction. */
const idle = "I".charCodeAt(0);

/** Only the execution of a named statement with parameters: everything else is about the session. */
function keyOf(group: readonly { type: string; bytes: Buffer }[]): string | undefined {
  const [bind, ...others] = group.filter(({ type }) => type === "B");
  if (!replays || bind === undefined || others.length > 0) return undefined;
  const startOfName = bind.bytes.indexOf(0, 5) + 1;
  const endOfName = bind.bytes.indexOf(0, startOfName);
  const formats = bind.bytes.readUInt16BE(endOfName + 1);
  const parameters = bind.bytes.readUInt16BE(endOfName + 3 + 2 * formats);
  if (startOfName === endOfName || parameters === 0) return undefined;
  const hash = createHash("sha1");
  for (const { type, bytes } of group) if (type !== "P") hash.update(bytes);
  return hash.digest("latin1");
}

/** Cuts a stream into messages. The first one of a client has no type. */
function messages(hasType: () => boolean, each: (type: string, bytes: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const at = hasType() ? 1 : 0;
      if (rest.length < at + 4) return;
      const end = at + rest.readUInt32BE(at);
      if (rest.length < end) return;
      each(at === 0 ? "" : String.fromCharCode(rest[0] ?? 0), rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  };
}
