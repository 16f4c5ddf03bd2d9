// From a folder with a CSV to a chart that somebody else can open: docs/first-chart.md has the same steps, one by one. A step
// is what a person does before waiting for the window again.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const days = ['2025-01-06', '2025-02-03', '2025-03-03', '2025-04-07', '2025-05-05', '2025-06-02'];
const sales = [
  'day,region,visits',
  ...days.flatMap((day, i) => [`${day},North,${120 + 15 * i}`, `${day},South,${90 + 22 * i}`]),
];

export async function firstChart({ visit, check, shot }) {
  const { context, page, trouble } = await visit({ width: 1280, height: 800 });
  const folder = mkdtempSync(join(tmpdir(), 'assay-first-'));
  writeFileSync(join(folder, 'museum.csv'), `${sales.join('\n')}\n`);
  let steps = 0;
  const step = (name, work) => check(`first chart, step ${++steps}: ${name}`, work);

  await step('choose the file', async () => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open files' }).first().click();
    await (await chooser).setFiles(join(folder, 'museum.csv'));
    await page
      .getByText(/12 rows/)
      .first()
      .waitFor();
  });
  await step('ask', async () => {
    await page.locator('#composer').fill('total visits by day and region');
    await page.locator('#composer').press('Enter');
    await page.locator('article.card .chart svg').first().waitFor();
    await shot(page, '90-first-chart');
  });
  await step('export the picture', async () => {
    await page.getByRole('button', { name: 'Chart menu' }).first().click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Save as PNG' }).click(),
    ]);
    const bytes = readFileSync(await file.path());
    return bytes.subarray(1, 4).toString() === 'PNG';
  });
  await check(`the first chart takes ${steps} steps, at most eight`, () => steps <= 8);
  await check('first chart: nothing went wrong', () => trouble);
  await context.close();
}
