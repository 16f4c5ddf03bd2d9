// What the language shows: a comparison with totals and the rest of a TOP, why a cell is empty, an explanation. The queries
// go through the API, as a program would send them; the page then opens their session, in several sizes and in the dark.
import { findings, looksOf } from './browser.mjs';
import { clipped } from './looks.mjs';

const queries = {
  ranked:
    'SELECT category_name, revenue, SHARE(revenue), PREV(revenue), PCT_CHANGE(revenue) DURING 1997 COMPARE TO DURING 1996 TOP 3 category_name BY revenue WITH OTHER TOTALS',
  explained: 'EXPLAIN SELECT month, revenue DURING 1997 COMPARE TO PREVIOUS PERIOD',
  series: 'SELECT month, revenue DURING 1997 COMPARE TO SAME PERIOD LAST YEAR TOTALS',
};

/** Sends a query, and gives the answer. */
const send = (page, query, session) =>
  page.evaluate(
    async ([frame_ql, session_id]) => {
      const response = await fetch('api/ask', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(session_id ? { frame_ql, session_id } : { frame_ql }),
      });
      return response.json();
    },
    [query, session],
  );

export async function language({ visit, site, check, shot }) {
  let session = '';
  const sizes = looksOf(
    [
      { name: '1280-light', width: 1280, height: 800, scheme: 'light' },
      { name: '375-dark', width: 375, height: 780, scheme: 'dark' },
    ],
    [
      { name: '1920-dark', width: 1920, height: 1080, scheme: 'dark' },
      { name: '375-light', width: 375, height: 780, scheme: 'light' },
    ],
  );
  for (const size of sizes) {
    const { context, page, trouble } = await visit(size);
    if (!session) {
      await check('comparisons and an explanation are answered', async () => {
        for (const query of Object.values(queries)) {
          const answer = await send(page, query, session);
          if (answer.outcome !== 'answer') return [`${query}: ${JSON.stringify(answer).slice(0, 300)}`];
          session = answer.session_id;
        }
      });
    }
    await page.goto(`${site}#session/${session}`);
    await page.reload();
    const results = page.getByRole('tab', { name: /^Results/ }).first();
    await check(`${size.name}: the reading names every clause`, async () => {
      const reading = page.getByRole('list', { name: 'How the question was read' }).last();
      await reading.waitFor();
      await shot(page, `language-${size.name}-1-dialogue`);
      const words = await reading.innerText();
      const missing = ['compared with', 'SAME PERIOD LAST YEAR', 'totals'].filter((word) => !words.includes(word));
      return [...missing, ...(await findings(page)), ...(await clipped(page))];
    });
    if (size.width <= 800) await results.click();
    await check(`${size.name}: the period before is a second, dashed line`, async () => {
      await page.locator('.chart svg .mark-line path[stroke-dasharray^="5"]').first().waitFor();
      await shot(page, `language-${size.name}-2-series`);
      return (await page.locator('.chart svg .mark-line').count()) >= 2;
    });
    await check(`${size.name}: an empty quotient says why, a full one is a percentage`, async () => {
      const grid = page.getByRole('grid').first();
      await grid.locator('[title="No number: there is no value to divide by"]').first().waitFor();
      const total = grid.locator('.row.total');
      await grid.evaluate((element) => (element.scrollTop = element.scrollHeight));
      return /Total/.test(await total.innerText()) && /\d %/.test(await total.innerText());
    });
    await check(`${size.name}: an explanation shows plan, rewrites and SQL`, async () => {
      const heading = page.getByRole('heading', { name: 'Rewrites' }).first();
      await heading.scrollIntoViewIfNeeded();
      await shot(page, `language-${size.name}-3-explanation`);
      const titles = await page.locator('section > h4').allInnerTexts();
      const missing = ['Plan', 'Rewrites', 'Frame cache'].filter((title) => !titles.includes(title));
      return [...missing, ...(await findings(page)), ...(await clipped(page))];
    });
    await check(`${size.name}: the rest of a TOP and the total are rows of their own`, async () => {
      const grid = page.getByRole('grid').last();
      await grid.scrollIntoViewIfNeeded();
      await shot(page, `language-${size.name}-4-ranked`);
      return (await grid.locator('.row.other').count()) === 1 && (await grid.locator('.row.total').count()) === 1;
    });
    await check(`${size.name}: nothing went wrong with the language`, () => trouble);
    await context.close();
  }
}
