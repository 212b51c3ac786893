import { type Engine, newHeap } from "./engine.ts";

/** The cores of a machine, shared equally by what runs. One task uses one core at most. */
export type Machine = { run(work: number, done: () => void): void };

type Task = { readonly end: number; readonly number: number; readonly done: () => void };

/** While more tasks run than there are cores, each gets the same part of them (processor sharing). */
export function newMachine(engine: Engine, cores: number): Machine {
  // How much work a task has got that has run since the beginning. All tasks progress alike, so one number is enough.
  let progress = 0;
  let updatedAt = 0;
  let added = 0;
  let planned = 0;
  const tasks = newHeap<Task>((a, b) => a.end - b.end || a.number - b.number);
  const speed = () => Math.min(1, cores / tasks.size());

  function update(): void {
    if (tasks.size() > 0) progress += (engine.now() - updatedAt) * speed();
    updatedAt = engine.now();
  }

  function plan(): void {
    const next = tasks.first();
    planned += 1;
    if (next === undefined) return;
    const mine = planned;
    engine.after(Math.max(0, (next.end - progress) / speed()), () => {
      // Something began or ended since, and made another plan.
      if (mine !== planned) return;
      update();
      progress = Math.max(progress, next.end);
      tasks.pop();
      plan();
      next.done();
    });
  }

  return {
    run(work, done) {
      update();
      added += 1;
      tasks.push({ end: progress + work, number: added, done });
      plan();
    },
  };
}

/** What takes tasks in the order in which they came, and runs so many of them at a time on a machine. */
export type Station = { run(work: number, done: () => void): void };

export function newStation(machine: Machine, atOnce: number): Station {
  const waiting: { work: number; done: () => void }[] = [];
  let first = 0;
  let running = 0;

  function start(work: number, done: () => void): void {
    running += 1;
    machine.run(work, () => {
      running -= 1;
      const next = waiting[first];
      if (next !== undefined) {
        first += 1;
        if (first > 10_000) first -= waiting.splice(0, first).length;
        start(next.work, next.done);
      }
      done();
    });
  }

  return {
    run(work, done) {
      if (running < atOnce) start(work, done);
      else waiting.push({ work, done });
    },
  };
}
