import type { Engine } from "./engine.ts";
import { type Machine, newStation, type Station } from "./machine.ts";
import { patienceMs, type Setup } from "./setup.ts";

/** Asks the primary how much has been committed. Undefined: there is no primary. */
export type Questions = (answer: (commits: number | undefined) => void) => void;

export type Primary = {
  follow(replicas: readonly Replica[]): void;
  read(work: number, wait: number, done: (isDone: boolean) => void): void;
  change(work: number, wait: number, done: (isDone: boolean) => void): void;
  /** For one server: one question is under way at a time, and those who ask meanwhile share the next one. */
  newQuestions(): Questions;
  setAvailable(isAvailable: boolean): void;
};

export function newPrimary(engine: Engine, backends: Station, setup: Setup): Primary {
  let commits = 0;
  let isAvailable = true;
  let followers: readonly Replica[] = [];
  const away = (work: () => void) => engine.after(setup.networkMs, work);

  function statement(work: number, wait: number, done: (isDone: boolean) => void): void {
    away(() => {
      if (!isAvailable) return away(() => done(false));
      // What runs while the primary fails is lost with it.
      backends.run(work, () => engine.after(wait, () => away(() => done(isAvailable))));
    });
  }

  return {
    follow(replicas) {
      followers = replicas;
    },
    read: statement,
    change(work, wait, done) {
      away(() => {
        if (!isAvailable) return away(() => done(false));
        backends.run(work, () =>
          engine.after(wait, () => {
            if (!isAvailable) return away(() => done(false));
            commits += 1;
            for (const replica of followers) replica.receive();
            away(() => done(true));
          }),
        );
      });
    },
    newQuestions() {
      let next: ((commits: number | undefined) => void)[] = [];
      let isUnderWay = false;
      function ask(): void {
        const asking = next;
        next = [];
        isUnderWay = asking.length > 0;
        if (!isUnderWay) return;
        let seen = 0;
        away(() => {
          // The answer says what was committed when it was made.
          seen = commits;
          const answered = (isDone: boolean) => {
            for (const one of asking) one(isDone ? seen : undefined);
            ask();
          };
          if (!isAvailable) return away(() => answered(false));
          backends.run(setup.question, () => {
            seen = commits;
            away(() => answered(isAvailable));
          });
        });
      }
      return (answer) => {
        next.push(answer);
        if (!isUnderWay) ask();
      };
    },
    setAvailable(available) {
      isAvailable = available;
    },
  };
}

type Found = "equal" | "none" | "unavailable";

export type Replica = {
  /** A change arrives, and is replayed after those before it. */
  receive(): void;
  /** Finds a snapshot that equals one of the primary's, as docs/explanation/replicas.md says. */
  findEqual(ask: Questions, found: (result: Found) => void): void;
  read(work: number, wait: number, done: () => void): void;
};

export function newReplica(engine: Engine, machine: Machine, setup: Setup): Replica {
  const backends = newStation(machine, setup.connections);
  const replay = newStation(machine, 1);
  let replayed = 0;
  const waiting = new Set<{ readonly commits: number; then(isReplayed: boolean): void }>();
  const away = (work: () => void) => engine.after(setup.networkMs, work);

  function whenReplayed(commits: number, until: number, then: (isReplayed: boolean) => void): void {
    if (replayed >= commits) {
      then(true);
      return;
    }
    const waiter = { commits, then };
    waiting.add(waiter);
    engine.after(Math.max(0, until - engine.now()), () => {
      if (waiting.delete(waiter)) then(false);
    });
  }

  function wake(): void {
    for (const waiter of waiting) {
      if (replayed >= waiter.commits && waiting.delete(waiter)) waiter.then(true);
    }
  }

  return {
    receive() {
      engine.after(setup.networkMs + setup.replicationMs, () =>
        replay.run(setup.replay, () => {
          replayed += 1;
          wake();
        }),
      );
    },
    findEqual(ask, found) {
      const until = engine.now() + patienceMs;
      function lookFor(commits: number): void {
        away(() =>
          whenReplayed(commits, until, (isReplayed) => {
            if (!isReplayed) away(() => found("none"));
            else
              backends.run(setup.snapshot, () => {
                const snapshot = replayed;
                away(() => compare(snapshot, commits));
              });
          }),
        );
      }
      function compare(snapshot: number, commits: number): void {
        if (snapshot === commits) found("equal");
        else if (engine.now() >= until) found("none");
        // The primary shows more: another snapshot. The replica shows more: another question.
        else if (commits > snapshot) lookFor(commits);
        else known((later) => compare(snapshot, later));
      }
      function known(then: (commits: number) => void): void {
        ask((commits) => {
          if (commits === undefined) found("unavailable");
          else then(commits);
        });
      }
      known(lookFor);
    },
    read(work, wait, done) {
      away(() => backends.run(work, () => engine.after(wait, () => away(done))));
    },
  };
}
