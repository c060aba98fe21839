/** HTTP/1.1 over a plain socket (RFC 9112), so that headers arrive exactly as a test writes them. */

import { connect } from 'node:net';

/** A request, written as it is. Header values are sent as Latin-1, one line for each entry. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  /** Sends the body in chunks of this size and without a length. */
  readonly chunkBytes?: number;
}

/** A response, with the names of its headers in lower case. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How often a request is sent of which a reset took the answer away. */
const TRIES = 5;

/**
 * Sends one request on a connection of its own and reads the response. A service that answers before it has read all of a
 * body closes with bytes unread: the connection is then reset, which can take the answer away (RFC 9112 section 9.6), so
 * that the request is sent again.
 */
export async function sendRaw(origin: string, request: RawRequest): Promise<RawResponse> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await sendOnce(origin, request);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (tries === TRIES || !(code === 'EPIPE' || code === 'ECONNRESET')) throw error;
    }
  }
}

function sendOnce(origin: string, request: RawRequest): Promise<RawResponse> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      for (const part of serialise(request, `${hostname}:${port}`)) socket.write(part);
    });
    const finish = (error?: Error) => {
      try {
        resolve(parse(Buffer.concat(received)));
      } catch (incomplete) {
        reject(error ?? incomplete);
      }
    };
    socket.on('data', (data) => received.push(data));
    // A service may answer and close before it has read all of a body; what has arrived by then is the answer.
    socket.on('error', finish);
    socket.on('end', () => finish());
  });
}

function* serialise({ method, path, headers, body, chunkBytes }: RawRequest, host: string): Generator<Buffer> {
  const framing = chunkBytes === undefined ? `Content-Length: ${body.byteLength}` : 'Transfer-Encoding: chunked';
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: close',
    framing,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  yield Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  if (chunkBytes === undefined) {
    yield Buffer.from(body);
    return;
  }
  for (let at = 0; at < body.byteLength; at += chunkBytes) {
    const chunk = body.subarray(at, at + chunkBytes);
    yield Buffer.concat([Buffer.from(`${chunk.byteLength.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]);
  }
  yield Buffer.from('0\r\n\r\n');
}

function parse(bytes: Buffer): RawResponse {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) throw new Error(`the connection closed before an answer: ${bytes.toString('latin1')}`);
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const rest = bytes.subarray(end + 4);
  const body = headers['transfer-encoding'] === 'chunked' ? dechunk(rest) : rest;
  return { status: Number(statusLine.split(' ')[1]), headers, body: body.toString('utf8') };
}

function dechunk(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    if (lineEnd === -1 || Number.isNaN(size)) throw new Error('the answer ended inside a chunk');
    if (size === 0) return Buffer.concat(parts);
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
