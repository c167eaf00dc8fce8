export const TASK_EXAMPLE = `- id: AUTH-001
  title: Require a valid token on every API route
  description: |
    Requests without a token, or with one that has expired, are answered with 401.
  priority: 1
  dependencies: []
  completion:
    outcome: Every route below /api answers 401 unless the request carries a valid token
    acceptance_criteria:
      - text: A request without a token is answered with 401
        check: npm test -- test/auth/missing-token.test.js
      - A token that expired a second ago is answered with 401
      - /health answers 200 without a token
    coder:
      promise: AUTH_IMPLEMENTED
      description: The middleware guards every route, and is committed
      verification_method: external
      verification_config:
        command: npm test -- test/auth
      require_red_first: true
    reviewer:
      promise: AUTH_REVIEWED
      verification_method: semantic
      verification_config:
        check_for:
          - no secret is written into the code
          - every way in which a token can be wrong leads to 401
        negative_patterns: [TODO, FIXME]
    tester:
      promise: AUTH_TESTED
      verification_method: external
      verification_config:
        command: npm test
        output_not_contains: skipped
    qa:
      promise: AUTH_ACCEPTED
      verification_method: multi_stage
      verification_config:
        stages:
          - name: everything
            method: external
            config: { command: npm test }
          - name: criteria
            method: semantic
            config: { check_for: "{{acceptance_criteria}}" }
`;

/** A minimal task, and one that depends on it. */
export const SMALL_EXAMPLE = `- id: DOC-001
  title: Say how to install it
  completion:
    outcome: A reader who follows README.md has the program running
    acceptance_criteria:
      - README.md has a section "Install" with one command per system
- id: DOC-002
  title: Keep the install commands working
  dependencies: [DOC-001]
  completion:
    outcome: A broken install command fails the tests
    acceptance_criteria:
      - npm test runs every command of the section "Install"
    tester:
      promise: INSTALL_TESTED
      verification_method: external
      verification_config: { command: npm test }
`;

/** Each method on its own, as criteria of one agent. */
export const METHOD_EXAMPLES = {
  string_match: `promise: NOTES_WRITTEN
verification_method: string_match
`,
  external: `promise: TESTS_PASS
verification_method: external
verification_config:
  command: pytest tests/ --cov=src --cov-fail-under=80
  timeout: 600
  output_not_contains: FAILED
`,
  semantic: `promise: CODE_REVIEWED
verification_method: semantic
verification_config:
  check_for:
    - errors of the database are reported to the caller
    - the function is documented with an example
  negative_patterns: [TODO, "not implemented"]
`,
  multi_stage: `promise: QA_PASSED
verification_method: multi_stage
verification_config:
  stages:
    - name: unit
      method: external
      config: { command: npm test }
    - name: coverage
      method: external
      config: { command: npm run coverage }
      required: false
    - name: criteria
      method: semantic
      config: { check_for: "{{acceptance_criteria}}" }
`,
} as const;
