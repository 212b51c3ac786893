import { expect, it } from "vitest";
import { readPeople } from "../../src/add-people/lines.ts";

const newId = (line: number) => `new-${line}`;

/** Such as "Ann Keller <ann@acme.example> new-1". */
function told(text: string): string[] {
  return readPeople(text, newId).lines.map(
    ({ person, problem }) =>
      `${person.displayName} <${person.preferredLoginName}> ${person.id}${problem === undefined ? "" : `: ${problem}`}`,
  );
}

it.each([
  ["tabs, as spreadsheets copy them", "Ann Keller\tann@acme.example\nBob\tbob@acme.example\n"],
  ["semicolons", "Ann Keller;ann@acme.example\r\nBob;bob@acme.example\r\n"],
  ["commas", "Ann Keller,ann@acme.example\nBob,bob@acme.example"],
  ["commas and spaces, as people type them", "Ann Keller, ann@acme.example\nBob,  bob@acme.example"],
  ["a byte order mark", "\uFEFFAnn Keller,ann@acme.example\nBob,bob@acme.example"],
])("reads cells with %s", (_, text) => {
  expect(told(text)).toEqual(["Ann Keller <ann@acme.example> new-1", "Bob <bob@acme.example> new-2"]);
});

it.each(["Ann <ann@acme.example>, bob@acme.example", "Ann <ann@acme.example>; bob@acme.example;"])(
  "reads recipients in one line: %s",
  (text) => expect(told(text)).toEqual(["Ann <ann@acme.example> new-1", " <bob@acme.example> new-2"]),
);

it("reads addresses alone, one in each line", () => {
  expect(told("ann@acme.example\n\nBob <bob@acme.example>\n")).toEqual([
    " <ann@acme.example> new-1",
    "Bob <bob@acme.example> new-3",
  ]);
});

it("reads quoted cells, with separators, quotation marks and lines in them", () => {
  expect(told('"Keller, Ann ""Annie""",ann@acme.example\n"Two\nlines",bob@acme.example')).toEqual([
    'Keller, Ann "Annie" <ann@acme.example> new-1',
    "Two\nlines <bob@acme.example> new-2",
  ]);
  expect(told('"Keller; Ann",ann@acme.example')).toEqual(["Keller; Ann <ann@acme.example> new-1"]);
});

it("commas in names are no separators where the lines have tabs or semicolons", () => {
  expect(told("Keller, Ann\tann@acme.example\nMiller, Bob\tbob@acme.example")).toEqual([
    "Keller, Ann <ann@acme.example> new-1",
    "Miller, Bob <bob@acme.example> new-2",
  ]);
});

it.each(["\t", ";", ","])("splits lines also when some of them have nothing to split: at %j", (separator) => {
  const lines = ["Zoe Wagner,zoe@acme.example", "Max,max@acme.example", "No Login"];
  expect(told(lines.join("\n").replaceAll(",", separator))).toEqual([
    "Zoe Wagner <zoe@acme.example> new-1",
    "Max <max@acme.example> new-2",
    "No Login <> new-3: The login name is missing.",
  ]);
});

it.each(["Zoe Wagner zoe@acme.example", "zoe@acme.example Zoe", '"Zoe, zoe@acme.example"'])(
  "takes a name and an address in one cell for no login name: %s",
  (text) => expect(told(text)).toEqual([expect.stringMatching(/There is more than a login name here\./)]),
);

it.each([
  ["Name,E-mail", ["displayName", "loginName"]],
  ["ID;Display Name;Login_name", ["id", "displayName", "loginName"]],
  ["Email Address\tFirst name\tSurname\tPhone", ["loginName", "givenName", "familyName", "none"]],
  ["First,Last,Email,Department", ["givenName", "familyName", "loginName", "none"]],
  ["Vorname;Nachname;E-Mail", ["givenName", "familyName", "loginName"]],
  ["userPrincipalName,name,mail", ["loginName", "displayName", "none"]],
])("recognizes columns by the header %s", (header, columns) => {
  expect(readPeople(`${header}\n`, newId)).toEqual({ lines: [], columns });
});

it("a header is no person, and its columns can be in any order", () => {
  expect(told("E-mail,Subject,First name,Last name\nann@acme.example,s-1,Ann,Keller\nbob@acme.example,,Bob,")).toEqual([
    "Ann Keller <ann@acme.example> s-1",
    "Bob <bob@acme.example> new-3",
  ]);
});

it("without a header, the column with addresses has the login names", () => {
  expect(told("ann@acme.example,Ann,s-1\nbob@acme.example,Bob,s-2")).toEqual([
    "Ann <ann@acme.example> s-1",
    "Bob <bob@acme.example> s-2",
  ]);
  expect(told("ann@acme.example\nbob@acme.example")).toEqual([
    " <ann@acme.example> new-1",
    " <bob@acme.example> new-2",
  ]);
  expect(told("Ann Keller,ann\nBob,bob")).toEqual(["Ann Keller <ann> new-1", "Bob <bob> new-2"]);
});

it("an address with a name, as mail programs copy it, is both", () => {
  expect(told("Ann Keller <ann@acme.example>\nBob <bob@acme.example>\ncarol@acme.example")).toEqual([
    "Ann Keller <ann@acme.example> new-1",
    "Bob <bob@acme.example> new-2",
    " <carol@acme.example> new-3",
  ]);
  expect(told("Annie,Ann Keller <ann@acme.example>")).toEqual(["Annie <ann@acme.example> new-1"]);
  expect(told("<ann@acme.example>\na < b")).toEqual([" <ann@acme.example> new-1", " <a < b> new-2"]);
});

it("the reader can say what the columns have", () => {
  const { lines, columns } = readPeople("ann,Ann Keller\nbob,Bob", newId, ["loginName", "displayName"]);
  expect(columns).toEqual(["loginName", "displayName"]);
  expect(lines.map(({ person }) => person.preferredLoginName)).toEqual(["ann", "bob"]);
});

it("says of each line what is wrong with it", () => {
  const long = "x".repeat(201);
  const text = [
    "Name;Login name;Id",
    "No login;;",
    "Ann;ann@acme.example;",
    "Ann again;ANN@acme.example;",
    `Long;${long};`,
    `${long};long@acme.example;`,
    `Wide;wide@acme.example;${"€".repeat(200)}`,
    `Wider;wider@acme.example;${"😀".repeat(200)}`,
    "Cut \uD800;cut@acme.example;",
    "One;one@acme.example;same",
    "Two;two@acme.example;same",
    "",
    "Last;last@acme.example;",
  ].join("\n");
  const problems = readPeople(text, newId).lines.map(({ number, problem }) => [number, problem]);
  expect(problems).toEqual([
    [2, "The login name is missing."],
    [3, undefined],
    [4, "Line 3 has this login name, too."],
    [5, "The login name is too long: 200 characters at most."],
    [6, "The name is too long: 200 characters at most."],
    [7, undefined],
    [8, "The id is too long: 200 characters at most."],
    [9, "The name has characters that can't be stored."],
    [10, undefined],
    [11, "Line 10 has this id, too."],
    [13, undefined],
  ]);
});

it("a quotation mark that is never closed is a problem of its line", () => {
  expect(told('Ann,ann@acme.example\n"Bob,bob@acme.example')[1]).toMatch(/: A quotation mark is missing\.$/);
});

it("an empty list has no people", () => {
  expect(readPeople(" \n\n", newId)).toEqual({ lines: [], columns: [] });
});
