import ts from 'typescript';

const SQL = [
  /\bSELECT\b[\s\S]+\bFROM\b/,
  /\bINSERT\s+(?:OR\s+\w+\s+)?INTO\b/,
  /\bREPLACE\s+INTO\b/,
  /\bUPDATE\s+[\w."]+\s+SET\b/,
  /\bDELETE\s+FROM\b/,
  /\bPRAGMA\s+\w/,
  /\b(?:CREATE|DROP|ALTER)\s+(?:TEMP\s+|UNIQUE\s+|VIRTUAL\s+)*(?:TABLE|INDEX|TRIGGER|VIEW)\b/,
  /\bBEGIN\s+(?:IMMEDIATE|EXCLUSIVE|DEFERRED)\b/,
  // In lower case only where the text begins like a statement: prose has these words too.
  /^\s*(?:select\s[\s\S]+\sfrom\s|insert\s+into\s|delete\s+from\s+\w+\s+where\s|update\s+\w+\s+set\s|pragma\s+\w+)/,
];
const MUTATORS = /^(?:set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin)$/;
const TEST_FUNCTIONS = new Set(['it', 'test', 'describe', 'suite']);

/**
 * Rules for TypeScript files that a linter does not know: what the layers of the project forbid.
 *
 * @param {string} path relative to the root, with `/`
 * @param {string} text
 * @returns {{ path: string, line: number, rule: string, message: string }[]}
 */
export function checkCode(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const report = (node, rule, message) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
    found.push({ path, line: line + 1, rule, message });
  };
  const isTest = /\.test\.ts$/.test(path) || path.startsWith('test/');
  const inSource = path.startsWith('src/');
  const ships = inSource && !isTest;
  const noSql = ships && !path.startsWith('src/store/');

  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.AnyKeyword)
      report(node, 'any', 'the type any: use unknown, or the real type');
    if (noSql && isWholeText(node) && SQL.some((pattern) => pattern.test(textOf(node, file)))) {
      report(node, 'sql', 'SQL outside src/store');
    }
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
      const [object, member] = [node.expression.text, node.name.text];
      if (ships && path !== 'src/cli/main.ts' && object === 'process' && member === 'exit') {
        report(node, 'exit', 'process.exit outside src/cli/main.ts: raise a CorvidError');
      }
      if (inSource && object === 'console') report(node, 'console', 'console in src: a library is silent');
      if (TEST_FUNCTIONS.has(object)) checkTestModifier(node, member);
    }
    ts.forEachChild(node, visit);
  };
  const checkTestModifier = (node, member) => {
    if (member === 'only') report(node, 'only', 'a focused test leaves the others out');
    if ((member === 'skip' || member === 'todo') && !hasComment(node, file)) {
      report(node, 'skip', `.${member} without a comment on or above its line that gives the reason`);
    }
  };
  visit(file);
  if (ships) for (const { node, message } of moduleState(file)) report(node, 'module-state', message);
  return found;
}

/** A string or template, or the outermost of strings joined by `+`. */
function isWholeText(node) {
  const joined = (part) =>
    part !== undefined && ts.isBinaryExpression(part) && part.operatorToken.kind === ts.SyntaxKind.PlusToken;
  if (joined(node.parent)) return false;
  return (
    joined(node) ||
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateExpression(node)
  );
}

function textOf(node, file) {
  if (ts.isBinaryExpression(node)) return `${textOf(node.left, file)}${textOf(node.right, file)}`;
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node)) return node.getText(file).slice(1, -1);
  return ' ';
}

function hasComment(node, file) {
  const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
  const lines = file.text.split('\n');
  return /\/\/\s*\S/.test(lines[line] ?? '') || /^\s*(?:\/\/|\*|\/\*)/.test(lines[line - 1] ?? '');
}

/** Variables of the module that change after it is loaded: two stores in one process would share them. */
function moduleState(file) {
  const found = [];
  const collections = new Map();
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const isConst = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
    for (const declaration of statement.declarationList.declarations) {
      if (!isConst)
        found.push({
          node: declaration,
          message: `variable of the module: ${declaration.name.getText(file)}`,
        });
      else if (ts.isIdentifier(declaration.name) && isCollection(declaration.initializer)) {
        collections.set(declaration.name.text, declaration);
      }
    }
  }
  const reported = new Set();
  const visit = (node, inFunction, shadowed) => {
    const functionLike = ts.isFunctionLike(node);
    const hidden = functionLike ? new Set([...shadowed, ...localNames(node)]) : shadowed;
    const name = inFunction ? changedName(node) : undefined;
    if (name !== undefined && collections.has(name) && !hidden.has(name) && !reported.has(name)) {
      reported.add(name);
      found.push({
        node: collections.get(name),
        message: `collection of the module that functions change: ${name}`,
      });
    }
    ts.forEachChild(node, (child) => visit(child, inFunction || functionLike, hidden));
  };
  visit(file, false, new Set());
  return found;
}

function isCollection(node) {
  if (node === undefined) return false;
  if (ts.isArrayLiteralExpression(node) || ts.isObjectLiteralExpression(node)) return true;
  return ts.isNewExpression(node) && /^(?:Weak)?(?:Map|Set)$|Array$/.test(node.expression.getText());
}

/** Parameters and variables of a function, at any depth of it. */
function localNames(fn) {
  const names = new Set();
  const visit = (node) => {
    if ((ts.isParameter(node) || ts.isVariableDeclaration(node)) && ts.isIdentifier(node.name))
      names.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(fn, visit);
  return names;
}

/** The variable whose content an expression changes, such as `x` in `x.push(1)`, `x[0] = 1` and `delete x.y`. */
function changedName(node) {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { expression, name } = node.expression;
    if (ts.isIdentifier(expression) && MUTATORS.test(name.text)) return expression.text;
  }
  if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) return memberOf(node.left);
  if (ts.isDeleteExpression(node)) return memberOf(node.expression);
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    const changes =
      node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken;
    return changes ? memberOf(node.operand) : undefined;
  }
  return undefined;
}

function isAssignment(kind) {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

function memberOf(node) {
  const isMember = ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
  return isMember && ts.isIdentifier(node.expression) ? node.expression.text : undefined;
}
