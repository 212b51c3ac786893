import { diceOf } from "../../demo/dice.ts";
import type { Call, Input } from "./input.ts";
import { mutated } from "./mutations.ts";
import { oddHeaders } from "./odd-headers.ts";
import { aborted, endlessBody, halfOpen, mutatedRequest, pipelined, slowRequest } from "./raw-inputs.ts";
import { anyCall, anyMischief, noMischief, oneRequest, requestOf, type Wish } from "./requests.ts";

/** The input of this number in the run with this seed. */
export function anyInput(seed: number, index: number, isChanging: boolean): Input {
  const dice = diceOf(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index, 0x85ebca6b));
  const kinds = isChanging ? changing : quiet;
  let roll = dice.below(kinds.reduce((sum, [weight]) => sum + weight, 0));
  const kind = kinds.find(([weight]) => {
    roll -= weight;
    return roll < 0;
  });
  return (kind ?? plain)[1]({ dice, isChanging });
}

type Kind = readonly [weight: number, make: (wish: Wish) => Input];

const plain: Kind = [350, (wish) => called("call", anyCall(wish, anyMischief(wish.dice)))];
const attack: Kind = [150, (wish) => called("attack in a text", anyCall(wish, noMischief, true))];
const mutation: Kind = [250, mutatedBody];

/** What somebody may send who has the right to change things. */
const changing: readonly Kind[] = [[250, (wish) => called("call", anyCall(wish, noMischief))], plain, attack, mutation];

/** All there is, from people who may change nothing. */
const quiet: readonly Kind[] = [
  plain,
  attack,
  mutation,
  [110, oddHeaders],
  [40, mutatedRequest],
  [4, pipelined],
  [4, slowRequest],
  [2, endlessBody],
  [8, aborted],
  [4, halfOpen],
];

function called(kind: string, call: Call): Input {
  return oneRequest(kind, requestOf(call), { call });
}

function mutatedBody(wish: Wish): Input {
  const call = anyCall(wish, noMischief);
  return called("mutated body", { ...call, plain: mutated(wish.dice, Buffer.from(call.plain)) });
}
