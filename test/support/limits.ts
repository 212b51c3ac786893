/** For tests that hang: no test passes or fails by how fast the machine is. */
export const limits = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 30_000 } } };
