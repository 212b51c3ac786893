// Prints how many tests passed and failed in the steps of .ci/run, and exits with 1 when anything failed.
//
// Old CommonJS without dependencies, because it has to run when nothing could be installed.

"use strict";

const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const folder = process.argv[2];
const counts = ["install", "checks", "tests", "browser"].map(countStep);
const sum = (name) => counts.reduce((total, count) => total + count[name], 0);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") === 0 ? 0 : 1;

/** A failed check counts as one failure. So does a step that fails without a failure in its report. */
function countStep(name) {
  const status = read(`${name}.status`);
  const report = read(`${name}.json`) ?? {};
  const failed = (report.failedChecks ?? []).length + (report.numFailedTests ?? 0) + brokenSuites(report);
  return { passed: report.numPassedTests ?? 0, failed: status === 0 ? failed : Math.max(failed, 1) };
}

/** How many files failed without a failed test: they broke before or after their tests. */
function brokenSuites({ testResults = [] }) {
  return testResults.filter(
    (suite) => suite.status === "failed" && !suite.assertionResults.some((test) => test.status === "failed"),
  ).length;
}

/** Undefined when the step broke before it could write. */
function read(file) {
  try {
    return JSON.parse(readFileSync(join(folder, file), "utf8"));
  } catch {
    return undefined;
  }
}
