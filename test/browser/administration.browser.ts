import { expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { ask, makePlace } from "./support/ask.ts";
import { test } from "./support/visit.ts";

const listUsers = "directory.v1.DirectoryService/ListUsers";

test("of two administrators, the second to save sees what the first made, and decides again", async ({ visit }) => {
  const place = await makePlace("Pair Inc", { Vera: [] });
  const address = `/person?id=${place.idOf("Vera")}`;
  const [first, second] = [
    await visit(address, { as: "carol" }),
    await visit(address, { as: "carol", expects: /409/ }),
  ];
  const edit = async (page: typeof first, name: string) => {
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const box = page.getByRole("dialog", { name: "Edit Vera" });
    await box.getByLabel("Name", { exact: true }).fill(name);
    return box;
  };
  const [earlier, later] = [await edit(first, "Vera One"), await edit(second, "Vera Two")];
  await earlier.getByRole("button", { name: "Save" }).click();
  await first.getByText("Vera One is changed.").waitFor();
  await later.getByRole("button", { name: "Save" }).click();
  const notice = later.getByRole("alert");
  await notice.getByText("Nothing was overwritten.").waitFor();
  await notice.getByText("Vera One").waitFor();
  await expectNoViolations(second);
  const filters = [{ ids: { ids: [place.idOf("Vera")] } }];
  const nameNow = async () => (await ask("carol", listUsers, { filters })).users[0].displayName;
  expect(await nameNow()).toBe("Vera One");
  await later.getByRole("button", { name: "Save" }).click();
  await second.getByText("Vera Two is changed.").waitFor();
  expect(await nameNow()).toBe("Vera Two");
});
