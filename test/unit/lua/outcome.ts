// What comes of compiling a chunk, as one string to compare: 'ok' or the message, with spaces for newlines as Redis replies.

import { LuaSyntaxError } from '../../../src/lua/lexer.ts';
import { parse } from '../../../src/lua/parser.ts';

export function outcomeOf(source: string): string {
  try {
    parse(source, 'user_script');
    return 'ok';
  } catch (error) {
    if (!(error instanceof LuaSyntaxError)) throw error;
    return error.message.replaceAll(/[\r\n]/g, ' ');
  }
}
