import { act, fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { assignment, globex, shop, world } from "../directory/world.ts";
import { openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/matrix/matrix-page.tsx";

it("a role that was chosen while it was granted can be taken back when it isn't any more", async () => {
  let roleKeys = ["auditor", "seller", "guest"];
  const held = assignment({ organization: globex, roles: [{ key: "auditor", displayName: "Auditor" }] });
  const told = world();
  const { client } = openConsole("/matrix?project=p-shop", {
    authorizations: { listAuthorizations: () => ({ authorizations: [held], pagination: { totalResult: 1 } }) },
    directory: {
      ...told.directory,
      listProjects: () => ({ projects: [{ ...shop, grants: [{ id: "g-1", organization: globex, roleKeys }] }] }),
    },
  });
  const cell = () => screen.findByRole("gridcell", { name: /Seller/ });
  fireEvent.click(await cell());
  await screen.findByRole("region", { name: "Changes" });
  roleKeys = ["auditor"];
  await act(() => client.refetchQueries());
  await screen.findByRole("gridcell", { name: /guest is not granted/ });
  expect((await cell()).textContent).toBe("✓");
  fireEvent.click(await cell());
  expect(screen.queryByRole("region", { name: "Changes" })).toBeNull();
  expect((await cell()).textContent).toBe("–");
});
