// Formats Lua files with npm's WebAssembly StyLua under the settings of stylua.toml.
//   node tests/support/stylua.mjs           rewrites what is not formatted
//   node tests/support/stylua.mjs --check   only names it, and exits 1
// Files or folders may be named; otherwise lua/, spec/, bench/, rocks/ and examples/ are walked.
import { createRequire } from "node:module";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const home = process.env.STYLUA_HOME ?? join(root, ".cache", "stylua");

let stylua;
try {
  stylua = createRequire(join(home, "from.cjs"))("@johnnymorganz/stylua");
} catch {
  console.error(`stylua.mjs: @johnnymorganz/stylua is not in ${home}: run make tools`);
  process.exit(2);
}

const settings = Object.fromEntries(
  readFileSync(join(root, "stylua.toml"), "utf8")
    .split("\n")
    .map((line) => line.match(/^(\w+)\s*=\s*"?([^"]*)"?$/))
    .filter(Boolean)
    .map(([, key, value]) => [key, value]),
);

const enums = {
  syntax: stylua.LuaVersion,
  line_endings: stylua.LineEndings,
  indent_type: stylua.IndentType,
  quote_style: stylua.QuoteStyle,
  call_parentheses: stylua.CallParenType,
  collapse_simple_statement: stylua.CollapseSimpleStatement,
};

// formatCode consumes its Config, so each file gets a new one.
function config() {
  const made = stylua.Config.new();
  for (const [key, value] of Object.entries(settings)) {
    const chosen = enums[key] ? enums[key][value] : Number(value);
    if (chosen === undefined || Number.isNaN(chosen)) throw new Error(`stylua.toml: ${key} = ${value}`);
    made[key] = chosen;
  }
  return made;
}

function luaFiles(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const child = join(path, entry.name);
    if (entry.isDirectory()) return luaFiles(child);
    return entry.name.endsWith(".lua") ? [child] : [];
  });
}

const words = process.argv.slice(2);
const check = words.includes("--check");
const named = words.filter((word) => !word.startsWith("--"));
const places = named.length ? named : ["lua", "spec", "bench", "rocks", "examples"].map((n) => join(root, n));

let different = 0;
let broken = 0;
const files = places.flatMap(luaFiles).sort();
for (const file of files) {
  const before = readFileSync(file, "utf8");
  let after;
  try {
    after = stylua.formatCode(before, config(), undefined, stylua.OutputVerification.None);
  } catch (problem) {
    broken += 1;
    console.error(`${file}: ${problem.message ?? problem}`);
    continue;
  }
  if (after === before) continue;
  different += 1;
  if (check) console.error(`${file}: not formatted (run make format)`);
  else writeFileSync(file, after);
}
console.log(`stylua: ${files.length} files, ${different} ${check ? "to format" : "formatted"}, ${broken} broken`);
process.exit(broken || (check && different) ? 1 : 0);
