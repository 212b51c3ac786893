/** Processor time, in milliseconds. Each is a mean; a request needs more or less by its factor. */
export type Costs = {
  readonly server: number;
  readonly postgres: number;
  /** What the client needs for a request, where it shares the machine. */
  readonly client: number;
  /** Waiting that uses no processor, such as for the disk. */
  readonly wait: number;
};

export type Setup = {
  /** How many servers there are: each uses one core at most. */
  readonly servers: number;
  readonly coresOfPostgres: number;
  readonly replicas: number;
  readonly list: Costs;
  /** How many statements a list has, one after the other. */
  readonly statements: number;
  readonly change: Costs;
  /** The processor time of one question to the primary, of finding a snapshot on a replica, and of replaying a change. */
  readonly question: number;
  readonly snapshot: number;
  readonly replay: number;
  /** From one machine to another, and what replication needs on top. */
  readonly networkMs: number;
  readonly replicationMs: number;
  readonly connections: number;
  /** How much more or less than the mean requests need; drawn from these. */
  readonly factors: readonly number[];
  readonly seed: number;
  /** Everything runs on so many cores of one machine, as in a bench on one. */
  readonly sharedCores?: number;
};

/** How long a read looks for a snapshot on a replica. */
export const patienceMs = 20;
