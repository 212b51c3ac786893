// Repeats what failed in the steps of .ci/run, and what passed only when it was tried once more. Prints how many tests
// passed and failed, and exits with 1 if anything failed.
//
// Old CommonJS without dependencies, because it has to run when nothing could be installed.

"use strict";

const { readFileSync } = require("node:fs");
const { join, relative } = require("node:path");

const folder = process.argv[2];
const steps = ["install", "checks", "tests", "console", "long", "browser", "foreign"];
for (const step of steps) for (const line of whatFailed(step)) console.log(line);
const counts = steps.map(countStep);
const sum = (name) => counts.reduce((total, count) => total + count[name], 0);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") === 0 ? 0 : 1;

/** What failed in a step, repeated for people who only see the end of the output. */
function whatFailed(name) {
  const { failedChecks = [], testResults = [] } = read(`${name}.json`) ?? {};
  const suites = testResults.filter((suite) => suite.status === "failed");
  const flaky = testResults.flatMap((suite) =>
    suite.assertionResults
      .filter((test) => test.status === "passed" && test.failureMessages.length > 0)
      .flatMap((test) => describe("flaky", suite, test)),
  );
  return [
    ...flaky,
    ...failedChecks.map((check) => `failed: ${check}`),
    ...suites.flatMap((suite) => {
      const tests = suite.assertionResults.filter((test) => test.status === "failed");
      if (tests.length === 0) return [`failed: ${relative(process.cwd(), suite.name)}`, start(suite.message)];
      return tests.flatMap((test) => describe("failed", suite, test));
    }),
  ];
}

function describe(what, suite, { fullName, failureMessages }) {
  return [`${what}: ${relative(process.cwd(), suite.name)} > ${fullName}`, start(failureMessages.join("\n"))];
}

/** The first lines of a message, indented. */
function start(message = "") {
  return message
    .trim()
    .split("\n")
    .slice(0, 12)
    .map((line) => `  ${line}`)
    .join("\n");
}

/** A failed check counts as one failure. So does a step that fails without a failure in its report. */
function countStep(name) {
  const status = read(`${name}.status`);
  const report = read(`${name}.json`) ?? {};
  const failed = (report.failedChecks ?? []).length + (report.numFailedTests ?? 0) + brokenSuites(report);
  return { passed: report.numPassedTests ?? 0, failed: status === 0 ? failed : Math.max(failed, 1) };
}

/** How many files failed without a failed test, because they broke before or after their tests. */
function brokenSuites({ testResults = [] }) {
  return testResults.filter(
    (suite) => suite.status === "failed" && !suite.assertionResults.some((test) => test.status === "failed"),
  ).length;
}

/** Undefined if the step broke before it could write the file. */
function read(file) {
  try {
    return JSON.parse(readFileSync(join(folder, file), "utf8"));
  } catch {
    return undefined;
  }
}
