/** What attackers know of the server. */
export type Target = {
  readonly port: number;
  /** Tokens of three callers: a plain user, the owner of one project, and the owner of an organization. */
  readonly tokens: Readonly<Record<"user" | "project" | "organization", string>>;
};

export type Attack = {
  /** For the table. */
  readonly what: string;
  /** Lasts until its process ends. */
  begin(target: Target): void;
};
