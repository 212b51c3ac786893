import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import { type Health, HealthCheckResponse_ServingStatus as Status } from "../../../gen/grpc/health/v1/health_pb.ts";
import { shorten } from "../shorten.ts";

/** Whether the server can answer requests. */
export type Readiness = {
  now(): Promise<boolean>;
  /** Now, and every second. Ends with false when the server stops, and throws if the signal aborts. */
  everySecond(signal: AbortSignal): AsyncIterable<boolean>;
};

/**
 * gRPC's health check. All services need the same database, so they all have the status of the server.
 *
 * @param services the full names of the services
 */
export function health(services: readonly string[], readiness: Readiness): ServiceImpl<typeof Health> {
  const names = new Set(["", ...services]);
  return {
    async check({ service }) {
      if (!names.has(service)) throw new ConnectError(shorten(`there is no service ${service}`), Code.NotFound);
      return { status: statusOf(await readiness.now()) };
    },

    async list() {
      const status = statusOf(await readiness.now());
      return { statuses: Object.fromEntries([...names].map((name) => [name, { status }])) };
    },

    async *watch({ service }, { signal }) {
      let told: Status | undefined;
      for await (const ready of readiness.everySecond(signal)) {
        const status = names.has(service) ? statusOf(ready) : Status.SERVICE_UNKNOWN;
        if (status !== told) yield { status };
        told = status;
      }
    },
  };
}

function statusOf(ready: boolean): Status {
  return ready ? Status.SERVING : Status.NOT_SERVING;
}
