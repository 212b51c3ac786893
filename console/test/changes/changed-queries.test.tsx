import {
  AuthorizationHistoryService,
  AuthorizationService,
  CallerService,
  OverviewService,
} from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import { createConnectQueryKey } from "@connectrpc/connect-query";
import { fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { AssignmentActions } from "../../src/changes/assignment-actions.tsx";
import { assignment } from "./assignment.ts";
import { show } from "./show.tsx";
import { worldOf } from "./world.ts";

it("after a change, every answer that it concerns is out of date", async () => {
  const one = assignment("1");
  const { client } = show(worldOf(one), <AssignmentActions authorization={one} onGone={() => {}} />);
  const keys = [
    AuthorizationService.method.listAuthorizations,
    AuthorizationHistoryService.method.listAuthorizationEvents,
    OverviewService.method.getOverview,
    CallerService.method.explainAccess,
    DirectoryService.method.listUsers,
  ].map((schema) => createConnectQueryKey({ schema: schema as never, cardinality: undefined }) as readonly unknown[]);
  for (const key of keys) client.setQueryData(key, {});

  fireEvent.click(await screen.findByRole("button", { name: "Deactivate" }));
  await screen.findByRole("button", { name: "Undo" });
  const outdated = keys.map((key) => client.getQueryState(key)?.isInvalidated);
  expect(outdated).toEqual([true, true, true, true, false]);
});
