/** Not a TCP port: it is the last part of the socket's name. */
export const postgresPort = 5432;

/** Settings for a service that must not lose acknowledged commits. Everything else is Postgres' own default. */
const defaults = {
  listen_addresses: "",
  port: String(postgresPort),
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  // A pool of 100 for the server, and pools for the commands that join.
  max_connections: "200",
  shared_buffers: "128MB",
  // Stops work for disconnected clients soon.
  client_connection_check_interval: "2s",
  log_checkpoints: "off",
  // startPostmaster reads messages in the log.
  lc_messages: "C",
};

export function postgresArguments(
  cluster: string,
  socketDirectory: string,
  settings: Readonly<Record<string, string>>,
): string[] {
  // A list of quoted names, so a comma in the path is not a separator.
  const unix_socket_directories = `"${socketDirectory.replaceAll('"', '""')}"`;
  const all = Object.entries({ ...defaults, unix_socket_directories, ...settings });
  return ["-D", cluster, ...all.flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}
