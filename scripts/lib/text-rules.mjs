/** Rules for every text file of the repository. The patterns are written so that they do not match themselves. */
const rules = [
  {
    rule: 'machine-path',
    pattern: /(?<![\w.~-])\/(?:wor[k]|tm[p])(?:\/|(?=['"`\s]))/,
    message: 'path of one machine',
  },
  {
    rule: 'registry-host',
    pattern:
      /registry\.(?:npm[j]s\.org|yarnp[k]g\.com)|np[m]\.pkg\.github|unpk[g]\.com|pyp[i]\.org|pythonhoste[d]\.org|deb\.debia[n]\.org/,
    message: 'host of a package registry',
  },
  {
    rule: 'left-over',
    pattern: /\b(?:TOD[O]|FIXM[E])\b/,
    message: 'unfinished work: finish it or open an issue',
  },
  { rule: 'conflict', pattern: /^(?:<{7}|>{7}) /, message: 'left-over of a merge' },
];

/**
 * @param {string} path relative to the root, with `/`
 * @param {string} text
 * @returns {{ path: string, line: number, rule: string, message: string }[]}
 */
export function checkText(path, text) {
  const found = [];
  for (const [index, line] of text.split('\n').entries()) {
    for (const { rule, pattern, message } of rules) {
      const match = pattern.exec(line);
      if (match) found.push({ path, line: index + 1, rule, message: `${message}: ${match[0]}` });
    }
  }
  return found;
}
