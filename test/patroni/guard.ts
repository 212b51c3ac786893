import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Waits for the end of its input, which also comes when the tests are killed. Then it ends what still runs of a folder, each
 * by its id: everything with a file `pid`, before Postgres, which Patroni would start again. A process that only has such
 * an id has the folder neither in its command nor in its environment. SIGQUIT lets Postgres remove its shared memory. The
 * folder goes last.
 */
const script = `
read -r _
is_ours() {
  pid=$(head -n 1 "$1" 2>/dev/null) && [ -n "$pid" ] && grep -qsF "$folder" "/proc/$pid/cmdline" "/proc/$pid/environ"
}
for file in "$folder"/*/pid; do is_ours "$file" && kill -KILL "$pid"; done
for file in "$folder"/*/data/postmaster.pid; do is_ours "$file" && kill -CONT "$pid" && kill -QUIT "$pid"; done
for file in "$folder"/*/data/postmaster.pid; do
  tries=0
  while is_ours "$file" && [ $tries -lt 100 ]; do tries=$((tries + 1)); sleep 0.1; done
  is_ours "$file" && kill -KILL "$pid"
done
tries=0
until rm -rf "$folder" || [ $tries -ge 50 ]; do tries=$((tries + 1)); sleep 0.1; done
`;

/** Ends everything of a folder, and the folder, when it is told to, or when this process ends for any reason. */
export function guard(folder: string): { end(): Promise<void> } {
  const child = spawn("sh", ["-c", `folder=$0\n${script}`, folder], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const ended = once(child, "exit");
  return {
    async end() {
      child.stdin?.end();
      await ended;
    },
  };
}
