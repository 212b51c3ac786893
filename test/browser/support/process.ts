import { startCommand, urlOf } from "../../support/command.ts";

/** A service that serves the console and the demo world. */
export type Service = Awaited<ReturnType<typeof startService>>;

/** carol owns the instance, ann owns the organization Acme, bob is a plain user. */
export type Tokens = Readonly<Record<"carol" | "ann" | "bob", string>>;

/** Starts `npm start` as a process of its own and waits until it has said all it says. */
export async function startService(env: Record<string, string>) {
  const running = startCommand(["start"], { env: { CONSOLE: "true", LOG_LEVEL: "warn", ...env } });
  const greeting = await running.until("stdout", /TOKEN=[\s\S]*"limit":1/);
  const token = (user: string) => new RegExp(`^# ${user} .*\nTOKEN=(\\S+)`, "m").exec(greeting)?.[1] ?? "";
  const end = async (signal: "SIGKILL" | "SIGTERM") => {
    running.process.kill(signal);
    await running.ended;
  };
  return {
    url: await urlOf(running, "stdout"),
    /** Of people of the demo world; empty unless this start has loaded it. */
    tokens: { carol: token("carol"), ann: token("ann"), bob: token("bob") } satisfies Tokens,
    /** As a power cut does. */
    kill: () => end("SIGKILL"),
    /** Ends it as operators do. */
    stop: () => end("SIGTERM"),
  };
}
