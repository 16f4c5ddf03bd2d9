// The gallery: every kind of artifact in its states, light and dark, wide and narrow; levers, trees, comparisons and menus by keyboard.
// It is a build of its own, which the program never serves.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findings, open } from './browser.mjs';
import { galleryServer } from './gallery-server.mjs';

const kinds = {
  frame: ['usual', 'names', 'empty', 'truncated', 'contradicted'],
  chart: ['bars', 'names', 'names as colors', 'names as a heat map', 'many lines', '100,000 points', '100,000 moments', 'number', 'comparison'],
  narration: ['usual', 'names'],
  clarification: ['usual', 'names'],
  refusal: ['usual', 'names'],
  followups: ['usual', 'names'],
  comparison: ['usual', 'one number', 'many rows', 'names', 'empty', 'a column is missing', 'error'],
  simulation: ['usual', 'goal', 'by the program', 'by a program that fails', 'cannot be moved', 'names', 'empty', 'error'],
  structure: ['joins', 'dependencies', 'hierarchy', 'names', 'empty', 'error'],
  qm_card: ['number', 'text', 'sample', 'personal', 'names', 'empty', 'error'],
  driver_analysis: ['usual', 'does not add up', 'below zero', 'names', 'empty', 'error'],
  recommendation: ['usual', 'over', 'names', 'error'],
  unknown: ['usual'],
}; // prettier-ignore

/** What of the cards is cut without a way to the whole, or sticks out, in words. */
const outside = (page) =>
  page.evaluate(() => {
    const found = [];
    if (document.documentElement.scrollWidth > innerWidth + 1) found.push('the page scrolls sideways');
    for (const section of document.querySelectorAll('section[data-kind]')) {
      const edge = section.querySelector('.place').getBoundingClientRect();
      const name = `${section.dataset.kind} ${section.dataset.state}`;
      for (const card of section.querySelectorAll('article.card, .notice'))
        if (card.getBoundingClientRect().right > edge.right + 1) found.push(`${name}: a card sticks out`);
      for (const element of section.querySelectorAll('th, h3, .name, .label, dd')) {
        const style = getComputedStyle(element);
        if (style.textOverflow !== 'ellipsis' || element.scrollWidth <= element.clientWidth + 1) continue;
        if (element.closest('[role=grid]')) continue; // a cell opens with Enter
        if (!element.closest('[title]')) found.push(`${name}: cut without a title: ${element.textContent.slice(0, 30)}`);
      }
    }
    return [...new Set(found)];
  }); // prettier-ignore

// Only the fixtures of the gallery have this word.
const ofGallery = 'hologram';
const scripts = (folder) => readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js'));
const naming = (folder) =>
  scripts(folder).filter((name) => readFileSync(join(folder, 'assets', name), 'utf8').includes(ofGallery));

export async function gallery({ browser, visit, site, check, shot }) {
  const server = await galleryServer();
  try {
    await check('what ships has no gallery: not in its files, not at its address', async () => {
      const shipped = fileURLToPath(new URL('../dist', import.meta.url));
      if (naming(server.folder).length === 0) return ['the build of the gallery does not have it either'];
      const { context, page } = await visit({ width: 1280, height: 800 });
      await page.goto(`${site}#gallery`);
      await page.locator('#composer').waitFor();
      const views = await page.getByRole('button', { name: 'Gallery' }).count();
      await context.close();
      return [...naming(shipped), ...(views > 0 ? ['there is a button for it'] : [])];
    });
    for (const [name, size] of Object.entries({
      light: { width: 1280, height: 900 },
      dark: { width: 1920, height: 1000, scheme: 'dark' },
      narrow: { width: 320, height: 800 },
    })) {
      const { context, page, trouble } = await open(browser, server.address, size);
      for (const [kind, states] of Object.entries(kinds)) {
        await check(`gallery, ${name}: ${kind} in ${states.length} states, nothing cut, axe clean`, async () => {
          await show(page, kind);
          const missing = [];
          for (const state of states) if ((await section(page, kind, state).count()) === 0) missing.push(`no ${state}`);
          await shot(page, `gallery-${kind}-${name}`);
          return [...missing, ...(await outside(page)), ...(await findings(page))];
        });
      }
      await check(`gallery, ${name}: nothing went wrong`, () => trouble);
      await context.close();
    }
    await acts(browser, server.address, check, shot);
  } finally {
    server.stop();
  }
}

const section = (page, kind, state) => page.locator(`section[data-kind="${kind}"][data-state="${state}"]`);

async function show(page, kind) {
  await page.evaluate((name) => (location.hash = `gallery/${name}`), kind);
  await page.locator(`section[data-kind="${kind}"]`).first().waitFor();
  // Charts and graphs come after their cards.
  await page.waitForFunction(() => !document.querySelector('.wall .wait, .wall .loading'));
}

async function acts(browser, address, check, shot) {
  const { context, page, trouble } = await open(browser, address, { width: 1280, height: 900 });
  const done = page.locator('main output.visually-hidden').first();
  const press = async (key, times = 1) => {
    for (let i = 0; i < times; i++) await page.keyboard.press(key);
  };

  await check('a lever is moved by keyboard, and every outcome follows in a straight line', async () => {
    await show(page, 'simulation');
    const card = section(page, 'simulation', 'usual');
    await card.getByRole('slider', { name: 'Price' }).focus();
    await press('ArrowRight', 10);
    const row = card.getByRole('row', { name: /^Revenue/ });
    await row.getByText('1,392,372.33').waitFor(); // 1,265,793.03 + 10 x 12,657.93
    await row.getByText('+126,579.30').waitFor();
    await shot(page, 'gallery-lever');
    await card.getByRole('button', { name: 'As it was sent' }).click();
    await row.getByText('+126,579.30').waitFor({ state: 'detached' });
  });
  await check('a goal says what its lever must be, and moves it there', async () => {
    const card = section(page, 'simulation', 'goal');
    await card.getByText('Price must be 10.60 %.').waitFor();
    await card.getByRole('button', { name: 'Move it there' }).click();
    await card
      .getByRole('row', { name: /^Revenue/ })
      .getByText('1,400,000.00')
      .waitFor();
    await section(page, 'simulation', 'out of reach').getByText('out of its range').waitFor();
  });
  await check('levers that the program works out go through one function, and its failure is said', async () => {
    const works = section(page, 'simulation', 'by the program');
    await works.getByRole('slider', { name: 'Price' }).focus();
    await press('ArrowRight');
    await works.getByText('1,278,450.96').waitFor();
    const fails = section(page, 'simulation', 'by a program that fails');
    await fails.getByRole('slider', { name: 'Price' }).focus();
    await press('ArrowRight');
    await fails.getByText('The program could not be reached.').waitFor();
    return section(page, 'simulation', 'cannot be moved').getByRole('slider').first().isDisabled();
  });
  await check('every simulation is marked in its border, its stamp and its words', async () => {
    const cards = page.locator('section[data-kind="simulation"] article.card');
    const borders = await cards.evaluateAll((all) => all.map((card) => getComputedStyle(card).borderTopStyle));
    const stamps = await page.locator('section[data-kind="simulation"]').getByRole('img', { name: 'Simulated' }).count();
    return borders.length > 5 && borders.every((style) => style === 'dashed') && stamps === borders.length;
  }); // prettier-ignore
  await check('a comparison shows added and removed rows, and its largest change first', async () => {
    await show(page, 'comparison');
    const card = section(page, 'comparison', 'usual');
    await card.getByText('Added (1)').click();
    const names = card.locator('tbody th span');
    const added = await names.allInnerTexts();
    await card.getByText('All (7)').click();
    await card.getByLabel('Largest change first').check();
    const first = await names.first().innerText();
    await section(page, 'comparison', 'many rows').getByRole('button', { name: 'Show more' }).click();
    await section(page, 'comparison', 'many rows').getByText('Customer 449').waitFor();
    return added.join() === 'Sweden' && first === 'Sweden';
  });
  await check('the tree of a driver analysis opens by keyboard, level by level', async () => {
    await show(page, 'driver_analysis');
    const card = section(page, 'driver_analysis', 'usual');
    await card.getByRole('button', { name: /^Germany/ }).focus();
    await press('Enter');
    await card.getByRole('button', { name: /^Beverages/ }).focus();
    await press('Enter');
    await card.getByRole('row', { name: /^Chai/ }).getByText('−28,000.00').waitFor();
    await shot(page, 'gallery-tree');
    await card.getByRole('button', { name: 'Look at Germany' }).first().click();
    return (await done.innerText()).startsWith('run SELECT');
  });
  await check('the bars of a waterfall end where the next ones begin, and what is missing is a bar', async () => {
    const gaps = await section(page, 'driver_analysis', 'does not add up').evaluate((element) => {
      const bars = [...element.querySelectorAll('.plot i')].map((bar) => bar.getBoundingClientRect());
      const ends = bars.map(({ left, right }) => [left, right]);
      return ends.slice(1).map((edges, at) => Math.min(...edges.flatMap((x) => ends[at].map((y) => Math.abs(x - y)))));
    });
    await section(page, 'driver_analysis', 'does not add up').getByText('6,340.00 is not accounted for').waitFor();
    return gaps.length === 4 && gaps.every((gap) => gap < 1.5);
  });
  await check('a structure is drawn, is a list too, and leads to the model', async () => {
    await show(page, 'structure');
    const card = section(page, 'structure', 'joins');
    await card.locator('svg .node').nth(5).waitFor();
    await card.getByRole('button', { name: /^As a list/ }).click();
    await card.getByText('Order lines leads to Orders').waitFor();
  });
  await check('a recommendation was not run, and runs through its confirmation', async () => {
    await show(page, 'recommendation');
    await section(page, 'recommendation', 'usual').getByRole('button', { name: 'Run it' }).click();
    const said = await done.innerText();
    const over = await section(page, 'recommendation', 'over').getByRole('button', { name: 'Run it' }).isDisabled();
    return said.startsWith('confirm ') && over;
  });
  await check('a kind of a newer version is named, and lost nothing', async () => {
    await show(page, 'unknown');
    await page.getByText('This version cannot show hologram.').waitFor();
  });
  await check('the menu of a card says why a way of showing it does not fit, by keyboard', async () => {
    await show(page, 'frame');
    await section(page, 'frame', 'usual').getByRole('button', { name: 'Result menu' }).focus();
    await press('Enter');
    await page.getByRole('menuitem', { name: 'Show as' }).focus();
    await press('ArrowRight');
    const item = page.getByRole('menuitem', { name: /^Comparison/ });
    await item.getByText('It is compared with nothing.').waitFor();
    await shot(page, 'gallery-show-as');
    const off = (await item.getAttribute('aria-disabled')) === 'true';
    await page.getByRole('menuitem', { name: /Pie|pie/ }).focus();
    await press('Enter');
    await section(page, 'frame', 'usual').locator('.chart svg .mark-arc path').first().waitFor();
    return off;
  });
  await check('the page of the gallery: nothing went wrong', () => trouble);
  await context.close();
}
