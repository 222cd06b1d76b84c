// Bundles src/ with the packages into one script and one style sheet: node build.mjs FOLDER writes FOLDER/page.js and
// FOLDER/page.css. The licences of all packages that went in stand at the end of the script.
import { build } from "esbuild";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const folder = path.dirname(fileURLToPath(import.meta.url));
const out = path.resolve(process.argv[2] ?? "out");

// The names of the packages whose files are in the bundle.
function bundledPackages(inputs) {
  const names = Object.keys(inputs).map((file) => file.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1]);
  return [...new Set(names.filter(Boolean))].sort();
}

function licenceText(name) {
  const home = path.join(folder, "node_modules", name);
  const file = readdirSync(home).find((entry) => /^(licen[cs]e|copying)(\.\w+)?$/i.test(entry));
  const text = file ? readFileSync(path.join(home, file), "utf8") : packageLicence(home, name);
  return text.replaceAll("\r\n", "\n").trim();
}

// A package without a licence file: what its package.json says.
function packageLicence(home, name) {
  const { license, author } = JSON.parse(readFileSync(path.join(home, "package.json"), "utf8"));
  if (!license) throw new Error(`${name} has no licence`);
  return `Licence: ${license}. Author: ${author?.name ?? author ?? "see the package"}.`;
}

// One comment; packages with the same text share it.
function licences(inputs) {
  const byText = new Map();
  for (const name of bundledPackages(inputs)) {
    const { version } = JSON.parse(readFileSync(path.join(folder, "node_modules", name, "package.json"), "utf8"));
    const text = licenceText(name);
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version}`]);
  }
  const sections = [...byText].map(([text, names]) => `${names.join(", ")}\n\n${text}`);
  const text = sections.join("\n\n----\n\n").replaceAll("*/", "* /").replaceAll("</", "< /"); // ends no comment, no script
  return `\n/*! This page contains:\n\n${text}\n*/\n`;
}

// Whole or not at all, so that a report never gets half a script.
function write(name, text) {
  writeFileSync(path.join(out, `${name}.part`), text);
  renameSync(path.join(out, `${name}.part`), path.join(out, name));
}

const result = await build({
  absWorkingDir: folder,
  entryPoints: [path.join(folder, "src/main.js")],
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2020"],
  charset: "utf8",
  legalComments: "none", // all licences are in full below
  outdir: out,
  entryNames: "page",
  metafile: true,
  write: false,
  logLevel: "warning",
});

if (!existsSync(out)) mkdirSync(out, { recursive: true });
for (const file of result.outputFiles) {
  const name = path.basename(file.path);
  write(name, name.endsWith(".js") ? file.text + licences(result.metafile.inputs) : file.text);
}
