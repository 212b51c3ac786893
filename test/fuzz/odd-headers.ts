import type { Dice } from "../../demo/dice.ts";
import type { Input } from "./input.ts";
import {
  anyCall,
  anyMischief,
  type Header,
  headersOf,
  noMischief,
  oneRequest,
  requestOf,
  type Wish,
} from "./requests.ts";
import { tokenOf } from "./world.ts";

/** A call with one to three headers that are missing, repeated, or hold something odd. */
export function oddHeaders(wish: Wish): Input {
  const { dice } = wish;
  const call = anyCall(wish, dice.chance(0.8) ? noMischief : anyMischief(dice));
  let headers = headersOf(call);
  for (let left = 1 + dice.below(3); left > 0; left -= 1) headers = altered(dice, headers);
  return oneRequest("odd headers", requestOf(call, headers));
}

function altered(dice: Dice, headers: Header[]): Header[] {
  const name = dice.pick(Object.keys(values));
  const others = headers.filter((header) => header[0] !== name);
  if (dice.chance(0.15)) return others;
  const odd: Header = [dice.chance(0.8) ? name : name.toUpperCase(), dice.pick(values[name] ?? [""])];
  return dice.chance(0.2) ? [...headers, odd] : [...others, odd];
}

const bearer = tokenOf("viewer");

/** What headers are tried with; none of it changes where the request ends. */
const values: Record<string, readonly string[]> = {
  "content-type": [
    ...[
      "",
      "application/json; charset=utf-8",
      "APPLICATION/JSON",
      "application/json;",
      "application/json, application/json",
    ],
    ...[
      "application/json; charset=latin1",
      "application/grpc",
      "application/grpc-web+json",
      "application/connect+json",
    ],
    ...[
      "application/proto; x=y",
      "application/protobuf",
      "text/plain",
      "multipart/form-data; boundary=x",
      "*/*",
      "é",
      ";;;",
    ],
    `application/json; ${"x=y; ".repeat(500)}`,
  ],
  "content-encoding": [
    "",
    "identity",
    "gzip",
    "br",
    "deflate",
    "zstd",
    "GZIP",
    "gzip, gzip",
    "gzip,br",
    "identity, identity",
    "é",
    "x",
  ],
  "accept-encoding": [
    "",
    "gzip",
    "br",
    "identity",
    "*",
    "gzip;q=0",
    "gzip;q=1.5, br;q=-1",
    "deflate, x",
    "identity;q=0, *;q=0",
    ",,,",
    "gzip, ".repeat(300),
  ],
  "connect-protocol-version": ["", "0", "1", "2", "1.0", " 1", "1, 1", "v1", "é", "1".repeat(1_000)],
  "connect-timeout-ms": [
    "",
    "0",
    "1",
    "5",
    "50",
    "60000",
    "60001",
    "9999999999",
    "99999999999",
    "-1",
    "1.5",
    "1e3",
    "0x10",
    "soon",
    "1, 2",
  ],
  authorization: [
    ...[
      "",
      "Bearer",
      "Bearer ",
      "bearer x",
      "Basic YTpi",
      `Bearer ${bearer}`,
      `bearer  ${bearer}`,
      `Bearer ${bearer} x`,
    ],
    ...[
      `Bearer ${bearer}=`,
      `Bearer authz_${"A".repeat(43)}`,
      "Bearer authz_",
      `Bearer ${bearer}, Bearer ${bearer}`,
      "Bearer é",
    ],
    ...[
      `Bearer ${"a".repeat(8_192)}`,
      `Bearer ${"a".repeat(8_193)}`,
      "Bearer a.b.c",
      "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJyb290In0.",
    ],
    ...["Bearer ' or '1'='1", "Bearer %00", `${bearer}`, `Token ${bearer}`],
  ],
  host: [
    "",
    "localhost",
    "localhost:99999",
    "[::1",
    "[::1]",
    "a b",
    "é",
    "a/b",
    "x:y",
    "user@x",
    "x, y",
    "%00",
    "..",
    "x".repeat(2_000),
  ],
  accept: ["", "text/html", "*/*;q=0", "é"],
  expect: ["100-continue", "200-ok", ""],
  te: ["trailers", "gzip", "trailers, deflate;q=0.5"],
  trailer: ["authorization", "content-length"],
  origin: ["null", "https://elsewhere.example", "é"],
  cookie: ["a=b; ".repeat(1_000), "é=😀"],
  forwarded: ["for=127.0.0.1;host=elsewhere"],
  "x-forwarded-host": ["elsewhere"],
  "x-http-method-override": ["DELETE"],
  "x-original-url": ["/healthz"],
  connection: ["keep-alive", "close", "x-a, x-b", "host", ""],
  "if-none-match": ["*"],
  range: ["bytes=0-1"],
  "x-many": ["x".repeat(10_000)],
  "grpc-timeout": ["1S"],
  "connect-content-encoding": ["gzip"],
};
