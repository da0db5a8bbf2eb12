// The packages are not beside this file: .ci/web/check says where they are (NODE_PATH).
const js = require("@eslint/js");
const globals = require("globals");

module.exports = [
  { ignores: ["verify/pkijs.js"] },
  js.configs.recommended,
  {
    files: ["page/**/*.js", "verify/*.js"],
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.browser },
    rules: {
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-implicit-coercion": "error",
      // Text never becomes markup, and nothing is kept for longer than the tab is open.
      "no-restricted-properties": ["error", { property: "innerHTML" }, { property: "outerHTML" }],
      "no-restricted-globals": ["error", "localStorage"],
    },
  },
  {
    files: ["verify/**/*.mjs"],
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.node },
    rules: { eqeqeq: "error", "no-var": "error", "prefer-const": "error" },
  },
];
