// Builds verify.html, the page at /verify as one file, from page.html, page.css and the modules that /explore uses, too; and
// authorities.js from the certificates that ship with sportsctl. `--check` compares with the kept files instead.
// esbuild is not beside this file: NODE_PATH names its folder.

import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";

const { build } = createRequire(import.meta.url)("esbuild");
const place = (name) => new URL(name, import.meta.url);
const read = (name) => readFileSync(place(name), "utf8");

const isCheck = process.argv.includes("--check");
let isFresh = true;

function keep(name, content) {
  if (!isCheck) {
    writeFileSync(place(name), content);
  } else if (read(name) !== content) {
    isFresh = false;
    console.error(`${name} is not what its sources make: run .ci/web/bundle`);
  }
}

const CERTIFICATES = "../../../../crates/record-signing/src/token/bundled.pem";
keep(
  "authorities.js",
  `// Made by build.mjs of crates/record-signing/src/token/bundled.pem: the roots of public timestamp authorities, which are one voice.

export const BUNDLED = \`${read(CERTIFICATES)}\`;
`,
);

/** The library has a script of its own: it is minified, and the rest of the page is to be read. */
const EXPORTS = /\nexport const \{ [A-Za-z, ]+ \} = pki;\n$/;
const library = read("pkijs.js").replace(EXPORTS, "\n");
const bundled = await build({
  entryPoints: [place("page.js").pathname],
  bundle: true,
  write: false,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "inline",
});
const script = bundled.outputFiles[0].text;

/** Returns the values of the colours of /explore that a style uses, in the lines of one of its two sets. */
function coloursOf(style, set) {
  const used = new Set([...style.matchAll(/var\((--[a-z-]+)\)/g)].map(([, name]) => name));
  const lines = [...set.matchAll(/(--[a-z0-9-]+):[^;]+;/g)].filter(([, name]) => used.has(name));
  return lines.map(([line]) => line).join("\n");
}

/** The colours of /explore, which has a set for light paper and one for dark paper. */
const SETS = /:root\s*\{([^}]*)\}[^]*?@media \(prefers-color-scheme: dark\)\s*\{\s*:root\s*\{([^}]*)\}/;
const style = read("page.css");
const [, light, dark] = SETS.exec(read("../page/tokens.css"));
const colours = `:root {
color-scheme: light dark;
${coloursOf(style, light)}
}
@media (prefers-color-scheme: dark) {
:root {
${coloursOf(style, dark)}
}
}
`;

const parts = { style: `${colours}${style}`, library, script };
for (const [name, part] of Object.entries(parts)) {
  if (/<\/(?:script|style)/i.test(part)) {
    throw new Error(`the ${name} would end its own element`);
  }
}
keep(
  "verify.html",
  read("page.html").replace(/<!-- (style|library|script) -->/g, (_, name) => {
    const element = name === "style" ? "style" : "script";
    return `<${element}>\n${parts[name]}</${element}>`;
  }),
);
process.exitCode = isFresh ? 0 : 1;
