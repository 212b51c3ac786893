/** What OpenTelemetry's standard variables say about traces; where they go its exporter reads by itself. */
export type TraceSettings = {
  readonly protocol: (typeof traceProtocols)[number];
  readonly sampler: (typeof samplerNames)[number];
  /** What part of all traces the samplers by ratio keep, from 0 to 1. */
  readonly sampledPart: number;
  /** How finished spans are gathered and sent; times in milliseconds. */
  readonly batch: {
    readonly scheduledDelayMillis: number;
    readonly exportTimeoutMillis: number;
    readonly maxQueueSize: number;
    readonly maxExportBatchSize: number;
  };
};

export const traceProtocols = ["http/protobuf", "http/json"] as const;

export const samplerNames = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
