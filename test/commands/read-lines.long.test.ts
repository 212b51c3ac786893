import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CommandError } from "../../src/commands/command-error.ts";
import { readChanges } from "../../src/commands/import.ts";
import { readLines } from "../../src/commands/read-lines.ts";

async function* chunked(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const size of sizes) {
    yield bytes.subarray(start, start + size);
    start += size;
  }
  yield bytes.subarray(start);
}

async function linesOf(bytes: string | Uint8Array, sizes: readonly number[] = []): Promise<[number, string][]> {
  const lines: [number, string][] = [];
  const chunks = chunked(typeof bytes === "string" ? Buffer.from(bytes) : bytes, sizes);
  for await (const { number, text } of readLines(chunks)) lines.push([number, text]);
  return lines;
}

/** What the import says about lines it refuses, without having read further than the first of them. */
async function refusalOf(...lines: (string | Buffer)[]): Promise<string> {
  const bytes = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from("\n")]));
  try {
    for await (const _ of readChanges(readLines(chunked(bytes, []))));
  } catch (error) {
    expect(error).toBeInstanceOf(CommandError);
    return error instanceof Error ? error.message : "";
  }
  return "accepted";
}

const acme = '{"organization":{"id":"acme","name":"Acme"}}';

describe("lines", () => {
  test("are numbered from 1; empty ones count and are left out", async () => {
    expect(await linesOf("\none\n\n \t\ntwo\n\n")).toEqual([
      [2, "one"],
      [5, "two"],
    ]);
    expect(await linesOf("")).toEqual([]);
    expect(await linesOf("\n")).toEqual([]);
  });

  test("need no line end after the last", async () => {
    expect(await linesOf("one\ntwo")).toEqual(await linesOf("one\ntwo\n"));
  });

  test("may end with CR LF, and the file may begin with a byte order mark", async () => {
    expect(await refusalOf(`\uFEFF${acme}\r`, `${acme}\r`, "\r")).toBe("accepted");
  });

  test("are the same however the file is cut into chunks, in the middle of characters too", async () => {
    const text = "ä\n€ und 佐\n\n🦊\r\n\u2028\u0085x\n🦊";
    const bytes = Buffer.from(text);
    const whole = await linesOf(bytes);
    expect(whole.map(([, line]) => line).join("\n")).toBe(text.replace("\n\n", "\n"));
    expect(await linesOf(bytes, Array(bytes.length).fill(1))).toEqual(whole);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 5 })), async (sizes) => {
        expect(await linesOf(bytes, sizes)).toEqual(whole);
      }),
      { seed: 20_260_131, numRuns: 200 },
    );
  });

  test("longer than 16 MiB are refused with their number, ended or not", async () => {
    const long = "x".repeat(16 * 1024 * 1024);
    expect((await linesOf(`\n${long}\n`)).map(([number, text]) => [number, text.length])).toEqual([[2, long.length]]);
    await expect(linesOf(`\n${long}x\n`)).rejects.toThrow("line 2: must be at most 16 MiB long");
    await expect(linesOf(`\n${long}x`, [1, 1 << 20])).rejects.toThrow("line 2: must be at most 16 MiB long");
    let read = 0;
    const withoutEnd = async function* () {
      for (; read < 100; read += 1) yield Buffer.alloc(1 << 20, "x");
    };
    await expect(readLines(withoutEnd()).next()).rejects.toThrow("line 1: must be at most 16 MiB long");
    expect(read).toBe(16);
  });

  test("that are not UTF-8 are refused with their number, after those before them", async () => {
    const lines = readLines(
      chunked(Buffer.concat([Buffer.from("one\n\n"), Buffer.of(0x61, 0xff), Buffer.from("\nfour")]), []),
    );
    expect(await lines.next()).toEqual({ done: false, value: { number: 1, text: "one" } });
    await expect(lines.next()).rejects.toThrow("line 3: must be UTF-8");
    for (const cut of [Buffer.of(0xe2, 0x82), Buffer.of(0xf0, 0x9f, 0xa6, 0x0a), Buffer.of(0xed, 0xa0, 0x80)]) {
      await expect(linesOf(cut)).rejects.toThrow("line 1: must be UTF-8");
    }
  });
});

const authorization = (more: string) =>
  `{"authorization":{"id":"a","userId":"u","projectId":"p","organizationId":"o",${more}}}`;

test.each<[what: string, line: string | Buffer, reason: RegExp]>([
  ["malformed JSON", '{"organization":', /JSON/],
  ["two changes on a line", acme + acme, /JSON/],
  ["no object", "[]", /Change/],
  ["nothing", "null", /Change/],
  ["no change", "{}", /exactly one/],
  ["a change that is null", '{"organization":null}', /exactly one/],
  ["two kinds at once", '{"organization":{"id":"o","name":"o"},"project":{}}', /organization and project/],
  ["an unknown kind", '{"organisation":{}}', /organisation/],
  ["an unknown field", '{"organization":{"id":"o","name":"o","nmae":"o"}}', /nmae/],
  ["a field that occurs twice", '{"organization":{"id":"o","id":"p","name":"o"}}', /"id"/],
  ["a wrong type", '{"organization":{"id":1,"name":"o"}}', /id/],
  ["a missing id", '{"organization":{"name":"o"}}', /organization\.id/],
  ["every broken rule of a line", '{"organization":{}}', /organization\.id.*organization\.name/],
  [
    "every broken rule of a line, those about dates among them",
    authorization('"state":3,"creationDate":"2024-01-01T00:00:00.0000001Z","changeDate":"2023-12-31T00:00:00Z"'),
    /state.*creationDate.*microsecond.*changeDate.*before creationDate/,
  ],
  ["an id that is too long", `{"organization":{"id":"${"i".repeat(201)}","name":"o"}}`, /organization\.id/],
  ["an id of too many bytes", `{"organization":{"id":"${"🦊".repeat(151)}","name":"o"}}`, /organization\.id/],
  [
    "an avatar that is no URL",
    '{"user":{"id":"u","organizationId":"o","preferredLoginName":"u","avatarUrl":"x"}}',
    /avatarUrl/,
  ],
  ["an unknown state", authorization('"state":"ACTIVE"'), /ACTIVE/],
  ["a state by an unknown number", authorization('"state":3'), /state/],
  ["a role twice", authorization('"roleKeys":["r","r"]'), /roleKeys/],
  ["a date without a zone", authorization('"changeDate":"2024-01-01T00:00:00"'), /Timestamp/],
  [
    "a creation date finer than a microsecond",
    authorization('"creationDate":"2024-01-01T00:00:00.0000001Z"'),
    /creationDate.*microsecond/,
  ],
  [
    "a change date finer than a microsecond",
    authorization('"changeDate":"2024-01-01T00:00:00.123456789Z"'),
    /changeDate.*microsecond/,
  ],
  [
    "a change date before the creation date",
    authorization('"creationDate":"2024-01-01T00:00:00.000001Z","changeDate":"2024-01-01T00:00:00Z"'),
    /^line 3: authorization\.changeDate: must not be before creationDate$/,
  ],
  ["a date before the year 1", authorization('"changeDate":"0000-12-31T23:59:59Z"'), /Timestamp/],
  ["no scope", '{"administrator":{"userId":"u","roles":["IAM_OWNER"]}}', /scope/],
  ["two scopes", '{"administrator":{"userId":"u","instance":true,"projectId":"p"}}', /scope/],
  ["an instance that is false", '{"administrator":{"userId":"u","instance":false}}', /instance/],
  [
    "a wrong administrator role",
    '{"administrator":{"userId":"u","instance":true,"roles":["ORG_OWNER"]}}',
    /ORG_OWNER.*\(ADMINISTRATOR_ROLE_INVALID\)/,
  ],
  ["a NUL character", '{"organization":{"id":"o","name":"\\u0000"}}', /organization\.name: .*NUL/],
  ["a NUL character as it is", '{"organization":{"id":"o","name":"\u0000"}}', /JSON/],
  ["a lone surrogate", '{"organization":{"id":"o","name":"\\ud800"}}', /name/],
  ["a removal of nothing", '{"remove":{}}', /exactly one/],
])("a line with %s is refused by its number and the reason", async (_what, line, reason) => {
  const message = await refusalOf(acme, "", line, "{", acme);
  expect(message).toMatch(/^line 3: /);
  expect(message).toMatch(reason);
});
