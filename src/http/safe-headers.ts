/** Headers on every response: prevent content-type sniffing and caching. */
export const safeHeaders = { "x-content-type-options": "nosniff", "cache-control": "no-store" } as const;
