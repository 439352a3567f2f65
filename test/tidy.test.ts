// The style of this codebase, as far as a machine can see it: which folder may import which, how long things get,
// where time, timers and chance may come from, where the code must stay synchronous.
//
// Source is parsed, not searched, so that words in comments and strings are no findings. Each rule lists
// all its findings as `file:line what`.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, normalize, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { optionNames, optionOf } from '../src/config/options.ts';

/** What each folder of src may import besides itself, lowest first. Files next to index.ts may import all. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  bytes: [],
  lua: ['bytes'],
  protocol: ['bytes'],
  config: ['bytes', 'protocol'],
  keyspace: ['bytes'],
  collections: ['bytes', 'keyspace'],
  state: ['bytes', 'protocol', 'config', 'keyspace'],
  scripting: ['bytes', 'lua', 'protocol', 'config', 'keyspace', 'state'],
  commands: ['bytes', 'protocol', 'config', 'keyspace', 'collections', 'state', 'scripting'],
  dispatch: ['bytes', 'protocol', 'config', 'keyspace', 'state', 'scripting', 'commands'],
  net: ['bytes', 'protocol', 'config', 'keyspace', 'state', 'commands', 'dispatch'],
  server: ['bytes', 'protocol', 'config', 'keyspace', 'state', 'commands', 'dispatch', 'scripting', 'net'],
};

const MAX_FILE_LINES = 500;
const MAX_FUNCTION_LINES = 70;
/** Functions longer than this are counted, and their number may only fall: lower it when it does. */
const LONG_FUNCTION_LINES = 40;
const LONG_FUNCTIONS = 0;

/** Time, timers and chance come in here and are passed on; everything else can be tested without waiting. */
const IMPURE_PLACES = /^src\/(keyspace\/clock\.ts|main\.ts|(net|server)\/)/;
const IMPURE_CALLS = new Set([
  'Date.now',
  'performance.now',
  'Math.random',
  'process.hrtime',
  'hrtime.bigint',
]);
const TIMERS = new Set(['setTimeout', 'setInterval', 'setImmediate']);

/** One command at a time, visibly: nothing here can be interrupted. */
const SYNCHRONOUS_PLACES = /^src\/(commands|keyspace|collections|dispatch|protocol)\//;
const ASYNCHRONOUS_NAMES = new Set(['Promise', 'EventEmitter', 'queueMicrotask']);

const CONSOLE_PLACES = /^src\/(main\.ts|server\/log[^/]*\.ts)$/;

/** For the outside (index.ts, docs), and what tested groundwork waits for: collections and DUMP (#4). */
const TESTED_ONLY = [
  'startServer',
  'renderCommandDocs',
  'renderConfigurationDocs',
  'loadConfig',
  'parseDouble',
  'QuickList',
  'SortedIndex',
  'countElements',
  'canGrow',
  'checkListpack',
  'packIntset',
  'checkIntset',
];

/** A node of the syntax tree, with the properties that the rules ask about. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly async?: boolean;
  readonly await?: boolean;
  readonly name?: string;
  readonly value?: unknown;
  readonly body?: Node | null;
  readonly source?: Node | null;
  readonly object?: Node;
  readonly property?: Node;
  readonly callee?: Node;
  readonly declaration?: Node | null;
  readonly declarations?: readonly Node[];
  readonly id?: Node | null;
}

interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly nodes: readonly Node[];
  readonly comments: readonly { readonly value: string; readonly start: number }[];
  /** Identifiers as often as they stand in the file. */
  readonly identifiers: readonly string[];
  /** Identifiers and strings: whatever the file can name something by. */
  readonly names: ReadonlySet<string>;
  lineAt(offset: number): number;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const everything = ['bench', 'src', 'test'].flatMap((folder) => sourcePaths(folder).map(read));
const source = everything.filter(({ path }) => path.startsWith('src/'));

test('there is source to look at', () => expect(source.length).toBeGreaterThan(0));

test('folders import only themselves and lower ones', () => {
  expect(source.flatMap((file) => importsOf(file).flatMap((node) => forbiddenImport(file, node)))).toEqual(
    [],
  );
});

test(`files have at most ${MAX_FILE_LINES} lines`, () => {
  const long = source.filter(({ text }) => text.split('\n').length - 1 > MAX_FILE_LINES);
  expect(long.map(({ path }) => path)).toEqual([]);
});

test(`functions have at most ${MAX_FUNCTION_LINES} lines`, () => {
  expect(functionsOver(MAX_FUNCTION_LINES)).toEqual([]);
});

test(`no more than ${LONG_FUNCTIONS} functions have over ${LONG_FUNCTION_LINES} lines`, () => {
  const long = functionsOver(LONG_FUNCTION_LINES);
  expect(long.length, long.join('\n')).toBeLessThanOrEqual(LONG_FUNCTIONS);
});

test('time, timers and chance come from their own places', () => {
  const files = source.filter(({ path }) => !IMPURE_PLACES.test(path));
  expect(findings(files, (node) => IMPURE_CALLS.has(dotted(node)) || TIMERS.has(calledName(node)))).toEqual(
    [],
  );
});

test('the core is synchronous', () => {
  const files = source.filter(({ path }) => SYNCHRONOUS_PLACES.test(path));
  const isAsynchronous = (node: Node) =>
    node.async === true || node.await === true || ASYNCHRONOUS_NAMES.has(identifier(node));
  expect(findings(files, isAsynchronous)).toEqual([]);
});

test('what a file exports is used outside of it', () => {
  const unused = source.flatMap((file) => {
    const others = everything.filter((each) => each !== file);
    return exportsOf(file).filter((name) => !others.some(({ names }) => names.has(name)));
  });
  expect(unused).toEqual([]);
});

test('source that only tests use waits for an issue', () => {
  const product = everything.filter(({ path }) => !path.startsWith('test/'));
  const testOnly = source.flatMap((file) => {
    const others = product.filter((each) => each !== file);
    return exportsOf(file).filter(
      (name) =>
        !others.some(({ names }) => names.has(name)) &&
        file.identifiers.filter((each) => each === name).length === 1,
    );
  });
  expect(testOnly.sort()).toEqual([...TESTED_ONLY].sort());
});

test('every option that is called implemented is read', () => {
  const readers = source.filter(({ path }) => !path.startsWith('src/config/options/'));
  const unread = optionNames.filter(
    (name) => optionOf(name).status === 'implemented' && !readers.some(({ names }) => names.has(name)),
  );
  expect(unread).toEqual([]);
});

test('nothing is of type any', () => {
  expect(findings(everything, ({ type }) => type === 'TSAnyKeyword')).toEqual([]);
});

test('only the entry and the log write to the console', () => {
  const files = source.filter(({ path }) => !CONSOLE_PLACES.test(path));
  expect(findings(files, (node) => dotted(node).startsWith('console.'))).toEqual([]);
});

test('what is left to do has an issue', () => {
  const open = everything.flatMap((file) =>
    file.comments
      .filter(({ value }) => /\b(TODO|FIXME)\b(?!\(#\d+\))/.test(value))
      .map(({ start }) => `${file.path}:${file.lineAt(start)} wants TODO(#issue)`),
  );
  expect(open).toEqual([]);
});

test('files open with a comment that says what they are for', () => {
  const silent = everything.filter(({ text }) => !/^(#!.*\n)?(\/\/|\/\*)/.test(text));
  expect(silent.map(({ path }) => path)).toEqual([]);
});

test('the rules find what they look for', () => {
  const bad = parse(
    'src/keyspace/bad.ts',
    [
      "import type { Net } from '../net/socket.ts';",
      "export * from './good.ts';",
      "export type T = import('../commands/x.ts').T;",
      'export async function f(a: any): Promise<void> { for await (const x of a) Date.now(); }',
      "const s = 'Date.now()'; // setTimeout()",
      'const g = () => { globalThis.setTimeout(g, performance.now()); console.log(process.hrtime.bigint()); };',
    ].join('\n'),
  );
  const forbidden = importsOf(bad).flatMap((node) => forbiddenImport(bad, node));
  expect(forbidden).toEqual([
    'src/keyspace/bad.ts:1 keyspace may not import net',
    'src/keyspace/bad.ts:3 keyspace may not import commands',
  ]);
  const lines = (wanted: (node: Node) => boolean) =>
    bad.nodes.filter(wanted).map(({ start }) => bad.lineAt(start));
  expect(lines((node) => IMPURE_CALLS.has(dotted(node)))).toEqual([4, 6, 6]);
  expect(lines((node) => TIMERS.has(calledName(node)))).toEqual([6]);
  expect(lines((node) => node.async === true || node.await === true)).toEqual([4, 4]);
  expect(lines((node) => ASYNCHRONOUS_NAMES.has(identifier(node)))).toEqual([4]);
  expect(lines(({ type }) => type === 'TSAnyKeyword')).toEqual([4]);
  expect(lines((node) => dotted(node).startsWith('console.'))).toEqual([6]);
  expect(bad.nodes.filter(isFunction).map((node) => lengthOf(bad, node))).toEqual([1, 1]);
});

function sourcePaths(folder: string): string[] {
  const paths = readdirSync(root + folder, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => path.endsWith('.ts')).map((path) => `${folder}/${path.split(sep).join('/')}`);
}

function read(path: string): SourceFile {
  return parse(path, readFileSync(root + path, 'utf8'));
}

function parse(path: string, text: string): SourceFile {
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const nodes: Node[] = [];
  collect(program, nodes);
  const identifiers = nodes.map(identifier).filter((name) => name !== '');
  const strings = nodes.map(({ value }) => value).filter((value) => typeof value === 'string');
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
  return { path, text, nodes, comments, identifiers, names: new Set([...identifiers, ...strings]), lineAt };
}

/** Every node of a tree, in the order of the text. */
function collect(value: unknown, nodes: Node[]): void {
  if (Array.isArray(value)) {
    for (const each of value) collect(each, nodes);
  } else if (value !== null && typeof value === 'object') {
    if (isNode(value)) nodes.push(value);
    for (const each of Object.values(value)) collect(each, nodes);
  }
}

function isNode(value: object): value is Node {
  return 'type' in value && typeof value.type === 'string' && 'start' in value;
}

function importsOf({ nodes }: SourceFile): readonly Node[] {
  const types = [
    'ImportDeclaration',
    'ExportNamedDeclaration',
    'ExportAllDeclaration',
    'ImportExpression',
    'TSImportType',
  ];
  return nodes.filter(({ type }) => types.includes(type));
}

/** Functions, classes and constants that a file exports. Types are left out: they are the words for what others use. */
function exportsOf({ nodes }: SourceFile): string[] {
  return nodes.flatMap(({ type, declaration }) => {
    if (type !== 'ExportNamedDeclaration' || !declaration || declaration.type.startsWith('TS')) return [];
    const declared = declaration.declarations ?? [declaration];
    return declared.map(({ id }) => identifier(id ?? undefined));
  });
}

function forbiddenImport(file: SourceFile, node: Node): string[] {
  const specifier = node.source?.value;
  if (typeof specifier !== 'string' || !specifier.startsWith('.')) return [];
  const target = relative('src', normalize(`${dirname(file.path)}/${specifier}`));
  const from = folderOf(relative('src', file.path));
  const to = folderOf(target);
  if (from === undefined || from === to) return [];
  const where = `${file.path}:${file.lineAt(node.start)}`;
  const allowed = MAY_IMPORT[from];
  if (allowed === undefined) return [`${where} the folder ${from} has no place in MAY_IMPORT`];
  return to !== undefined && allowed.includes(to) ? [] : [`${where} ${from} may not import ${to ?? target}`];
}

/** The first folder of a path in src, undefined for the files next to index.ts. */
const folderOf = (path: string): string | undefined => (path.includes('/') ? path.split('/')[0] : undefined);

function isFunction({ type, body }: Node): boolean {
  return (
    ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(type) && body !== null
  );
}

const lengthOf = (file: SourceFile, { start, end }: Node): number =>
  file.lineAt(end) - file.lineAt(start) + 1;

function functionsOver(lines: number): string[] {
  return source.flatMap((file) =>
    file.nodes
      .filter((node) => isFunction(node) && lengthOf(file, node) > lines)
      .map((node) => `${file.path}:${file.lineAt(node.start)} has ${lengthOf(file, node)} lines`),
  );
}

function findings(files: readonly SourceFile[], isFinding: (node: Node) => boolean): string[] {
  return files.flatMap((file) =>
    file.nodes.filter(isFinding).map((node) => {
      const firstLine = file.text.slice(node.start, node.end).split('\n')[0];
      return `${file.path}:${file.lineAt(node.start)} ${firstLine}`;
    }),
  );
}

function identifier(node: Node | undefined): string {
  return node?.type === 'Identifier' ? (node.name ?? '') : '';
}

/** `Date.now` of the member expression Date.now. */
function dotted(node: Node): string {
  return node.type === 'MemberExpression' ? `${identifier(node.object)}.${identifier(node.property)}` : '';
}

/** The function a call calls, without the object it belongs to. */
function calledName(node: Node): string {
  if (node.type !== 'CallExpression') return '';
  return identifier(node.callee?.type === 'MemberExpression' ? node.callee.property : node.callee);
}
