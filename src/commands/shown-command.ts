import { type Config, defaultDataDirectory } from "../config/config.ts";

/** A command as people can paste it into a shell, with DATA_DIR where it would look for another database without. */
export function shownCommand(config: Config, ...words: readonly string[]): string {
  return `${whereOf(config)}npm run --silent cli -- ${words.map(shellWord).join(" ")}`;
}

export function shownStart(config: Config): string {
  return `${whereOf(config)}npm start`;
}

/** Makes the first owner as it stands; people put their own names in. */
export function shownInit(config: Config): string {
  return shownCommand(config, "init", "--organization", "Acme", "--login", "ann@acme.example");
}

function whereOf({ databaseUrl, dataDirectory }: Config): string {
  const isElsewhere = databaseUrl === undefined && dataDirectory !== defaultDataDirectory;
  return isElsewhere ? `DATA_DIR=${shellWord(dataDirectory)} ` : "";
}

/** An id can hold any character, and people paste what they are shown. */
function shellWord(text: string): string {
  return /^[\w.@/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
