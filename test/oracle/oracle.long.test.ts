import { afterAll, expect, test } from "vitest";
import {
  AuthorizationFieldNameSchema,
  AuthorizationsSearchFilterSchema,
} from "../../gen/service/authorization/v2/authorization_pb.ts";
import { DirectoryEventsSearchFilterSchema } from "../../gen/service/directory/v1/directory_history_service_pb.ts";
import { databaseOfTests } from "../support/database.ts";
import { explore } from "./explore.ts";
import { filterKinds, sortingColumns } from "./model/list.ts";
import { openProduct } from "./product.ts";
import { directoryFilterKinds } from "./resolve-events.ts";

const product = await openProduct((await databaseOfTests()).url);
afterAll(() => product.stop());

test("The oracle asks with every kind of filter and sorts by every column", () => {
  const nesting = ["anyOf", "allOf", "not"];
  expect([...Object.keys(filterKinds), ...nesting].sort()).toEqual(
    AuthorizationsSearchFilterSchema.fields.map(({ jsonName }) => jsonName).sort(),
  );
  expect(Object.keys(sortingColumns)).toEqual(AuthorizationFieldNameSchema.values.map(({ name }) => name));
});

test("The oracle asks with every kind of filter of the directory's history", () => {
  expect([...directoryFilterKinds.filter((kind) => !["from", "to"].includes(kind)), "time"].sort()).toEqual(
    DirectoryEventsSearchFilterSchema.fields.map(({ jsonName }) => jsonName).sort(),
  );
});

test("The service answers what the in-memory model answers, in any world, to any caller, whatever was changed before", async () => {
  let compared = 0;
  const failure = await explore(product, {
    ...{ seed: 1, cases: 50, operations: 12 },
    onCase: (count) => {
      compared += count;
    },
  });
  expect(failure).toBeUndefined();
  expect(compared, "answers compared").toBeGreaterThan(2_000);
}, 240_000);
