import { expect, test } from "vitest";
import { read } from "../support/repository.ts";

const { repository, image, npmScope, goModule, securityContact, site, ...others } = JSON.parse(
  read("deploy/placeholders.json"),
);

// The addresses that don't exist yet are in one file. What can't read it must say the same.

test("deploy/placeholders.json has all addresses, and no others", () => {
  const all = { repository, image, npmScope, goModule, securityContact, site };
  expect(Object.values(all)).toEqual(Object.values(all).map(() => expect.any(String)));
  expect(others).toEqual({});
});

test("SECURITY.md names the address that deploy/placeholders.json has", () => {
  expect(read("SECURITY.md")).toContain(`Write to ${securityContact},`);
});

test("the npm package has the scope, the site and the repository that deploy/placeholders.json has", () => {
  expect(JSON.parse(read("client/package.json"))).toMatchObject({
    name: `${npmScope}/client`,
    homepage: site,
    repository: { url: `git+${repository}.git` },
    bugs: `${repository}/issues`,
  });
});

test("no address of the workflow for releases is another one", () => {
  expect(read(".github/workflows/release.yml")).toContain(`require("./deploy/placeholders.json").image`);
  expect(read(".github/workflows/release.yml")).not.toContain(".example");
});

test("the Helm chart has the image, the site and the repository that deploy/placeholders.json has", () => {
  const chart = "deploy/helm/authorization-service";
  expect(read(`${chart}/values.yaml`)).toContain(`repository: ${image}\n`);
  expect(read(`${chart}/values.yaml`)).toContain(`runbookUrl: ${site}/`);
  for (const address of [`home: ${site}\n`, `icon: ${site}/`, `- ${repository}\n`]) {
    expect(read(`${chart}/Chart.yaml`)).toContain(address);
  }
});
