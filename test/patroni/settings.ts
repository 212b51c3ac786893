import { parse, stringify } from "yaml";
import { pageOf } from "../support/page.ts";
import { programs } from "./install.ts";

/** What differs between members, and between the guide and a test on one machine. */
export type Place = {
  readonly name: string;
  readonly folder: string;
  readonly data: string;
  readonly etcd: string;
  /** Where Postgres and Patroni's REST API listen. */
  readonly postgres: string;
  readonly rest: string;
  /** Where the other members reach them. */
  readonly postgresForOthers: string;
  readonly restForOthers: string;
};

export const superuser = { username: "postgres", password: "of-superuser" };

/** The file in the guide. */
export function guided() {
  return parse(pageOf("fail-over-with-patroni").file("patroni.yml"));
}

/** The guide's settings of a member, with another place and no watchdog, which a machine shared by all members can't have. */
export function settingsAt(place: Place): string {
  const settings = guided();
  const { restapi, postgresql } = settings;
  const own = {
    name: place.name,
    // Otherwise, it would ask etcd for its real address, and get around what can be cut.
    etcd3: { ...settings.etcd3, hosts: place.etcd, use_proxies: true },
    restapi: {
      ...{ ...restapi, listen: place.rest, connect_address: place.restForOthers },
      authentication: { ...restapi.authentication, password: "of-api" },
    },
    postgresql: {
      ...{ ...postgresql, listen: place.postgres, connect_address: place.postgresForOthers },
      ...{ data_dir: place.data, bin_dir: programs.postgres },
      authentication: { superuser, replication: { ...postgresql.authentication.replication, password: "of-standby" } },
      parameters: { ...postgresql.parameters, unix_socket_directories: place.folder },
    },
    watchdog: { mode: "off" },
  };
  return stringify({ ...settings, ...own });
}
