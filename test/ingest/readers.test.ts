import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder, tempStore } from '../support/temp.js';

describe('code', () => {
  it('is ingested as text, is found by its names, and a hit names the definition it is in', async () => {
    const folder = tempFolder();
    const memory = await tempStore();
    const body = '  const kept = [];\n'.repeat(60);
    await writeFile(
      join(folder, 'tiles.ts'),
      `// Tiles.\nexport function loadTiles() {\n${body}}\n\n/** Drops all. */\nexport function flushTileCache() {\n${body}}\n`,
    );
    await writeFile(join(folder, 'Dockerfile'), 'FROM node:20\nRUN make kiln\n');
    await writeFile(join(folder, 'data.json'), `"${'x'.repeat(300_000)}"`);
    const summary = await memory.ingest(folder);
    expect(summary).toMatchObject({ added: 2, skipped: [{ path: 'data.json', reason: 'too-large' }] });
    const { hits } = await memory.search('flushTileCache');
    expect(hits[0]).toMatchObject({ title: 'tiles.ts', kind: 'document' });
    const item = await memory.get(hits[0]?.id ?? '');
    expect(item).toMatchObject({ uri: 'tiles.ts', meta: { language: 'typescript' } });
    expect(item?.chunks).toBeGreaterThan(1);
    expect(JSON.stringify(hits[0])).toContain('function flushTileCache');
    const docker = (await memory.list()).items.find(({ uri }) => uri === 'Dockerfile');
    expect(docker).toMatchObject({ title: 'Dockerfile', meta: { language: 'dockerfile' } });
  });
});

describe('HTML', () => {
  it('becomes readable text with title, author, keywords and date', async () => {
    const folder = tempFolder();
    const memory = await tempStore();
    await writeFile(
      join(folder, 'page.html'),
      `<!doctype html><html lang="en"><head><title>Kiln &amp; clay</title>
       <meta name="description" content="About kilns"><meta name="keywords" content="kiln, clay">
       <meta name="author" content="Mara Lind"><meta name="date" content="2031-07-19">
       <style>p { color: red }</style><script>var hidden = "<p>no</p>";</script></head>
       <body><nav><a href="/">Home</a></nav><h1>The <em>kiln</em></h1>
       <p>Fire   to&nbsp;cone&#32;six.<br>Then <a href="x.html">let it cool</a>.</p>
       <ul><li>Clay<ul><li>Red</li></ul></li><li><p>Glaze</p></li></ul>
       <ol><li>First</li><li>Second</li></ol>
       <pre><code>heat(6)
  wait()</code></pre>
       <table><tr><th>Cone</th><th>Heat</th></tr><tr><td>6</td><td>1222</td></tr></table>
       <p hidden>secret</p><p>Unclosed <b>end</body></html>`,
    );
    expect(await memory.ingest(folder)).toMatchObject({ added: 1, skipped: [] });
    const [item] = (await memory.list()).items;
    expect(item).toMatchObject({
      title: 'Kiln & clay',
      author: 'Mara Lind',
      keywords: ['kiln', 'clay'],
      occurredAt: Date.UTC(2031, 6, 19),
      meta: { description: 'About kilns', language: 'en' },
    });
    expect(item?.text).toBe(
      [
        '# The kiln',
        '',
        'Fire to cone six.',
        'Then let it cool.',
        '',
        '- Clay',
        '  - Red',
        '- Glaze',
        '',
        '1. First',
        '2. Second',
        '',
        '```',
        'heat(6)',
        '  wait()',
        '```',
        '',
        'Cone | Heat',
        '6 | 1222',
        '',
        'Unclosed end',
      ].join('\n'),
    );
  });

  it('is read in the encoding that it names, or by its byte order mark', async () => {
    const folder = tempFolder();
    const memory = await tempStore();
    // "Žár" in ISO 8859-2.
    const latin2 = Buffer.concat([
      Buffer.from('<meta charset="iso-8859-2"><h1>'),
      Buffer.from([0xae, 0xe1, 0x72]),
      Buffer.from('</h1><p>Kiln</p>'),
    ]);
    await writeFile(join(folder, 'latin2.htm'), latin2);
    await writeFile(
      join(folder, 'utf16.html'),
      Buffer.from('\ufeff<meta charset="utf-8"><h1>Žár</h1>', 'utf16le'),
    );
    await writeFile(join(folder, 'unknown.html'), '<meta charset="no-such-thing"><h1>Žár</h1>');
    expect(await memory.ingest(folder)).toMatchObject({ added: 3, skipped: [] });
    expect((await memory.list()).items.map(({ title }) => title)).toEqual(['Žár', 'Žár', 'Žár']);
  });

  it('takes its title from the first heading, then the file name, and skips a page without text', async () => {
    const folder = tempFolder();
    const memory = await tempStore();
    await writeFile(join(folder, 'a.html'), '<h2>Later</h2><h1>Glaze</h1><h1>More</h1>');
    await writeFile(join(folder, 'plain.html'), 'just text');
    await memory.ingest(folder);
    expect((await memory.list()).items.map(({ title }) => title).sort()).toEqual(['Glaze', 'plain']);
  });

  it('takes broken and hostile pages in bounded time', async () => {
    const { htmlToText } = await import('../../src/ingest/readers/html-to-text.js');
    const start = performance.now();
    for (const piece of [
      '<div>',
      '<svg>',
      '<ul><li>',
      '</p>',
      '<pre>',
      '<b',
      '&amp',
      '<td>x',
      '<!--',
      '<h1>x',
      '<br>',
    ])
      htmlToText(piece.repeat(30_000));
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});
