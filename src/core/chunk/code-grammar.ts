/** What the cutter knows of a language. Patterns see a line without its indentation, at most so many characters. */
export interface CodeGrammar {
  /** Starts of comments that reach to the end of the line. */
  lineComment: RegExp | null;
  /** Comments over several lines. */
  blockComment: readonly [open: string, close: string] | null;
  /** Lines that belong to the definition that follows: decorators, attributes, template heads. */
  attribute: RegExp | null;
  /** Definitions at any indentation. Groups `kind` (may be absent) and `name`. */
  definitions: readonly RegExp[];
  /** Definitions at no indentation only, such as constants, which further in are mere statements. */
  outermost: readonly RegExp[];
}

const SLASHES = /^\/\//;
const HASH = /^#/;
const C_BLOCK = ['/*', '*/'] as const;
const NONE: readonly RegExp[] = [];
/** Words that stand before brackets without defining anything. */
const NOT_A_NAME =
  '(?!(?:if|else|for|foreach|while|switch|case|catch|return|throw|new|do|try|with|await|yield|super|using|lock|function|sizeof|when|match|unless|until|delete|typeof)\\b)';

const script: CodeGrammar = {
  lineComment: SLASHES,
  blockComment: C_BLOCK,
  attribute: /^@[\w$]/,
  definitions: [
    /^(?:export\s+|default\s+|declare\s+|abstract\s+|async\s+)*(?<kind>function|class|interface|enum|namespace)\b\s*\*?\s*(?<name>[\w$.]*)/,
    new RegExp(
      `^(?:(?:public|private|protected|static|async|get|set|override|abstract|readonly)\\s+)*\\*?\\s*${NOT_A_NAME}(?<name>#?[\\w$]+)\\s*(?:<[^(){}]*>)?\\([^;]*\\)[^;()]*\\{\\s*$`,
    ),
  ],
  outermost: [
    /^(?:export\s+|declare\s+)*(?<kind>type|const|let|var)\s+(?<name>[\w$]+)/,
    /^(?<kind>export\s+default)\b(?<name>)/,
    /^(?<kind>describe|it|test)\(\s*['"`](?<name>[^'"`]*)/,
  ],
};

const java: CodeGrammar = {
  lineComment: SLASHES,
  blockComment: C_BLOCK,
  attribute: /^(?:@\w(?!nterface\b)|\[\w[^\]]*\]\s*$)/,
  definitions: [
    /^(?:[\w@]+\s+)*?(?<kind>class|interface|enum|record|struct|namespace|trait|object|@interface)\s+(?<name>[\w.]+)/,
    /^(?:(?:override|suspend|inline|private|public|internal|protected|open|final|abstract|implicit|static|operator|tailrec)\s+)*(?<kind>fun|def)\s+(?:<[^()]*>\s*)?(?<name>[\w.`]+)/,
    new RegExp(`^${NOT_A_NAME}(?:[\\w<>,.?\\[\\]&]+\\s+){1,8}${NOT_A_NAME}(?<name>\\w+)\\s*\\([^;]*$`),
  ],
  outermost: NONE,
};

const c: CodeGrammar = {
  lineComment: SLASHES,
  blockComment: C_BLOCK,
  attribute: /^(?:template\s*<|\[\[|__attribute__)/,
  definitions: [
    /^(?:typedef\s+|static\s+|extern\s+|export\s+)*(?<kind>struct|class|union|enum(?:\s+class)?|namespace)\s+(?<name>[\w:]+)[^;()]*$/,
  ],
  outermost: [
    /^(?<kind>#\s*define)\s+(?<name>\w+)/,
    new RegExp(`^${NOT_A_NAME}(?:[\\w:<>,*&]+\\s+){0,8}[*&]*${NOT_A_NAME}(?<name>[\\w:~]+)\\s*\\([^;]*$`),
    /^(?<kind>typedef)\b.*?(?<name>\w+)\s*;\s*$/,
  ],
};

const keyed = (lineComment: RegExp | null, definitions: readonly RegExp[]): CodeGrammar => ({
  lineComment,
  blockComment: null,
  attribute: null,
  definitions,
  outermost: NONE,
});

const css: CodeGrammar = {
  lineComment: SLASHES,
  blockComment: C_BLOCK,
  attribute: null,
  definitions: [/^(?<name>[^{}/;]*[^{}/;\s])\s*\{/],
  outermost: [/^(?<kind>@\w+)\s+(?<name>[\w-]*)/],
};

const grammars: Readonly<Record<string, CodeGrammar>> = {
  typescript: script,
  javascript: script,
  java,
  csharp: java,
  kotlin: java,
  scala: java,
  c,
  cpp: c,
  css,
  scss: css,
  python: {
    lineComment: HASH,
    blockComment: null,
    attribute: /^@[\w.]/,
    definitions: [/^(?:async\s+)?(?<kind>def|class)\s+(?<name>\w+)/],
    outermost: [/^(?<name>[A-Z][A-Z0-9_]+)\s*(?::[^=]+)?=[^=]/, /^(?<kind>if)\s+(?<name>__name__)/],
  },
  go: {
    lineComment: SLASHES,
    blockComment: C_BLOCK,
    attribute: null,
    definitions: NONE,
    outermost: [
      /^(?<kind>func)\s+(?:\([^)]*\)\s*)?(?<name>\w+)/,
      /^(?<kind>type|const|var)\s+(?<name>\w+|(?=\())/,
    ],
  },
  rust: {
    lineComment: SLASHES,
    blockComment: C_BLOCK,
    attribute: /^#!?\[/,
    definitions: [
      /^(?:pub(?:\([^)]*\))?\s+|async\s+|unsafe\s+|const\s+|default\s+|extern\s+(?:"[^"]*"\s+)?)*(?<kind>fn|struct|enum|trait|union|mod|macro_rules!)\s+(?<name>\w+)/,
      /^(?:unsafe\s+)?(?<kind>impl)\b\s*(?:<[^{]*?>\s+)?(?<name>[^{]*[^{\s])/,
    ],
    outermost: [/^(?:pub(?:\([^)]*\))?\s+)?(?<kind>type|const|static)\s+(?:mut\s+)?(?<name>\w+)/],
  },
  swift: {
    lineComment: SLASHES,
    blockComment: C_BLOCK,
    attribute: /^@\w/,
    definitions: [
      /^(?:(?:public|private|internal|fileprivate|open|final|static|override|mutating|indirect|class)\s+)*(?<kind>func|class|struct|enum|protocol|extension|actor)\s+(?<name>[\w.]+)/,
      /^(?:(?:public|private|internal|required|convenience|override)\s+)*(?<name>init|deinit)\b/,
    ],
    outermost: [/^(?:public\s+|private\s+)?(?<kind>let|var|typealias)\s+(?<name>\w+)/],
  },
  ruby: {
    lineComment: HASH,
    blockComment: null,
    attribute: null,
    definitions: [/^(?<kind>def|class|module)\s+(?<name>[\w.:?!=]+)/],
    outermost: [/^(?<name>[A-Z][A-Z0-9_]+)\s*=/],
  },
  php: {
    lineComment: /^(?:\/\/|#(?!\[))/,
    blockComment: C_BLOCK,
    attribute: /^#\[/,
    definitions: [
      /^(?:(?:abstract|final|public|private|protected|static|readonly)\s+)*(?<kind>function|class|interface|trait|enum|namespace)\s+&?(?<name>[\w\\]+)/,
    ],
    outermost: NONE,
  },
  shell: {
    lineComment: HASH,
    blockComment: null,
    attribute: null,
    definitions: [/^(?<kind>function)\s+(?<name>[\w:.-]+)/, /^(?<name>[\w:.-]+)\s*\(\)/],
    outermost: NONE,
  },
  sql: {
    lineComment: /^--/,
    blockComment: C_BLOCK,
    attribute: null,
    definitions: NONE,
    outermost: [
      /^(?<kind>(?:create|alter|drop)(?:\s+or\s+replace)?(?:\s+(?:unique|temp|temporary|virtual|materialized))*\s+(?:table|view|index|trigger|function|procedure|type|schema|sequence))\s+(?:if\s+(?:not\s+)?exists\s+)?(?<name>[\w."`[\]]+)/i,
      /^(?<kind>insert\s+into|update|delete\s+from|select|with)\b\s*(?<name>[\w."`[\]]*)/i,
    ],
  },
  lua: {
    lineComment: /^--/,
    blockComment: null,
    attribute: null,
    definitions: [/^(?:local\s+)?(?<kind>function)\s+(?<name>[\w.:]+)/, /^(?<name>[\w.]+)\s*=\s*function\b/],
    outermost: NONE,
  },
  r: keyed(HASH, [/^(?<name>[\w.]+)\s*(?:<-|=)\s*function\b/]),
  julia: {
    lineComment: HASH,
    blockComment: ['"""', '"""'],
    attribute: /^@\w/,
    definitions: [/^(?<kind>function|macro|module|(?:mutable\s+)?struct|abstract\s+type)\s+(?<name>[\w.!]+)/],
    outermost: [/^(?<kind>const)\s+(?<name>\w+)/, /^(?<name>[\w.!]+)\([^=]*\)\s*=[^=]/],
  },
  elixir: {
    lineComment: HASH,
    blockComment: null,
    attribute: /^@(?:doc|spec|impl|moduledoc)\b/,
    definitions: [/^(?<kind>def\w*)\s+(?<name>[\w.?!]+)/],
    outermost: NONE,
  },
  erlang: {
    lineComment: /^%/,
    blockComment: null,
    attribute: /^-spec\b/,
    definitions: NONE,
    outermost: [
      /^(?<name>[a-z]\w*)\(.*\)\s*(?:when\b.*)?->/,
      /^-(?<kind>module|record|define|type)\((?<name>\w+)/,
    ],
  },
  haskell: {
    lineComment: /^--/,
    blockComment: ['{-', '-}'],
    attribute: null,
    definitions: NONE,
    outermost: [
      /^(?<kind>data|newtype|type|class|instance|module)\s+(?<name>[\w.' ]+)/,
      /^(?<name>[a-z][\w']*)\s*::/,
    ],
  },
  ocaml: {
    lineComment: null,
    blockComment: ['(*', '*)'],
    attribute: null,
    definitions: NONE,
    outermost: [/^(?<kind>let(?:\s+rec)?|and|type|module|val|exception|class)\s+(?<name>[\w']+)/],
  },
  yaml: keyed(HASH, [/^(?:-\s+)?(?<name>[\w."'/-]+)\s*:(?:\s|$)/]),
  toml: keyed(HASH, [/^\[{1,2}(?<name>[^\]]+)\]/]),
  ini: keyed(/^[;#]/, [/^\[(?<name>[^\]]+)\]/]),
  json: keyed(null, [/^"(?<name>[^"]+)"\s*:/]),
  make: keyed(HASH, [/^(?<name>[\w./%$()-]+)\s*:(?!=)/]),
  dockerfile: keyed(HASH, [/^(?<kind>FROM)\s+(?<name>.*\S)/i]),
  proto: {
    lineComment: SLASHES,
    blockComment: C_BLOCK,
    attribute: null,
    definitions: [/^(?<kind>message|service|enum|rpc|extend)\s+(?<name>[\w.]+)/],
    outermost: NONE,
  },
  graphql: {
    lineComment: HASH,
    blockComment: ['"""', '"""'],
    attribute: null,
    definitions: NONE,
    outermost: [
      /^(?<kind>(?:extend\s+)?(?:type|input|interface|enum|union|scalar|query|mutation|subscription|fragment|directive))\s+(?<name>@?\w+)/,
      /^(?<kind>schema)\b(?<name>)/,
    ],
  },
};

/** For languages without a grammar of their own: what many have in common. */
const general: CodeGrammar = {
  lineComment: /^(?:\/\/|#|--)/,
  blockComment: C_BLOCK,
  attribute: /^@\w/,
  definitions: [
    /^(?:(?:export|public|private|static|async|pub)\s+)*(?<kind>function|func|fn|fun|def|class|struct|interface|trait|impl|enum|module|type)\s+(?<name>[\w$.]+)/,
  ],
  outermost: NONE,
};

export function grammarOf(language: string | undefined): CodeGrammar {
  return (language !== undefined && Object.hasOwn(grammars, language) && grammars[language]) || general;
}
