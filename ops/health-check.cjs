// Exits with 0 if the server in this container answers. With TLS, its certificate names another host than this one.
"use strict";

const { TLS_CERT_FILE: isSecure, PORT, HOST } = process.env;
// As the service reads them: an empty value is none.
const [port, host] = [PORT || "8080", HOST || "0.0.0.0"];
const { get } = require(isSecure ? "node:https" : "node:http");
const reached = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;

get({ host: reached, port, path: "/healthz", rejectUnauthorized: false, timeout: 2_500 }, ({ statusCode }) => {
  process.exit(statusCode === 200 ? 0 : 1);
})
  .on("timeout", () => process.exit(1))
  .on("error", () => process.exit(1));
