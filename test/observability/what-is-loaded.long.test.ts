import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { bareEnvironment } from "../support/bare-environment.ts";

const url = (file: string) => JSON.stringify(new URL(`../../src/${file}`, import.meta.url).href);

// All that a server imports, and what it does with its settings, in a process of its own.
const program = `
  import { registerHooks } from "node:module";
  const packages = new Set();
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const name = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(found.url)?.[1];
      if (name !== undefined) packages.add(name);
      return found;
    },
  });
  await import(${url("commands/serve.ts")});
  const { readConfig } = await import(${url("config/config.ts")});
  const { startObserving } = await import(${url("commands/observe.ts")});
  const { openLog } = await import(${url("observability/log.ts")});
  const observing = await startObserving(readConfig(), openLog("info").log);
  await observing.stop();
  console.log(JSON.stringify([...packages].filter((name) => /opentelemetry|prom-client/.test(name))));
  process.exit(0);`;

async function loaded(env: Record<string, string>): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
    env: { ...bareEnvironment, ...env },
  });
  return JSON.parse(stdout);
}

describe("of metrics and traces a server loads what is configured", () => {
  test("nothing by default", async () => {
    expect(await loaded({})).toEqual([]);
  });

  test("one without the other", async () => {
    expect(await loaded({ METRICS_PORT: "0" })).toContain("prom-client");
    const names = await loaded({ OTEL_TRACES_EXPORTER: "otlp" });
    expect(names).toEqual(
      expect.arrayContaining(["@opentelemetry/sdk-trace", "@opentelemetry/exporter-trace-otlp-proto"]),
    );
    expect(names).not.toContain("prom-client");
    expect(names).not.toContain("@opentelemetry/exporter-trace-otlp-http");
  });
});

test("Modules for workers are loaded only if a server has several", async () => {
  const program = `
    import { registerHooks } from "node:module";
    const loaded = new Set();
    registerHooks({
      resolve(specifier, context, next) {
        const found = next(specifier, context);
        if (/src\\/workers\\//.test(found.url)) loaded.add(found.url);
        return found;
      },
    });
    await import(${url("commands/serve.ts")});
    const alone = loaded.size;
    await import(${url("commands/serve-with-workers.ts")});
    process.stdout.write(JSON.stringify([alone, loaded.size > 0]), () => process.exit(0));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
    env: bareEnvironment,
  });
  expect(JSON.parse(stdout)).toEqual([0, true]);
});
