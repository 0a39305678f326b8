import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

// A mail server that accepts every email and stores none, as a process of its own: it prints its port. It does so
// little that it costs the machine next to nothing.

const endOfMail = Buffer.from('\r\n.\r\n');

function converse(socket: Socket): void {
  let isMail = false;
  let unread = Buffer.alloc(0);
  /** Takes the next command, or the next email; false until all of it has arrived. */
  const takeNext = (): boolean => {
    const end = isMail ? endOfMail : '\r\n';
    const at = unread.indexOf(end);
    if (at < 0) return false;
    const command = isMail ? '' : unread.toString('latin1', 0, 4).toUpperCase();
    unread = unread.subarray(at + end.length);
    if (command === 'EHLO') socket.write('250-sink\r\n250-PIPELINING\r\n250 8BITMIME\r\n');
    else if (command === 'DATA') socket.write('354 go on\r\n');
    else socket.write('250 fine\r\n');
    isMail = command === 'DATA';
    if (command === 'QUIT') socket.end();
    return true;
  };
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk]);
    socket.cork();
    while (takeNext());
    socket.uncork();
  });
  socket.write('220 sink\r\n');
}

const server = createServer(converse).listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
process.stdin.resume().on('end', () => process.exit());
