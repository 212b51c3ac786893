/** OpenTelemetry's standard variables for traces, except for the endpoint, which its exporter reads itself. */
export type TraceSettings = {
  readonly protocol: (typeof traceProtocols)[number];
  readonly sampler: (typeof samplerNames)[number];
  /** The fraction of traces that ratio samplers keep, from 0 to 1. */
  readonly sampledPart: number;
  /** How often finished spans are sent, in milliseconds. */
  readonly everyMs: number;
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
