// Charts: each kind, the editor, what marks lead to, pictures, narrow panels, light and dark, by keyboard.
import { ask, ended, findings } from './browser.mjs';

const kinds = [
  ['bar', 'revenue by category', 'bars', '.mark-rect path'],
  ['pie', 'show me a pie chart of revenue by category', 'pie', '.mark-arc path'],
  ['line', 'revenue by month', 'line', '.mark-line path'],
  ['lines', 'revenue by quarter by category', 'line', '.mark-line path'],
  ['stacked', 'stacked bar chart of revenue by category and customer country', 'stacked bars', '.mark-rect path'],
  ['grouped', 'grouped bar chart of revenue by category and year', 'grouped bars', '.mark-rect path'],
  ['area', 'area chart of revenue by month', 'area', '.mark-area path'],
  ['scatter', 'revenue and number of orders by customer', 'points', '.mark-symbol path'],
  ['histogram', 'histogram of revenue by customer', 'histogram', '.mark-rect path'],
  ['heatmap', 'heat map of revenue by category and customer country', 'heat map', '.mark-rect path'],
];

export async function charts({ visit, check, shot }) {
  const { page, context, trouble } = await visit({ width: 1440, height: 900 });
  const card = () => page.locator('article.card:has(.ways)').first();
  const fresh = async (question) => {
    await page.getByRole('button', { name: 'New session' }).first().click();
    await ask(page, question);
    await card().locator('.chart svg').first().waitFor();
  };
  const marks = (selector) => card().locator(`.chart svg ${selector}`);

  for (const [name, question, words, selector] of kinds) {
    await check(`a chart of the kind ${name} is drawn, and called so`, async () => {
      await fresh(question);
      await marks(selector).first().waitFor();
      await shot(page, `chart-${name}`);
      return (await card().locator('.note').first().textContent()) === words;
    });
    await check(`its words (${name}) are whole and lie on nobody`, () => overlaps(page, card()));
  }

  await check('the numbers of an axis are written as people who count money write them', async () => {
    await fresh('revenue by category');
    const words = await marks('text').allTextContents();
    return words.includes('0') && !words.includes('0k') ? true : words;
  });

  await check('a table that was asked for is a table, and can be a chart', async () => {
    await page.getByRole('button', { name: 'New session' }).first().click();
    await ask(page, 'revenue by category as a table');
    if ((await card().locator('.chart').count()) > 0) return false;
    await card().getByRole('button', { name: 'Chart', exact: true }).click();
    await card().locator('.chart svg').first().waitFor();
  });

  await check('a type that the data does not carry says why not', async () => {
    await fresh('revenue by customer as a pie');
    const told = await card().locator('footer').textContent();
    return told.includes('89 slices') && (await marks('.mark-rect path').count()) === 50;
  });

  await check(
    'a line chart that was named is one, however many lines: the largest have colors, and that is said',
    async () => {
      await fresh('monthly revenue by country as a line chart');
      await marks('.mark-line path').first().waitFor();
      const note = await card().locator('.note').first().textContent();
      const told = await card().locator('footer').textContent();
      const drawn = await marks('.mark-line path').count();
      await shot(page, 'chart-many-lines');
      const twice = told.split('have colors').length !== 2;
      return note === 'line' && drawn === 21 && told.includes('The 8 largest of 21 have colors') && !twice;
    },
  );

  await check('words that only name a type draw the answer before', async () => {
    await fresh('revenue by category');
    await ask(page, 'show that as a pie chart');
    await marks('.mark-arc path').first().waitFor();
    return (await page.locator('.chart svg').count()) >= 2;
  });

  await check('a chart that is drawn is not drawn again when something else is asked', async () => {
    await fresh('revenue by category');
    await card()
      .locator('.chart svg')
      .first()
      .evaluate((svg) => (svg.dataset.first = 'yes'));
    await ask(page, 'revenue by month');
    await page.locator('.chart svg').nth(1).waitFor();
    await card().locator('.mark-line path').first().waitFor();
    return (await page.locator('.chart svg[data-first]').count()) === 1;
  });

  await check('a chart has a tooltip with the unit', async () => {
    await fresh('revenue by category');
    await marks('.mark-rect path').first().hover();
    const tip = page.locator('#vg-tooltip-element.visible');
    await tip.waitFor();
    const said = await tip.textContent();
    return said.includes('267,868.18 USD') && said.includes('Beverages');
  });

  await check('the editor changes type, order, colors, values and small multiples', async () => {
    await fresh('revenue by quarter by category');
    await card().getByRole('button', { name: 'Edit chart' }).click();
    const editor = card().getByRole('form', { name: 'Chart settings' });
    await editor.getByLabel('Type').selectOption('area');
    await marks('.mark-area path').first().waitFor();
    await editor.getByLabel('Type').selectOption('bar');
    await editor.getByLabel('Color by').selectOption('');
    await editor.getByLabel('Small multiples by').selectOption({ label: 'Category' });
    await page.waitForFunction(() => document.querySelectorAll('.chart svg .mark-group.cell > g').length === 8);
    await editor.getByLabel('Colors').selectOption('warm');
    await shot(page, 'chart-small-multiples');
    await editor.getByLabel('Small multiples by').selectOption('');
    await editor.getByLabel('Along').selectOption({ label: 'Category' });
    await editor.getByLabel('Order').selectOption('ascending');
    await editor.getByLabel('Values on marks').check();
    await marks('.mark-text text').first().waitFor();
    await shot(page, 'chart-editor');
    return (await card().locator('footer').textContent()).includes('added up');
  });

  await check('a log scale is offered where it means something', async () => {
    const editor = card().getByRole('form', { name: 'Chart settings' });
    if (!(await editor.getByLabel('Log scale').isDisabled())) return false;
    await editor.getByLabel('Type').selectOption('line');
    const kept = page.waitForResponse(
      (one) => one.url().endsWith('/view') && (one.request().postData() ?? '').includes('"log"'),
    );
    await editor.getByLabel('Log scale').check();
    await kept; // the next check opens the page anew
    return !(await editor.getByLabel('Log scale').isDisabled());
  });

  await check('what was edited is there after a reload, and can be taken back', async () => {
    await page.reload();
    await card().locator('.chart svg').first().waitFor();
    await card().getByRole('button', { name: 'Edit chart' }).click();
    const editor = card().getByRole('form', { name: 'Chart settings' });
    if ((await editor.getByLabel('Type').inputValue()) !== 'line') return false;
    if (!(await editor.getByLabel('Log scale').isChecked())) return false;
    await editor.getByRole('button', { name: 'As chosen for you' }).click();
    const color = await editor.getByLabel('Color by').elementHandle();
    await page.waitForFunction((select) => select.value !== '', color);
  });

  await check('a click on a mark offers what to ask next, and asks it', async () => {
    await fresh('revenue by category');
    await marks('.mark-rect path').first().click();
    const next = card().getByRole('button', { name: 'Only Beverages' });
    await next.waitFor();
    await shot(page, 'chart-go-on');
    await next.click();
    await page.waitForFunction(() => document.querySelectorAll('article[aria-label^="Question"]').length === 2);
    await ended(page);
    const asked = await page.locator('article[aria-label^="Question"]').nth(1).textContent();
    return asked.includes('Beverages') && asked.includes('267,868.18');
  });

  await check('a sweep over time offers the period', async () => {
    await fresh('revenue by month');
    const box = await marks('.mark-line path').first().boundingBox();
    await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.8);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.4, box.y + box.height * 0.8, { steps: 4 });
    await page.mouse.move(box.x + box.width * 0.55, box.y + box.height * 0.8, { steps: 4 });
    await page.mouse.up();
    const next = card().getByRole('button', { name: /^Only \d{4}-\d\d-01 to / });
    await next.waitFor();
    await next.click();
    await page.waitForFunction(() => document.querySelectorAll('article[aria-label^="Question"]').length === 2);
    await ended(page);
    await card().locator('.chart svg').first().waitFor();
    const rows = await page.locator('article.card').nth(1).locator('.note').first().textContent();
    return Number(rows.split(' ')[0]) > 2 && Number(rows.split(' ')[0]) < 12;
  });

  await check('marks can be chosen by keyboard', async () => {
    await fresh('revenue by category');
    await card().getByRole('button', { name: 'Chart menu' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Go on from a mark' }).press('Enter');
    const select = card().getByLabel('Go on from', { exact: true }).last();
    await select.selectOption({ label: 'Seafood' });
    await card().getByRole('button', { name: 'Without Seafood' }).waitFor();
  });

  await check('a number and a table take the place of the chart', async () => {
    await card().getByRole('button', { name: 'Big number' }).click();
    const shown = await card().textContent();
    if (!shown.includes('1,265,793.0')) return false;
    await card().getByRole('button', { name: 'Table', exact: true }).click();
    return (await card().locator('.chart').count()) === 0;
  });

  await check('pictures are saved as SVG and PNG and copied', async () => {
    await card().getByRole('button', { name: 'Chart', exact: true }).click();
    await card().locator('.chart svg').first().waitFor();
    const take = async (name) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        (async () => {
          await card().getByRole('button', { name: 'Chart menu' }).click();
          await page.getByRole('menuitem', { name }).click();
        })(),
      ]);
      const parts = [];
      for await (const part of await download.createReadStream()) parts.push(part);
      return [download.suggestedFilename(), Buffer.concat(parts)];
    };
    const [svgName, svg] = await take('Save as SVG');
    const [pngName, png] = await take('Save as PNG');
    await card().getByRole('button', { name: 'Chart menu' }).click();
    await page.getByRole('menuitem', { name: 'Copy as picture' }).click();
    await card().getByText('Copied.').waitFor();
    const types = await page.evaluate(async () => (await navigator.clipboard.read()).flatMap((item) => item.types));
    return (
      svgName === 'Revenue-by-category.svg' &&
      pngName === 'Revenue-by-category.png' &&
      svg.toString().startsWith('<svg') &&
      png.subarray(1, 4).toString() === 'PNG' &&
      png.length > 5000 &&
      types.includes('image/png')
    );
  });

  await check('charts have no finding of axe, editor and all', async () => {
    await card().getByRole('button', { name: 'Edit chart' }).click();
    return findings(page);
  });
  await check('charts cause no trouble', () => trouble);
  await context.close();

  for (const [width, scheme] of [
    [320, 'light'],
    [380, 'dark'],
    [1920, 'dark'],
  ]) {
    await check(`charts fit ${width} pixels, ${scheme}`, async () => {
      const problems = [];
      for (const [name, question] of kinds.filter(([kind]) => ['bar', 'pie', 'lines', 'grouped'].includes(kind))) {
        const narrow = await visit({ width, height: 800, scheme });
        await ask(narrow.page, question);
        const first = narrow.page.locator('article.card:has(.ways)').first();
        if (!(await first.isVisible())) await narrow.page.getByText('Results', { exact: false }).first().click();
        await first.locator('.chart svg').first().waitFor();
        await shot(narrow.page, `chart-${width}-${scheme}-${name}`);
        problems.push(...(await overlaps(narrow.page, first)).map((problem) => `${name}: ${problem}`));
        problems.push(...narrow.trouble);
        await narrow.context.close();
      }
      return problems;
    });
  }
}

/** Words of a chart that lie on each other, or outside of what can be seen or scrolled to. */
const overlaps = async (page, card) => {
  await page.waitForTimeout(250);
  return card
    .locator('.chart')
    .first()
    .evaluate((chart) => {
      const frame = chart.getBoundingClientRect();
      const words = [...chart.querySelectorAll('svg text')]
        .filter((text) => text.textContent.trim() !== '' && Number(getComputedStyle(text).opacity) > 0)
        .map((text) => ({ words: text.textContent, turned: /rotate\(-?(?!0|90)/.test(text.getAttribute('transform') ?? ''), box: text.getBoundingClientRect() })); // prettier-ignore
      const problems = [];
      for (const { words: said, box } of words) {
        if (box.left < frame.left - 14 || box.right > frame.right + 14) problems.push(`"${said}" is cut off`);
      }
      const flat = words.filter(({ turned }) => !turned);
      for (let i = 0; i < flat.length; i++) {
        for (let j = i + 1; j < flat.length; j++) {
          const [a, b] = [flat[i].box, flat[j].box];
          const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
          const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
          if (across > 1 && down > 3) problems.push(`"${flat[i].words}" and "${flat[j].words}" lie on each other`);
        }
      }
      return problems.slice(0, 5);
    });
};
