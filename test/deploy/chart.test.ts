// What the Helm chart has of its own, checked without Helm. test/foreign/chart.foreign.ts renders it.

import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { describedFiles } from "../../scripts/describe-chart.ts";
import { read } from "../support/repository.ts";
import { neededSettings, problemsOf, settingsRead } from "../support/settings.ts";

const chart = "deploy/helm/authorization-service";
const page = read("docs/reference/configuration.md");
const schema = JSON.parse(read(`${chart}/values.schema.json`));
const settings = JSON.parse(read(`${chart}/files/settings.json`));
const validate = new Ajv2020({ allowUnionTypes: true, strictRequired: false }).compile(schema);

test.each(Object.entries(describedFiles()))("%s is what `npm run describe:chart` writes", (file, text) => {
  expect(read(`${chart}/${file}`)).toBe(text);
});

test("The chart has the version of the service", () => {
  const { version } = JSON.parse(read("package.json"));
  expect(parse(read(`${chart}/Chart.yaml`))).toMatchObject({ version, appVersion: version });
});

test("Every value has a default that the schema accepts, and no value is unknown to it", () => {
  const values = parse(read(`${chart}/values.yaml`));
  validate(values);
  expect(validate.errors).toBeNull();
  const unlisted = Object.keys(schema.properties).filter((name) => !(name in values));
  // Helm adds it to every chart.
  expect(unlisted).toEqual(["global"]);
});

describe("env and secretEnv", () => {
  test("know every setting that the service reads", () => {
    const names = settingsRead();
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(names));
    const others = Object.keys(settings).filter((name) => !names.includes(name) && !page.includes(`\`${name}\``));
    // Its variants for traces only are said there in words. The rest is Node's.
    expect(others.filter((name) => !name.startsWith("OTEL_EXPORTER_OTLP_TRACES_"))).toEqual([
      "NODE_EXTRA_CA_CERTS",
      "NODE_OPTIONS",
    ]);
  });

  test("describe in the schema those that env may have", () => {
    const free = Object.keys(settings).filter((name) => settings[name] === "");
    expect(Object.keys(schema.properties.env.properties).toSorted()).toEqual(free);
  });
});

describe("The schema accepts no value of a kind that the service refuses, and refuses none that it accepts:", () => {
  const needed = {
    ...neededSettings,
    DATABASE_POOL_SIZE: "1000",
    DEFAULT_LIMIT: "1",
    MAX_LIMIT: "100000",
    DEFAULT_TIMEOUT_MS: "1",
    MAX_TIMEOUT_MS: "3600000",
  };
  const samples = [true, false, 1, 7, 0, -1, 1.5, 0.5, 5_000, 2e9, "auto", "none", "otlp", "http/json", "12h", "x y"]
    .concat(["https://shop.example", "http://127.0.0.1", "openid", "always_on", "debug", "zitadel", "10.0.0.0/8"])
    .map((sample) => [sample, String(sample)] as const);

  const documented = Object.entries<any>(schema.properties.env.properties).filter(([name]) =>
    page.includes(`| \`${name}\` |`),
  );
  test.each(documented)("%s", (name, { type }) => {
    const accepted = samples.map(([sample]) => validate({ env: { [name]: sample } }));
    const isUsable = (value: string) => problemsOf({ ...needed, [name]: value }).length === 0;
    const usable = samples.map(([sample, text]) => isUsable(text) && (type !== "string" || sample === text));
    expect(usable).toContain(true);
    // The service checks other forms of text when it starts.
    if (type === "string") expect(samples.filter((_, at) => usable[at] && !accepted[at])).toEqual([]);
    else expect(samples.filter((_, at) => accepted[at])).toEqual(samples.filter((_, at) => usable[at]));
  });
});
