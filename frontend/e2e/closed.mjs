// What a script in the page cannot do though it runs there: load, send, run text, open, leave. A server of another origin listens and
// must hear nothing.
import { createServer } from 'node:http';

export async function closed({ visit, site, check }) {
  const heard = [];
  const sentinel = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    response.end();
  });
  await new Promise((ready) => sentinel.listen(0, '127.0.0.1', ready));
  const elsewhere = `http://127.0.0.1:${sentinel.address().port}`;
  const { context, page } = await visit({ width: 1280, height: 800 });
  try {
    await check('every answer carries the policy', async () => {
      const without = [];
      const look = (response) => {
        const headers = response.headers();
        const says = (name, what) => headers[name]?.includes(what);
        const all =
          says('content-security-policy', "default-src 'none'") &&
          says('content-security-policy', "frame-ancestors 'none'") &&
          says('x-content-type-options', 'nosniff') &&
          says('cross-origin-opener-policy', 'same-origin') &&
          says('cross-origin-resource-policy', 'same-origin') &&
          says('referrer-policy', 'no-referrer');
        if (!all) without.push(response.url());
      };
      page.on('response', look);
      await page.reload();
      await page.locator('#composer').waitFor();
      page.off('response', look);
      return without;
    });

    await check('nothing loads, is sent or runs from elsewhere', async () => {
      const ran = await page.evaluate(async (address) => {
        const put = (html) => document.body.append(document.createRange().createContextualFragment(html));
        put(
          `<img src="${address}/img"><iframe src="${address}/frame"></iframe><object data="${address}/object"></object>`,
        );
        put(`<link rel="stylesheet" href="${address}/style"><style>@import url(${address}/import);</style>`);
        put(`<div style="background:url(${address}/background)">x</div><video src="${address}/video"></video>`);
        put(`<script>window.ranInline = true</script><img src="x" onerror="window.ranHandler = true">`);
        put(`<script src="${address}/script.js"></script>`);
        const tries = [
          () => fetch(`${address}/fetch`, { mode: 'no-cors' }),
          () =>
            new Promise((done, failed) =>
              Object.assign(new WebSocket(address.replace('http', 'ws')), { onopen: done, onerror: failed }),
            ),
          () =>
            new Promise((done, failed) =>
              Object.assign(new EventSource(`${address}/events`), { onopen: done, onerror: failed }),
            ),
          () =>
            new Promise((done, failed) =>
              Object.assign(new Worker(URL.createObjectURL(new Blob(['1']))), { onmessage: done, onerror: failed }),
            ),
        ];
        const went = [];
        for (const [index, attempt] of tries.entries())
          await attempt().then(
            () => went.push(`attempt ${index}`),
            () => undefined,
          );
        navigator.sendBeacon(`${address}/beacon`, 'secret');
        try {
          (0, eval)('window.ranText = true');
        } catch {
          // as it should
        }
        await new Promise((done) => setTimeout(done, 500));
        return [...went, ...['ranInline', 'ranHandler', 'ranText'].filter((name) => name in window)];
      }, elsewhere);
      return [...ran, ...heard];
    });

    await check('no link and no form leaves the page', async () => {
      await page.evaluate((address) => {
        const html = `<a id="away" href="${address}/link">x</a><form id="form" action="${address}/form"><button id="send">x</button></form>`;
        document.body.append(document.createRange().createContextualFragment(html));
        for (const id of ['away', 'send']) document.getElementById(id).click();
        document.getElementById('form').submit(); // asks no listener: the policy stops it
      }, elsewhere);
      await page.waitForTimeout(500);
      return page.url().startsWith(site) ? heard : [page.url()];
    });

    await check('no other site can hold or read the workspace', async () => {
      const other = await context.newPage();
      await other.goto(`${elsewhere}/`);
      heard.length = 0;
      const got = await other.evaluate(async (address) => {
        const frame = document.createElement('iframe');
        frame.src = address;
        document.body.append(frame);
        await new Promise((done) => setTimeout(done, 500));
        const read = [];
        for (const options of [
          {},
          { mode: 'no-cors' },
          { credentials: 'include' },
          { method: 'POST', mode: 'no-cors', body: '{}' },
        ]) {
          await fetch(`${address}api/sessions`, options).then(
            (answer) => answer.ok && read.push(JSON.stringify(options)),
            () => undefined,
          );
        }
        let inside = false;
        try {
          inside = Boolean(frame.contentDocument?.querySelector('#app'));
        } catch {
          // another origin, as it should be
        }
        return inside ? [...read, 'it is in a frame'] : read;
      }, site);
      await other.close();
      return got;
    });

    await check('nothing of the charts stands on the window', () =>
      page.evaluate(() => ['vega', 'vegaLite', 'vegaEmbed', 'view', 'VEGA_DEBUG'].filter((name) => name in window)),
    );
  } finally {
    await context.close();
    sentinel.close();
  }
}
