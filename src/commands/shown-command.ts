import { type Config, defaultDataDirectory } from "../config/config.ts";

/** A command that people can paste into a shell, with DATA_DIR if it would otherwise use another database. */
export function shownCommand(config: Config, ...words: readonly string[]): string {
  return `${whereOf(config)}npm run --silent cli -- ${words.map(shellWord).join(" ")}`;
}

export function shownStart(config: Config): string {
  return `${whereOf(config)}npm start`;
}

/** The command that creates the first owner. It works as shown, but people should use their own names. */
export function shownInit(config: Config): string {
  return shownCommand(config, "init", "--organization", "Acme", "--login", "ann@acme.example");
}

function whereOf({ databaseUrl, dataDirectory }: Config): string {
  const isElsewhere = databaseUrl === undefined && dataDirectory !== defaultDataDirectory;
  return isElsewhere ? `DATA_DIR=${shellWord(dataDirectory)} ` : "";
}

/** Quotes a word if needed: an id can contain any character, and people paste what they are shown. */
function shellWord(text: string): string {
  return /^[\w.@/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
