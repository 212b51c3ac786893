// Loaded by a dynamic import only if traces are configured, because OpenTelemetry takes time and memory at the start.

import { setGlobalErrorHandler } from "@opentelemetry/core";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { TraceSettings } from "./trace-settings.ts";
import { rpcTracing, type Tracing } from "./tracing.ts";
import { serviceName, version } from "./version.ts";

/** How long sending the last spans may take when the server stops, in milliseconds. */
const stopGraceMs = 1_500;

type Log = { warn(details: object, message: string): void };

/** Starts sending traces to OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT. */
export async function startTracing(settings: TraceSettings, log: Log): Promise<Tracing> {
  setGlobalErrorHandler((error) => log.warn({ err: error }, "traces could not be sent"));
  // It reads its endpoint, headers, timeout and compression from the environment.
  const { OTLPTraceExporter } =
    settings.protocol === "http/json"
      ? await import("@opentelemetry/exporter-trace-otlp-http")
      : await import("@opentelemetry/exporter-trace-otlp-proto");
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": serviceName, "service.version": version }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(settings),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: settings.everyMs }),
    ],
  });
  const stop = async () => {
    const timeUp = new Promise<void>((resolve) => void setTimeout(resolve, stopGraceMs).unref());
    await Promise.race([provider.shutdown().catch(() => {}), timeUp]);
  };
  return rpcTracing(provider.getTracer(serviceName, version), stop);
}

/** All and none are parts, too. */
function samplerOf({ sampler, sampledPart }: TraceSettings): Sampler {
  const root = new TraceIdRatioBasedSampler(sampler.endsWith("always_off") ? 0 : sampledPart);
  return sampler.startsWith("parentbased_") ? new ParentBasedSampler({ root }) : root;
}
