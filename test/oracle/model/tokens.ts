import type { World } from "./world.ts";

/** The users whose tokens were made with the token of a user, directly or not, and that user, if it has a token. */
export function usersOfTree(world: World, userId: string): string[] {
  const root = world.tokens.get(userId)?.id;
  if (root === undefined) return [];
  return [...world.tokens].filter(([, { id }]) => isMadeWith(world, id, root)).map(([other]) => other);
}

/** Whether a token is another one, or was made with it. Those in between may be gone. */
function isMadeWith(world: World, id: string, other: string): boolean {
  const before = world.madeWith.get(id);
  return id === other || (before !== undefined && isMadeWith(world, before, other));
}
