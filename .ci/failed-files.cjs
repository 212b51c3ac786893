// Prints the test files of a report in which something failed, a line each. Prints nothing if there is no report.

"use strict";

const { existsSync, readFileSync } = require("node:fs");
const { relative } = require("node:path");

const file = process.argv[2];
const { testResults } = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { testResults: [] };
for (const { name, status } of testResults) if (status === "failed") console.log(relative(process.cwd(), name));
