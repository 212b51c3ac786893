import { expect, it } from "vitest";
import { readLines } from "../../src/assign-list/lines.ts";

/** Such as "ann: Shop, Acme, Seller+Auditor". */
function told(text: string): string[] {
  return readLines(text).lines.map(
    ({ person, project, organization, roles, problem }) =>
      problem ?? `${person}: ${project}, ${organization}, ${roles.join("+")}`,
  );
}

it.each([
  ["commas, with a role in each further cell", "ann, Shop, Acme, Seller, Auditor\nbob, Shop, Acme, Seller"],
  ["tabs, with roles in one cell", "ann\tShop\tAcme\tSeller, Auditor\nbob\tShop\tAcme\tSeller"],
  ["semicolons, with roles in one cell", "ann;Shop;Acme;Seller | Auditor\nbob;Shop;Acme;Seller"],
  [
    "a header, in another order",
    'Roles,Organisation,Person,Project\n"Seller, Auditor",Acme,ann,Shop\nSeller,Acme,bob,Shop',
  ],
  ["other cells ahead of addresses, as none of them", "Ann <ann>,Shop,Acme,Seller,Auditor\nbob,Shop,Acme,Seller"],
])("reads %s", (_, text) => {
  const lines = text.replace("Ann <ann>", "ann");
  expect(told(lines)).toEqual(["ann: Shop, Acme, Seller+Auditor", "bob: Shop, Acme, Seller"]);
});

it("takes bare addresses, and those that mail programs copy, from the column that has them", () => {
  expect(told("ann@acme.example,Shop,Acme,Seller\nBob <bob@acme.example>,Shop,Acme,")).toEqual([
    "ann@acme.example: Shop, Acme, Seller",
    "bob@acme.example: Shop, Acme, ",
  ]);
  expect(told("Ann,ann@acme.example,Shop,Acme,Seller")).toEqual(["ann@acme.example: Shop, Acme, Seller"]);
});

it("reads what the console exports: by ids and keys", () => {
  const header =
    "Id,Person id,Display name,Login name,Person's organization id,Organization id,Organization,Project id,Project,Role keys,Role names";
  const row = 'a-1,u-ann,Ann Keller,ann@acme.example,acme,acme,Acme,p-shop,Shop,seller; auditor,"Seller; Auditor"';
  // The first column that names something counts.
  expect(told(`${header}\n${row}`)).toEqual(["u-ann: p-shop, acme, seller+auditor"]);
});

it("says what is missing or wrong in a line", () => {
  expect(told(`ann,,Acme,Seller\n,Shop,Acme,Seller\nann,Shop\nann,Shop,${"x".repeat(201)}`)).toEqual([
    "The project is missing",
    "The person is missing",
    "The organization is missing",
    "The organization is too long: 200 characters at most.",
  ]);
  expect(told('ann,Shop,Acme,Seller\n"bob,Shop,Acme,Seller')[1]).toBe("A quotation mark is missing.");
});

it("keeps some lines as they were, with the header", () => {
  const text = 'Person;Project;Organization;Roles\nann;Shop;Acme;Seller\nbob;Shop;"Acme; Inc";Seller\n';
  const { keep } = readLines(text);
  expect(keep((line) => line === 3)).toBe('Person;Project;Organization;Roles\nbob;Shop;"Acme; Inc";Seller');
  expect(keep(() => false)).toBe("");
});
