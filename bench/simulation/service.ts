import { seeded } from "../../test/history/random.ts";
import type { Engine } from "./engine.ts";
import { type Machine, newMachine, newStation, type Station } from "./machine.ts";
import { newPrimary, newReplica, type Primary, type Questions, type Replica } from "./postgres.ts";
import type { Costs, Setup } from "./setup.ts";

export type Service = {
  /** @param done called once: whether it was answered, and how much of it by a replica */
  list(done: (isDone: boolean, byReplicas: number) => void): void;
  change(done: (isDone: boolean) => void): void;
  setAvailable(isAvailable: boolean): void;
};

export function newService(engine: Engine, setup: Setup): Service {
  const random = seeded(setup.seed).derive("service");
  const shared = setup.sharedCores === undefined ? undefined : newMachine(engine, setup.sharedCores);
  const machineOf = (cores: number): Machine => shared ?? newMachine(engine, cores);
  const primary: Primary = newPrimary(engine, newStation(machineOf(setup.coresOfPostgres), setup.connections), setup);
  const replicas: Replica[] = Array.from({ length: setup.replicas }, () =>
    newReplica(engine, machineOf(setup.coresOfPostgres), setup),
  );
  primary.follow(replicas);
  const servers: Station[] = Array.from({ length: setup.servers }, () => newStation(machineOf(1), 1));
  const client = newStation(machineOf(Number.POSITIVE_INFINITY), 1);
  const asks = servers.map(() => primary.newQuestions());
  let turn = 0;

  /** Half of a server's work comes before Postgres, and half after it. */
  function request(
    costs: Costs,
    onPostgres: (server: number, factor: number, next: (isDone: boolean) => void) => void,
    done: (isDone: boolean) => void,
  ): void {
    turn += 1;
    const number = turn % servers.length;
    const server = servers[number] as Station;
    const factor = random.pick(setup.factors);
    const half = (costs.server * factor) / 2;
    client.run(costs.client, () =>
      server.run(half, () =>
        onPostgres(number, factor, (isDone) => {
          if (isDone) server.run(half, () => done(true));
          else done(false);
        }),
      ),
    );
  }

  return {
    list(done) {
      let onReplicas = 0;
      request(
        setup.list,
        (server, factor, next) => {
          const replica = replicas[turn % Math.max(1, replicas.length)];
          let left = setup.statements;
          const [work, wait] = [setup.list.postgres, setup.list.wait].map((it) => (it * factor) / left) as [
            number,
            number,
          ];
          // Each statement finds a place of its own.
          function statement(): void {
            if (left === 0) {
              next(true);
              return;
            }
            left -= 1;
            const ended = (isDone: boolean) => (isDone ? statement() : next(false));
            if (replica === undefined) primary.read(work, wait, ended);
            else
              replica.findEqual(asks[server] as Questions, (found) => {
                if (found === "unavailable") next(false);
                else if (found === "none") primary.read(work, wait, ended);
                else {
                  onReplicas += 1;
                  replica.read(work, wait, statement);
                }
              });
          }
          statement();
        },
        (isDone) => done(isDone, onReplicas / setup.statements),
      );
    },
    change(done) {
      request(
        setup.change,
        (_number, factor, next) => primary.change(setup.change.postgres * factor, setup.change.wait * factor, next),
        done,
      );
    },
    setAvailable: primary.setAvailable,
  };
}
