import { useInsertionEffect } from "react";

/** Calls back when the component leaves for good. It stays while its view is kept, where other effects are taken back. */
export function useLeaving(leave: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; what it needs is in refs.
  useInsertionEffect(() => leave, []);
}
