import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import { type Health, HealthCheckResponse_ServingStatus as Status } from "../../../gen/grpc/health/v1/health_pb.ts";
import { shorten } from "../shorten.ts";

/** Whether the server can answer requests. */
export type Readiness = () => Promise<boolean>;

/**
 * gRPC's health check. All services need the same database, so they all have the status of the server. `Watch` is not
 * supported: its clients then go without.
 *
 * @param services the full names of the services
 */
export function health(services: readonly string[], isReady: Readiness): Partial<ServiceImpl<typeof Health>> {
  const names = new Set(["", ...services]);
  return {
    async check({ service }) {
      if (!names.has(service)) throw new ConnectError(shorten(`there is no service ${service}`), Code.NotFound);
      return { status: statusOf(await isReady()) };
    },

    async list() {
      const status = statusOf(await isReady());
      return { statuses: Object.fromEntries([...names].map((name) => [name, { status }])) };
    },
  };
}

function statusOf(ready: boolean): Status {
  return ready ? Status.SERVING : Status.NOT_SERVING;
}
