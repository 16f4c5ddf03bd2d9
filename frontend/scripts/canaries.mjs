// Proves that the checks can fail: a type error that svelte-check must report, and imports across the tiers that eslint
// must report. A checker that silently sees nothing has happened before.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';

const root = fileURLToPath(new URL('..', import.meta.url));
const problems = [];

const checked = spawnSync(
  process.execPath,
  ['node_modules/svelte-check/bin/svelte-check', '--tsconfig', 'tests/canary/tsconfig.json', '--output', 'machine'],
  { cwd: root, encoding: 'utf8' },
);
if (checked.status === 0 || !checked.stdout.includes('Broken.svelte')) {
  problems.push('svelte-check did not see the type error in tests/canary/Broken.svelte');
}

const eslint = new ESLint({ cwd: root });
const crossings = [
  ['src/components/shared/Canary.svelte', '$components/chat/Turn.svelte'],
  ['src/components/shared/Canary.svelte', '../artifacts/Hallmark.svelte'],
  ['src/components/shared/Canary.svelte', '$lib/api/types'],
  ['src/components/chat/Canary.svelte', '$components/artifacts/Hallmark.svelte'],
  ['src/components/chat/Canary.svelte', '../../views/Workspace.svelte'],
  ['src/lib/canary.ts', '$shared/Button.svelte'],
];
for (const [file, target] of crossings) {
  const script = `import thing from '${target}';\nconsole.log(thing);\n`;
  const code = file.endsWith('.svelte') ? `<script lang="ts">\n${script}</script>\n` : script;
  const [result] = await eslint.lintText(code, { filePath: file });
  if (!result.messages.some((message) => message.ruleId === 'no-restricted-imports')) {
    problems.push(`eslint let ${file} import ${target}`);
  }
}

for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
