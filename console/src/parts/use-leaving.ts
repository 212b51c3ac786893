import { useInsertionEffect } from "react";

/** Calls the listener when the component is removed for good. Unlike other effects, it stays while its view is kept. */
export function useLeaving(leave: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; what it needs is in refs.
  useInsertionEffect(() => leave, []);
}
