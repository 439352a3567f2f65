// Text that Node.js has decoded as UTF-8 (arguments, environment, the working directory), as the bytes it came from,
// in the latin1 form that the configuration holds.

export const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
