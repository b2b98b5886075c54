import { describe, expect, it } from 'vitest';
import { addAll, ids, tempStore } from '../support/temp.js';

/** Twenty unrelated items, so that ranks mean something. */
const distractors = Object.fromEntries(
  [
    'the barley harvest was brought in before the rain',
    'a violin string snapped during the second movement',
    'the ferry timetable changes at the end of the month',
    'paint the fence with two coats of linseed oil',
    'the bakery on the corner sells rye bread',
    'renew the passport before travelling abroad',
    'the chess club meets in the library cellar',
    'defrost the freezer when the ice is thick',
    'an owl nests in the old bell tower',
    'the projector bulb lasts two thousand hours',
    'soak the lentils overnight and rinse them',
    'the map of the mountain trail is out of date',
    'tighten the spokes of the rear wheel evenly',
    'the choir rehearses a new requiem',
    'frost killed the tomato seedlings',
    'a spare fuse lies in the kitchen drawer',
    'the museum is closed for renovation',
    'melt the wax slowly in a water bath',
    'the lighthouse lens was cleaned last spring',
    'the cat sleeps on the warm router',
  ].map((text, i) => [`d${i}`, text]),
);

describe('F01 ordinary punctuation in a query neither throws nor empties the list', () => {
  const own: [string, string][] = [
    ['PX-4471', 'a'],
    ['2031-07-19', 'b'],
    ['NOTE: grease', 'c'],
    ['jammy 22.04', 'd'],
    ['lea@orchard.example', 'e'],
    ['/srv/kiln/log.txt', 'f'],
  ];
  const others = ['C:\\kiln', 'what failed?', 'pump, filter', 'pump;', '{pump}', 'pump -filter'];
  const items = {
    a: 'pump PX-4471 failed its test',
    b: 'filter changed on 2031-07-19',
    c: 'NOTE: grease the hinge',
    d: 'host runs jammy 22.04',
    e: 'write to lea@orchard.example',
    f: 'path /srv/kiln/log.txt',
  };

  it.each(own)('%s finds its own document first', async (query, id) => {
    const memory = await tempStore();
    await addAll(memory, { ...items, ...distractors });
    expect((await ids(memory, query))[0]).toBe(id);
  });

  it('every other query of these shapes answers with what it names', async () => {
    const memory = await tempStore();
    await addAll(memory, { ...items, ...distractors });
    for (const query of others) expect(await ids(memory, query), query).not.toEqual([]);
    expect(await ids(memory, 'pump -filter')).toEqual(expect.arrayContaining(['a', 'b']));
  });
});

describe('F02 operators are plain words', () => {
  it('NOT excludes nothing, and lone operators, brackets and stars do not throw', async () => {
    const memory = await tempStore();
    await addAll(memory, { a: 'mangos NOT ripe yet', b: 'mangos and lychees are ripe' });
    expect((await ids(memory, 'mangos NOT lychees')).sort()).toEqual(['a', 'b']);
    for (const query of ['NOT ripe', 'ripe OR', 'NEAR(mangos ripe)', '"mangos', '(mangos', '^mangos']) {
      expect((await ids(memory, query)).sort(), query).toEqual(['a', 'b']);
    }
    expect(await ids(memory, '*')).toEqual([]);
    await expect(ids(memory, 'AND')).resolves.toBeInstanceOf(Array);
    await expect(ids(memory, 'man*')).resolves.toBeInstanceOf(Array);
  });
});

describe('F03 a word that equals a column name is only a word', () => {
  it.each(['title', 'body', 'exact', 'header', 'content', 'text', 'tags', 'path'])('%s:', async (column) => {
    const memory = await tempStore();
    await addAll(memory, {
      a: { title: 'gym log', text: 'body weight fell to 71' },
      b: { title: 'body weight', text: 'see the log' },
    });
    expect((await ids(memory, `${column}: weight`)).sort()).toEqual(['a', 'b']);
  });
});

describe('F04 a text with nothing to search for gives nothing and says why', () => {
  it.each(['', '   ', '\n', '!!!', '...', '""', '()', '—', '\u0000', '\u200b'])('%j', async (query) => {
    const memory = await tempStore();
    await addAll(memory, { a: 'one kiln', b: 'two kilns', c: 'three kilns' });
    const result = await memory.search(query);
    expect(result.hits).toEqual([]);
    expect(result.degraded).toMatchObject([{ stream: 'lexical', reason: 'no-terms' }]);
  });

  it('an emoji finds the items that hold it, and never the whole store', async () => {
    const memory = await tempStore();
    await addAll(memory, { a: 'launch day 🚀', b: 'crab 🦀 season', c: 'nothing here' });
    expect(await ids(memory, '🚀')).toEqual(['a']);
    expect(await ids(memory, '🦀')).toEqual(['b']);
    expect(await ids(memory, '🌋')).toEqual([]);
  });
});

describe('F06 a natural question finds the item that answers it', () => {
  it('although it holds few of the words', async () => {
    const memory = await tempStore();
    await addAll(memory, { ...distractors, a: 'we agreed to rotate the greenhouse keys monthly' });
    expect((await ids(memory, 'how often do we rotate the keys for the greenhouse?'))[0]).toBe('a');
  });
});

describe('F07 stop words are no evidence, but a query of nothing else is still a query', () => {
  it('a question without a matching content word finds nothing by its stop words', async () => {
    const memory = await tempStore();
    await addAll(memory, { a: 'remember to water the fern', b: 'we agreed to meet on Monday' });
    expect(await ids(memory, 'ship to prod safely')).toEqual([]);
    await expect(ids(memory, 'to be or not to be')).resolves.toBeInstanceOf(Array);
  });

  it('a name made of stop words is found', async () => {
    const memory = await tempStore();
    await addAll(memory, { ...distractors, c: 'The Who played in Leeds' });
    expect((await ids(memory, 'the who'))[0]).toBe('c');
  });

  it('the one rare word of a long query survives', async () => {
    const memory = await tempStore();
    await addAll(memory, { ...distractors, a: 'the resistor has 47 ohm' });
    const long = Array.from({ length: 200 }, (_, i) => `constitutionalword${i}`).join(' ');
    expect(await ids(memory, `${long} ohm`)).toEqual(['a']);
  });
});

describe('F08 identifiers match as a whole first, and by their parts', () => {
  const items = {
    a: 'call flush_tile_cache() before exit',
    b: 'the flushTileCache method is slow',
    c: 'flush the toilet; tile the wall; cache of coins',
  };

  it.each(['flush_tile_cache', 'flushTileCache', 'flush tile cache'])('%s', async (query) => {
    const memory = await tempStore();
    await addAll(memory, { ...items, ...distractors });
    expect((await ids(memory, query)).slice(0, 3).sort()).toEqual(['a', 'b', 'c']);
    expect((await ids(memory, query))[2]).toBe('c');
  });

  it('words find the identifiers that are made of them', async () => {
    const memory = await tempStore();
    await addAll(memory, { ...items, ...distractors });
    expect(await ids(memory, 'tile cache')).toEqual(expect.arrayContaining(['a', 'b']));
  });
});

describe('F10 names with symbols', () => {
  it('C++, C# and .NET are told from the letter C', async () => {
    const memory = await tempStore();
    await addAll(memory, {
      a: 'the simulator is written in C++',
      b: 'the tuner is written in C#',
      c: 'vitamin C dose',
      d: 'runs on .NET and node.js',
    });
    expect((await ids(memory, 'C++ simulator'))[0]).toBe('a');
    expect((await ids(memory, 'C#'))[0]).toBe('b');
    expect((await ids(memory, '.NET'))[0]).toBe('d');
    expect((await ids(memory, 'node.js'))[0]).toBe('d');
  });
});

describe('F11 Chinese, Japanese and Korean are found without spaces', () => {
  it.each([
    ['温度', 'a'],
    ['窯', 'a'],
    ['阀门', 'b'],
    ['灌溉系统', 'b'],
    ['pump', 'c'],
    ['습도', 'd'],
    ['阀门 valve', 'b'],
  ])('%s', async (query, id) => {
    const memory = await tempStore();
    await addAll(memory, {
      a: '昨日は新しい窯の温度を測った',
      b: '下周三更新灌溉系统的阀门',
      c: '重启pump-x7后压力正常',
      d: '온실의 습도를 기록했다',
    });
    expect((await ids(memory, query))[0]).toBe(id);
  });
});

describe('F12 vowel signs neither split nor block words', () => {
  it.each([
    ['ต้นไม้', 'a'],
    ['पंप', 'b'],
    ['محمد', 'c'],
    ['שלום', 'd'],
  ])('%s', async (query, id) => {
    const memory = await tempStore();
    await addAll(memory, {
      a: 'ผมรดน้ำต้นไม้ทุกเช้า',
      b: 'हमने नया पानी पंप खरीदा',
      c: 'كَتَبَ مُحَمَّدٌ تقريرًا',
      d: 'שָׁלוֹם לגינה',
    });
    expect((await ids(memory, query))[0]).toBe(id);
  });
});

describe('F13 one word in all its encodings', () => {
  it.each([
    ['brûlée', 'a'],
    ['brulee', 'a'],
    ['ガス', 'a'],
    ['한국', 'a'],
    ['Việt', 'a'],
    ['abc9', 'b'],
    ['file', 'b'],
    ['strasse', 'b'],
    ['Lodz', 'b'],
  ])('%s', async (query, id) => {
    const memory = await tempStore();
    await addAll(memory, {
      a: 'crème brûlée at the ガス stove, 한국 style, Việt tea'.normalize('NFD'),
      b: 'Straße Łódź ＡＢＣ９ ﬁle',
    });
    expect((await ids(memory, query.normalize('NFC')))[0]).toBe(id);
  });

  it('an exact accent goes before a folded one', async () => {
    const memory = await tempStore();
    await addAll(memory, { c: 'thé vert', d: 'the report' });
    expect((await ids(memory, 'thé'))[0]).toBe('c');
  });
});

describe('F14 stems widen, and names are never stemmed', () => {
  it('iOS goes before io, and caching finds cached', async () => {
    const memory = await tempStore();
    await addAll(memory, {
      a: 'iOS build broke',
      b: 'the I/O thread, io wait high',
      f: 'responses are cached',
    });
    expect((await ids(memory, 'iOS'))[0]).toBe('a');
    expect(await ids(memory, 'caching')).toEqual(['f']);
  });
});

describe('F15 NUL characters and halves of surrogate pairs', () => {
  it('texts that hold them are stored once, found, and come back as stored', async () => {
    const memory = await tempStore();
    await addAll(memory, { a: 'before\u0000after kiln', b: 'bad\uD800half' });
    expect((await memory.get('a'))?.text).toBe('before\u0000after kiln');
    expect(await ids(memory, 'before\u0000after')).toContain('a');
    await expect(ids(memory, '"x\u0000y"')).resolves.toBeInstanceOf(Array);
    const stored = (await memory.get('b'))?.text;
    expect(stored).toBe('bad\uFFFDhalf');
    expect(await ids(memory, 'half')).toEqual(['b']);
    expect((await memory.add({ id: 'b', kind: 'document', text: 'bad\uD800half' })).status).toBe('unchanged');
  });
});

describe('F16 very long queries', () => {
  it.each([
    ['one word 20,000 times', 'word '.repeat(20_000)],
    ['500 brackets', `${'('.repeat(500)}kiln`],
    ['a word of a million letters', 'x'.repeat(1_000_000)],
  ])('%s', async (_, query) => {
    const memory = await tempStore();
    await addAll(memory, { a: 'the kiln is hot', ...distractors });
    await expect(ids(memory, query)).resolves.toBeInstanceOf(Array);
  });

  it('20,000 distinct words keep the rare one that the store knows', async () => {
    const memory = await tempStore();
    await addAll(memory, { a: 'the kiln is hot', ...distractors });
    const words = Array.from({ length: 20_000 }, (_, i) => `w${i.toString(36)}q`);
    words.splice(13_000, 0, 'kiln');
    expect(await ids(memory, words.join(' '))).toEqual(['a']);
  });
});
