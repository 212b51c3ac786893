// Carries out one attack until its time is over, on a core of its own. It never outlives the process that started it.

import type { Target } from "./attack.ts";
import { attacks } from "./attacks.ts";
import { cores, pinTo } from "./pin.ts";

export type Order = { readonly attack: string; readonly target: Target; readonly seconds: number };

pinTo(cores.attackers);
process.once("disconnect", () => process.exit());
process.once("message", ({ attack, target, seconds }: Order) => {
  attacks[attack]?.begin(target);
  setTimeout(() => process.exit(), seconds * 1_000);
});
process.send?.("ready");
