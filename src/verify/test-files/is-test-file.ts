/** Whether a file is a test by its name, in the usual ways of the usual languages. */
export const isTestFile = (path: string): boolean => BY_NAME.some((form) => form.test(path));

const BY_NAME: readonly RegExp[] = [
  /\.(?:test|spec|cy|e2e)\.[cm]?[jt]sx?$/,
  /(?:^|\/)__tests__\/.+\.[cm]?[jt]sx?$/,
  /(?:^|\/)(?:tests?|specs?)\/(?:.+\/)?(?:[\w.-]*[-_.])?(?:test|tests|spec)(?:[-_.][\w.-]*)?\.[cm]?[jt]sx?$/,
  /(?:^|\/)test\/[\w.-]+\.[cm]?js$/,
  /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests|conftest)\.py$/,
  /_test\.(?:go|rb|exs|ts|js)$/,
  /\.rs$/,
  /(?:^|\/)(?:Test[A-Z]\w*|\w+(?:Test|Tests|IT|Spec|TestCase))\.(?:java|kt|kts|scala|groovy|cs|php|swift)$/,
  /(?:^|\/)test_[^/]*\.rb$/,
  /_spec\.rb$/,
  /\.bats$/,
];
