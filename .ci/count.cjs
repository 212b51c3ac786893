// Repeats what failed in the steps of .ci/run, and what passed only when its file was run again. Prints how many tests
// passed and failed, and exits with 1 if anything failed.
//
// Old CommonJS without dependencies, because it has to run when nothing could be installed.

"use strict";

const { readFileSync } = require("node:fs");
const { join, relative } = require("node:path");

const folder = process.argv[2];
const steps = ["install", "checks", "tests", "console", "long", "browser", "foreign", "guides"];
for (const step of steps) for (const line of whatFailed(step)) console.log(line);
const counts = steps.map(countStep);
const sum = (name) => counts.reduce((total, count) => total + count[name], 0);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") === 0 ? 0 : 1;

/** What failed in a step, repeated for people who only see the end of the output. */
function whatFailed(step) {
  const first = read(`${step}.json`) ?? {};
  const again = read(`${step}.again.json`) ?? first;
  const failed = failuresOf(again);
  const titles = new Set(failed.map(({ title }) => title));
  return [
    ...failuresOf(first)
      .filter(({ title }) => !titles.has(title))
      .map((failure) => describe("flaky", failure)),
    ...(first.failedChecks ?? []).map((check) => `failed: ${check}`),
    ...failed.map((failure) => describe("failed", failure)),
  ];
}

/** The tests that failed, and the files that did without one: they broke before or after their tests. */
function failuresOf({ testResults = [] }) {
  return testResults
    .filter(({ status }) => status === "failed")
    .flatMap(({ name, message, assertionResults }) => {
      const file = relative(process.cwd(), name);
      const tests = assertionResults.filter(({ status }) => status === "failed");
      if (tests.length === 0) return [{ title: file, message }];
      return tests.map((test) => ({
        title: `${file} > ${test.fullName}`,
        message: test.failureMessages.join("\n"),
      }));
    });
}

/** With the first lines of the message, indented. */
function describe(what, { title, message = "" }) {
  const lines = message.trim().split("\n").slice(0, 12);
  return [`${what}: ${title}`, ...lines.map((line) => `  ${line}`)].join("\n");
}

/** Files that were run again count as they ended then. */
function countStep(step) {
  if (read(`${step}.again.status`) === undefined) return countRun(step);
  const again = countRun(`${step}.again`);
  const { testResults } = read(`${step}.json`);
  const others = testResults
    .filter(({ status }) => status !== "failed")
    .flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === "passed"));
  return { passed: others.length + again.passed, failed: again.failed };
}

/** A failed check counts as one failure. So does a run that fails without a failure in its report. */
function countRun(name) {
  const report = read(`${name}.json`) ?? {};
  const failed = (report.failedChecks ?? []).length + failuresOf(report).length;
  return { passed: report.numPassedTests ?? 0, failed: read(`${name}.status`) === 0 ? failed : Math.max(failed, 1) };
}

/** Undefined if the step broke before it could write the file. */
function read(file) {
  try {
    return JSON.parse(readFileSync(join(folder, file), "utf8"));
  } catch {
    return undefined;
  }
}
