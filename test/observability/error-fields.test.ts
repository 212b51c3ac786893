import pg from "pg";
import { expect, test } from "vitest";
import { errorFields } from "../../src/observability/error-fields.ts";

/** An error as pg makes it. */
function postgresError(message: string, fields: object): Error {
  return Object.assign(new pg.DatabaseError(message, message.length, "error"), fields);
}

test("Of an error of Postgres everything is kept that says which rule was broken, and nothing that repeats a row", () => {
  const error = postgresError('duplicate key value violates unique constraint "users_pkey"', {
    code: "23505",
    detail: "Key (id)=(ann) already exists.",
    where: "COPY staged, line 1: ann",
    internalQuery: "select 'ann'",
    hint: "not ann",
    table: "users",
    constraint: "users_pkey",
  });
  expect(errorFields(error)).toMatchObject({ code: "23505", table: "users", constraint: "users_pkey" });
  expect(JSON.stringify(errorFields(error)).replaceAll(import.meta.filename, "")).not.toContain("ann");
});

test("A value that Postgres could not use is left out of the message and the stack", () => {
  const error = postgresError('invalid input syntax for type integer: "ann\n""x"', { code: "22P02" });
  const { message, stack } = errorFields(error) as { message: string; stack: string };
  expect(message).toBe('invalid input syntax for type integer: "…"');
  expect(stack.split("\n")[0]).toBe(`error: ${message}`);
  expect(stack).toContain("error-fields.test.ts");
});

test("Causes and the errors of an aggregate are told too, without end in no case", () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED", port: 5432 });
  const error = new Error("outside", { cause: new AggregateError([refused], "all") });
  expect(errorFields(error)).toMatchObject({
    type: "Error",
    message: "outside",
    cause: { type: "AggregateError", errors: [{ message: "connect ECONNREFUSED", code: "ECONNREFUSED", port: 5432 }] },
  });
  const circle = new Error("round");
  circle.cause = circle;
  expect(JSON.stringify(errorFields(circle)).match(/round/g)?.length).toBeLessThan(20);
});

test("What is thrown and is no error says nothing but what it is", () => {
  expect(errorFields("ann")).toEqual({ type: "string" });
});
