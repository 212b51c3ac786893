import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { splitHosts } from "../../src/config/postgres-hosts.ts";

describe("A Postgres URL", () => {
  test.each([
    ["postgres://me:p,w@one/db?sslmode=verify-full", ["postgres://me:p,w@one/db?sslmode=verify-full"]],
    ["postgresql:///db?host=%2Frun%2Fpostgresql", ["postgresql:///db?host=%2Frun%2Fpostgresql"]],
    ["postgres://me:pw@one,two/db", ["postgres://me:pw@one/db", "postgres://me:pw@two/db"]],
    [
      "postgres://one:5432,two:5433,[::1]:5434",
      ["postgres://one:5432", "postgres://two:5433", "postgres://[::1]:5434"],
    ],
    [
      "postgres://one,two/db?target_session_attrs=read-write&sslmode=verify-full",
      ["postgres://one/db?sslmode=verify-full", "postgres://two/db?sslmode=verify-full"],
    ],
    [
      "postgres:///db?host=/one,/two&port=1,2&user=me",
      ["postgres:///db?host=%2Fone&port=1&user=me", "postgres:///db?host=%2Ftwo&port=2&user=me"],
    ],
    ["postgres:///db?host=/one,/two", ["postgres:///db?host=%2Fone", "postgres:///db?host=%2Ftwo"]],
    ["postgres://one,two/db?port=6432", ["postgres://one/db?port=6432", "postgres://two/db?port=6432"]],
    ["postgres://one/db?target_session_attrs=primary", ["postgres://one/db"]],
  ])("%s is one for each host", (url, urls) => {
    expect(splitHosts(url)).toEqual(urls);
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  test.each([
    "postgres://one,/db",
    "postgres:///db?host=/one,/two&port=1,2,3",
    "postgres://one,two,three/db?host=/a,/b",
    "postgres://me:p@ss/w@one,two/db",
    "postgres://me:pw@one,tw o/db",
    "postgres://one,two/db?target_session_attrs=standby",
    "postgres://one/db?target_session_attrs=any",
  ])("%s is refused, without its password", (url) => {
    expect(() => readConfig({ DATABASE_URL: url })).toThrow(/^DATABASE_URL: must be (?!.*pw)/);
  });
});
