// Options: where the server listens, whom it lets in, and what one client may use.

import { DEFAULT_OUTPUT_BUFFER_LIMITS, outputBufferLimits } from '../composite-kinds.ts';
import { integer, memorySize, memorySizeOrPercent, octal, oneOf, text, wordList, yesNo } from '../kinds.ts';
import { IMMUTABLE, implemented, inert, refused } from '../option.ts';

const INT_MAX = 2 ** 31 - 1;
const MEBIBYTE = 1024 ** 2;
const TLS_SUMMARY = 'Belongs to TLS, which is not served yet.';

export const listening = {
  port: implemented(
    integer(0, 65535),
    6379,
    'TCP port to listen on; 0 listens on none. Unlike in Redis it cannot change while the server runs.',
    IMMUTABLE,
  ),
  bind: implemented(
    wordList(16, 'Too many bind addresses specified.'),
    ['127.0.0.1', '-::1'],
    'Addresses to listen on. One that starts with `-` may be unavailable; `*` is every IPv4 and `::*` every IPv6 address; an empty value listens on no TCP address. Loopback by default, and fixed while the server runs.',
    IMMUTABLE,
  ),
  'bind-source-addr': inert(text(), '', 'Source address of outgoing connections, of which there are none.'),
  unixsocket: implemented(text(), '', 'Path of a unix socket to listen on as well.', IMMUTABLE),
  unixsocketperm: implemented(
    octal,
    0,
    'Mode of the unix socket in octal; 0 leaves what the umask gives.',
    IMMUTABLE,
  ),
  'tcp-backlog': implemented(
    integer(0, INT_MAX),
    511,
    'Connections the kernel may hold before they are accepted.',
    IMMUTABLE,
  ),
  'tcp-keepalive': implemented(
    integer(0, INT_MAX),
    300,
    'Seconds of silence after which TCP probes a client; 0 never does.',
  ),
  'socket-mark-id': inert(integer(0, 4294967295), 0, 'Mark for the sockets of a packet filter.', IMMUTABLE),
  'protected-mode': implemented(
    yesNo,
    true,
    'Without a password, refuse clients that are not on this machine when listening beyond loopback.',
  ),
  requirepass: implemented(text(), '', 'Password of the default user; empty asks for none.', {
    sensitive: true,
  }),
  'max-new-connections-per-cycle': inert(
    integer(1, 1000),
    10,
    'Connections Redis accepts in one turn; Node.js decides this here.',
  ),
  'max-new-tls-connections-per-cycle': inert(integer(1, 1000), 1, TLS_SUMMARY),
};

export const clients = {
  timeout: implemented(
    integer(0, INT_MAX),
    0,
    'Seconds without a command after which a client is closed; 0 never closes one.',
  ),
  maxclients: implemented(integer(1, 4294967295), 10000, 'Clients connected at the same time.'),
  'maxmemory-clients': inert(
    memorySizeOrPercent,
    0,
    'Memory of all clients together; each client has limits of its own here.',
  ),
  'client-query-buffer-limit': implemented(
    memorySize(MEBIBYTE),
    1024 * MEBIBYTE,
    'Bytes of unfinished commands one client may make the server hold.',
  ),
  'client-output-buffer-limit': implemented(
    outputBufferLimits,
    DEFAULT_OUTPUT_BUFFER_LIMITS,
    'Bytes of replies that may wait for a client that does not read, by class of client.',
  ),
  'proto-max-bulk-len': implemented(
    memorySize(MEBIBYTE, 512 * MEBIBYTE),
    512 * MEBIBYTE,
    'Longest argument of a command. At most 512 MB, which is also the longest value.',
  ),
  'proto-max-multibulk-len': implemented(
    integer(1024, INT_MAX),
    INT_MAX,
    'Arguments one command may announce; what it really sends is bounded by client-query-buffer-limit.',
    { own: true },
  ),
  'proto-max-inline-len': implemented(memorySize(1024, MEBIBYTE), 65536, 'Longest inline command.', {
    own: true,
  }),
  'multi-max-queued-commands': implemented(
    integer(1, INT_MAX),
    1_000_000,
    'Commands one client may queue in a MULTI.',
    { own: true },
  ),
  'multi-max-queued-bytes': implemented(
    memorySize(MEBIBYTE),
    1024 * MEBIBYTE,
    'Bytes of commands one client may queue in a MULTI.',
    { own: true },
  ),
  'max-watched-keys-per-client': implemented(integer(1, INT_MAX), 100_000, 'Keys one client may WATCH.', {
    own: true,
  }),
  'max-subscriptions-per-client': implemented(
    integer(1, INT_MAX),
    100_000,
    'Channels and patterns one client may be subscribed to.',
    { own: true },
  ),
  'tracking-table-max-keys': inert(
    integer(),
    1_000_000,
    'Keys Redis remembers for client side caching, which is not provided.',
  ),
};

const NO_TLS = 'TLS is not served yet; put a TLS proxy in front, or remove tls-port';

export const tls = {
  'tls-port': refused(integer(0, 65535), 0, 'Port for TLS connections.', {
    rejects: (port) => (port !== 0 ? NO_TLS : undefined),
  }),
  'tls-cert-file': inert(text(), '', TLS_SUMMARY),
  'tls-key-file': inert(text(), '', TLS_SUMMARY),
  'tls-key-file-pass': inert(text(), '', TLS_SUMMARY, { sensitive: true }),
  'tls-client-cert-file': inert(text(), '', TLS_SUMMARY),
  'tls-client-key-file': inert(text(), '', TLS_SUMMARY),
  'tls-client-key-file-pass': inert(text(), '', TLS_SUMMARY, { sensitive: true }),
  'tls-dh-params-file': inert(text(), '', TLS_SUMMARY),
  'tls-ca-cert-file': inert(text(), '', TLS_SUMMARY),
  'tls-ca-cert-dir': inert(text(), '', TLS_SUMMARY),
  'tls-auth-clients': inert(oneOf('no', 'yes', 'optional'), 'yes', TLS_SUMMARY),
  'tls-auth-clients-user': inert(text(), 'off', `${TLS_SUMMARY} From a Redis after 8.4.`),
  'tls-replication': inert(yesNo, false, TLS_SUMMARY),
  'tls-cluster': inert(yesNo, false, TLS_SUMMARY),
  'tls-protocols': inert(text(), '', TLS_SUMMARY),
  'tls-ciphers': inert(text(), '', TLS_SUMMARY),
  'tls-ciphersuites': inert(text(), '', TLS_SUMMARY),
  'tls-prefer-server-ciphers': inert(yesNo, false, TLS_SUMMARY),
  'tls-session-caching': inert(yesNo, true, TLS_SUMMARY),
  'tls-session-cache-size': inert(integer(0, INT_MAX), 20480, TLS_SUMMARY),
  'tls-session-cache-timeout': inert(integer(0, INT_MAX), 300, TLS_SUMMARY),
};
