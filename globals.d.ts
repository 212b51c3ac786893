// @connectrpc/connect names this DOM type in its declarations; Node has the same shape under undici's name.
type HeadersInit = import("undici-types").HeadersInit;
