// Answers whose lists hold what repeats, is empty, huge or hostile, and cards whose drawing throws: the session opens again every time.
import { askUnseen } from './browser.mjs';

const questions = [
  'revenue germany vs france',
  'revenue by category in 1997',
  'revenue by month in 1997',
  'top 5 customers by revenue',
  'how many orders in 1997',
  'freight by country',
  'freight by product',
  'revenue in 1996 and 1997',
  'average freight by shipper',
  'orders by employee in 1998',
  'revenue by country and category',
  'share of revenue by category',
  'who are the customers in Germany',
  'revenue of the moon',
  'units by product for beverages',
  'compare revenue in 1997 with 1996',
  'revenue by weekday',
  'discount by quarter',
  'products without orders',
  'why did revenue fall',
];

const hostile = ['</script><img src=x onerror=alert(1)>', '\u202Eevil\u0000', '{@html 1}', '=1+1', '${x}', '__proto__'];
const huge = 'x'.repeat(20_000);

/** A value in which every list holds its entries twice, and one of each that is empty, huge or hostile. Runs in the page. */
function worsen([value, hostile, huge]) {
  const oddly = (part, text) => (typeof part === 'string' ? text : Array.isArray(part) ? [] : part);
  const filled = (entry, text) => {
    if (typeof entry === 'string') return text;
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return entry;
    const words = Object.entries(entry).map(([name, part]) => [name, oddly(part, text)]);
    return Object.fromEntries(words);
  };
  const lists = new Set(
    [
      'assumptions',
      'confirm',
      'unread',
      'carried',
      'dropped',
      'spans',
      'settled',
      'findings',
      'checks',
      'reasons',
    ].concat(['notices', 'followups', 'options', 'repairs', 'all', 'remembered', 'lines', 'facts', 'probes']),
  );
  const walk = (part, name) => {
    if (Array.isArray(part)) {
      const entries = part.map((entry) => walk(entry, ''));
      if (!lists.has(name)) return entries;
      const sample = entries[0] ?? (['assumptions', 'unread', 'confirm', 'reasons'].includes(name) ? 'text' : null);
      if (sample === null) return entries;
      const odd = ['', '', huge, huge, ...hostile, ...hostile].map((text) => filled(sample, text));
      return [...entries, ...entries, ...odd];
    }
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, walk(inner, key)]));
  };
  return walk(value, '');
}

/** A session in which the data of each answer is of a form that no card knows. Runs in the page. */
function breakCards([value, place]) {
  const shapes = [null, 7, 'text', [null], { rows: 3 }];
  const broken = shapes[place % shapes.length];
  for (const turn of value.turns) {
    for (const artifact of turn.artifacts) if (artifact.kind !== 'view') artifact.body = broken;
    const kinds = ['comparison', 'simulation', 'structure', 'qm_card', 'driver_analysis', 'recommendation', 'new'];
    kinds.forEach((kind, at) =>
      turn.artifacts.push({
        id: `odd_${turn.index}_${at}`,
        kind,
        turn: turn.index,
        title: kind,
        body: broken,
        created: '',
      }),
    );
    if (!turn.answer) continue;
    const parts = ['frame', 'narration', 'chart', 'followups', 'clarification', 'refusal', 'risk', 'verification'];
    parts.forEach((part, at) => {
      if (turn.answer[part] && (at + place) % 3 === 0) turn.answer[part] = broken;
    });
  }
  return value;
}

export async function odd({ visit, site, check, shot }) {
  const { context, page, trouble } = await visit({ width: 1280, height: 800 });
  const sessions = [];
  await check('odd answers: twenty questions are asked', async () => {
    for (let at = 0; at < questions.length; at += 5) sessions.push(await askUnseen(page, questions.slice(at, at + 5)));
    return sessions.length === 4;
  });

  // What the program sends is changed on its way to the page.
  let change = null;
  await page.route('**/api/sessions/*', async (route) => {
    const response = await route.fetch();
    if (!change || route.request().method() !== 'GET') return route.fulfill({ response });
    await route.fulfill({ response, json: change(await response.json()) });
  });

  const opened = async (id) => {
    await page.goto(`${site}#settings`);
    await page.goto(`${site}#session/${id}`);
    await page.locator('article[aria-label^="Question"]').nth(4).waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    const stuck = await page.locator('form button[aria-label="Cancel"]').count();
    const ready = await page.locator('#composer').isEnabled();
    return stuck === 0 && ready ? [] : [`${id} is stuck`];
  };

  for (const [place] of Array.from({ length: 4 }).entries())
    await check(`odd answers: a session whose lists hold anything opens, part ${place + 1}`, async () => {
      change = (document) => worsen([document, hostile, huge]);
      const first = await opened(sessions[place]);
      const text = await page.locator('.dialogue').innerText();
      await shot(page, `97-odd-lists-${place + 1}`);
      return [
        ...first,
        ...(await opened(sessions[place])),
        ...(text.includes('onerror=alert(1)') ? [] : ['not shown']),
      ];
    });
  for (const place of [0, 1, 2, 3, 4])
    await check(`odd answers: a session whose cards cannot be drawn opens, shape ${place + 1}`, async () => {
      change = (document) => breakCards([document, place]);
      const found = await opened(sessions[place % 4]);
      await shot(page, `98-odd-cards-${place + 1}`);
      change = null;
      return [...found, ...(await opened(sessions[place % 4]))];
    });
  await check('odd answers: a question can still be asked there', async () => {
    const before = await page.locator('article[aria-label^="Question"]').count();
    await page.locator('#composer').fill('revenue in 1997');
    await page.locator('#composer').press('Enter');
    const article = page.locator('article[aria-label^="Question"]').nth(before);
    await article
      .getByText(/617,085|\$/)
      .first()
      .waitFor();
    return true;
  });
  await check('odd answers: no script ran, nothing foreign was asked for', () =>
    trouble.filter((one) => /foreign|alert/.test(one)),
  );
  await context.close();
}
