import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorBody, HttpRefusal } from './errors.ts';

const statuses: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

/** Answers input that is no HTTP request, or came too slowly: there is no request and no reply yet, only a socket. */
export function clientErrorHandler(headers: Record<string, string>) {
  return (error: NodeJS.ErrnoException, socket: Socket & { _httpMessage?: ServerResponse }): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const [status, message] = statuses[error.code ?? ''] ?? [400, 'That is no HTTP request.'];
    const body = JSON.stringify(errorBody(new HttpRefusal('invalid-input', message, status), randomUUID()));
    const all = {
      ...headers,
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    if (socket.writable)
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
    socket.destroySoon();
  };
}
