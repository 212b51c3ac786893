/** No TCP port: it is the last part of the socket's name. */
export const postgresPort = 5432;

/** What a service needs that must not lose a commit it has acknowledged; the rest is Postgres's own default. */
const defaults = {
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  // A pool of 100 for the server, and pools for the commands that join.
  max_connections: "200",
  shared_buffers: "128MB",
  // Work for a client that is gone is stopped soon.
  client_connection_check_interval: "2s",
  log_checkpoints: "off",
};

export function postgresArguments(
  cluster: string,
  socketDirectory: string,
  settings: Readonly<Record<string, string>>,
): string[] {
  const fixed = {
    listen_addresses: "",
    // A list of quoted names, so that a comma in the path is no separator.
    unix_socket_directories: `"${socketDirectory.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
    port: String(postgresPort),
    logging_collector: "off",
    // The start is judged by messages in the log.
    lc_messages: "C",
  };
  const all = Object.entries({ ...defaults, ...settings, ...fixed });
  return ["-D", cluster, ...all.flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}
