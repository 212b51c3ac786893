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
  "content-type": ["", "APPLICATION/JSON", "application/json; charset=latin1", "application/proto; x=y", "*/*", "é"],
  "content-encoding": ["", "identity", "gzip", "br", "GZIP", "gzip, gzip", "é"],
  "accept-encoding": ["", "gzip", "identity", "*", "gzip;q=0", "gzip;q=1.5, br;q=-1", ",,,", "gzip, ".repeat(300)],
  "connect-protocol-version": ["", "0", "1", "2", " 1", "1, 1", "é", "1".repeat(1_000)],
  "connect-timeout-ms": ["", "0", "1", "50", "60000", "60001", "9999999999", "99999999999", "-1", "1e3", "1, 2"],
  authorization: [
    ...["", "Bearer", "bearer x", "Basic YTpi", `Bearer ${bearer}`, `Bearer ${bearer} x`, `Bearer ${bearer}=`],
    ...[`Bearer authz_${"A".repeat(43)}`, `Bearer ${bearer}, Bearer ${bearer}`, "Bearer é", "Bearer a.b.c"],
    ...[`Bearer ${"a".repeat(8_193)}`, "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJyb290In0.", "Bearer ' or '1'='1"],
  ],
  host: ["", "localhost:99999", "[::1", "a b", "é", "a/b", "user@x", "x, y", "..", "x".repeat(2_000)],
  expect: ["100-continue", "200-ok", ""],
  cookie: ["a=b; ".repeat(1_000), "é=😀"],
  "x-http-method-override": ["DELETE"],
  connection: ["keep-alive", "close", "x-a, x-b", "host", ""],
  "x-many": ["x".repeat(10_000)],
};
