// Follows the guides word for word, in the demo world of the README and after its own steps.

import { access, readdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { post } from "../support/call-headers.ts";
import { blocksOf, madeAlike, outputLike } from "../support/page.ts";
import { read, root } from "../support/repository.ts";
import { type Followed, follow, type Newcomer, type Replacements, startNewcomer, url } from "./newcomer.ts";

let newcomer: Newcomer;

beforeAll(async () => {
  newcomer = await startNewcomer();
  // "Paste carol's token, and give Ann Keller the Auditor role in the Shop": what the console sends for that.
  const change = { id: "a-00001", roleKeys: ["auditor", "seller"] };
  expect((await post(url, newcomer.tokens.carol ?? "", "UpdateAuthorization", change)).status).toBe(200);
});
afterAll(() => newcomer?.stop());

/** Follows a page in a folder. Every command must succeed, and print what the page shows. */
async function followed(page: string, folder: string, replacements: Replacements = {}): Promise<Followed[]> {
  const shell = newcomer.shell(folder);
  try {
    const steps = await follow(shell, page, replacements);
    for (const { commands, shown, output, failed } of steps) {
      // Of a refusal, the page shows the reason.
      if (!/^[A-Z_]+: /.test(shown ?? "")) expect.soft(failed, `${commands}\n${output}`).toEqual([]);
      if (shown !== undefined) expect.soft(madeAlike(output.trimEnd()), commands).toMatch(outputLike(shown));
    }
    return steps;
  } finally {
    await shell.close();
  }
}

test("README.md", async () => {
  const readme = read("README.md");
  expect(readme).toContain("paste carol's token, and give Ann Keller the Auditor role in the Shop");
  const [, curl = ""] = /```sh\n(curl .*?)```/s.exec(readme) ?? [];
  const [, program = ""] = /Try it here: `(.*?)`/.exec(readme) ?? [];
  const shell = newcomer.shell(root);
  const listed = await shell.run(`TOKEN=${newcomer.tokens.carol}\n${curl.replace("8080", "8081")}`);
  expect(JSON.parse(listed.output).authorizations).toMatchObject([{ project: { id: "shop" } }]);
  const shown = await shell.run(program.replace("TOKEN=…", "TOKEN=$TOKEN"));
  expect(shown.output).toMatch(/^\d+ assignments in the Shop, the newest of them:\n(.+ at .+: .*\n){10}$/);
  await shell.close();
});

test("docs/reference/rpcs.md", async () => {
  const { carol = "", ann = "", bob = "" } = newcomer.tokens;
  const tokens = { "CAROL=authz_…": `CAROL=${carol}`, "ANN=authz_…": `ANN=${ann}`, "BOB=authz_…": `BOB=${bob}` };
  await followed("docs/reference/rpcs.md", root, tokens);
});

test("docs/how-to/give-a-role-from-a-script.md", () => followed("docs/how-to/give-a-role-from-a-script.md", root));

test("docs/how-to/call-from-typescript.md", async () => {
  const replacements = { "/path/to/authorization-service": root, "TOKEN=authz_…": `TOKEN=${newcomer.tokens.carol}` };
  await followed("docs/how-to/call-from-typescript.md", await newcomer.emptyFolder(), replacements);
});

test("docs/tutorial/index.md", async () => {
  const page = "docs/tutorial/index.md";
  const files = blocksOf(page).filter(({ saveAs }) => saveAs !== undefined);
  expect(files).toHaveLength(7);
  for (const { code, saveAs = "" } of files) expect(code, saveAs).toBe(read(`docs/tutorial/shop/${saveAs}`));
  await followed(page, await newcomer.emptyFolder(), {
    "/path/to/authorization-service": root,
    "TOKEN=authz_…": `TOKEN=${newcomer.tokens.carol} APP_PORT=18180`,
    "127.0.0.1:3000": "127.0.0.1:18180",
  });
});

test("docs/how-to/check-roles-from-a-backend.md", async () => {
  const folder = await newcomer.emptyFolder();
  // Commands of the service run in the checkout, and programs in a folder of their own.
  await followed("docs/how-to/check-roles-from-a-backend.md", folder, {
    "/path/to/authorization-service": root,
    "npm run --silent cli": `npm run --silent --prefix ${root} cli`,
  });
});

test("docs/how-to/import-data.md", async () => {
  const folder = await newcomer.emptyFolder();
  const start = `export DATA_DIR=${folder}/data-mine\n(DEMO=false PORT=18181 npm --prefix ${root} start > start.log 2>&1 &)`;
  const steps = await followed("docs/how-to/import-data.md", folder, {
    "DEMO=false DATA_DIR=.data-mine npm start": `${start}\ncurl -sS --retry 60 --retry-connrefused --retry-all-errors -o ready -f http://127.0.0.1:18181/readyz 2> waited`,
    "npm run --silent cli": `npm run --silent --prefix ${root} cli`,
    "import acme.ndjson": `import "$PWD/acme.ndjson"`,
    "127.0.0.1:8081": "127.0.0.1:18181",
  });
  expect(steps).toHaveLength(3);
});

test("docs/how-to/provision-people.md", async () => {
  const folder = await newcomer.emptyFolder();
  await followed("docs/how-to/provision-people.md", folder, {
    "npm run --silent cli": `npm run --silent --prefix ${root} cli`,
  });
});

// Last, because Bob gets another id.
test("docs/how-to/move-to-another-issuer.md", async () => {
  const folder = await newcomer.emptyFolder();
  const steps = await followed("docs/how-to/move-to-another-issuer.md", folder, {
    "npm run --silent cli": `npm run --silent --prefix ${root} cli`,
    " add.ndjson": ` "$PWD/add.ndjson"`,
    " remove.ndjson": ` "$PWD/remove.ndjson"`,
  });
  expect(steps).toHaveLength(2);
});

/** Guides that other tests follow, and those that need databases, issuers or machines of the reader's own. */
const notHere = {
  "access-as-code": "test/examples/access-as-code.long.test.ts",
  "erase-a-person": "test/commands/erase-user.long.test.ts",
  auth0: "test/documentation/issuers.test.ts",
  "archive-old-history": "test/commands/events-archive.long.test.ts",
  "back-up-and-restore": "test/commands/backup.long.test.ts",
  "call-from-go": "test/foreign/pages.foreign.ts",
  "call-from-python": "test/foreign/pages.foreign.ts",
  "call-with-curl-and-grpcurl": "test/foreign/pages.foreign.ts",
  deploy: "test/examples/units.long.test.ts",
  "deploy-on-kubernetes": "test/foreign/chart.foreign.ts",
  "entra-id": "test/documentation/issuers.test.ts",
  "fail-over": "machines",
  "fail-over-managed-postgres": "machines",
  "fail-over-with-cloudnativepg": "machines",
  "fail-over-with-patroni": "test/patroni/fail-over.patroni.ts",
  google: "test/documentation/issuers.test.ts",
  keycloak: "test/documentation/issuers.test.ts",
  monitor: "test/observability/operations.test.ts",
  okta: "test/documentation/issuers.test.ts",
  "read-from-replicas": "databases",
  "respond-to-alerts": "nothing to run",
  "scale-out": "nothing to run",
  "sign-in-with-openid-connect": "an issuer",
  upgrade: "test/examples/upgrade-guide.long.test.ts",
  "use-all-cores": "servers that don't end",
  "use-your-own-postgres": "databases",
  zitadel: "test/documentation/issuers.test.ts",
};

test("every guide is followed here, or has a reason why not", async () => {
  const its = read("test/guides/guides.guides.ts");
  const files = (await readdir(path.join(root, "docs/how-to"))).filter((name) => name.endsWith(".md"));
  const guides = files.map((name) => path.basename(name, ".md"));
  const left = guides.filter((name) => !its.includes(`followed("docs/how-to/${name}.md"`));
  expect(left.toSorted()).toEqual(Object.keys(notHere).toSorted());
  for (const why of Object.values(notHere).filter((reason) => reason.startsWith("test/")))
    await access(path.join(root, why));
});
