import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import { testCertificate } from '../../testing/test-certificate.ts';

export interface ServerOptions {
  /** Answers other than the usual ones, by command. */
  answers?: Record<string, string>;
  security?: 'none' | 'STARTTLS' | 'from the start';
}

export interface MailServer {
  server: Server;
  port: number;
  /** The emails it was sent, headers included, with `\n` at the ends of lines. */
  mails: string[];
  /** Every command that came in the clear. */
  overheard: string[];
  /** Ends all connections. */
  hangUp(): void;
}

/** Opens a mail server that answers each command as usual unless a test says otherwise. Collects what it was sent. */
export async function openMailServer({ answers = {}, security = 'none' }: ServerOptions = {}): Promise<MailServer> {
  const mails: string[] = [];
  const overheard: string[] = [];
  const converse = (socket: Socket) => {
    let isData = false;
    let mail = '';
    let unread = '';
    const isClear = !(socket instanceof TLSSocket);
    const read = (chunk: Buffer) => {
      const lines = (unread + chunk.toString()).split('\r\n');
      unread = lines.pop() ?? '';
      for (const line of lines) {
        if (isClear) overheard.push(line);
        if (isData && line !== '.') mail += `${line}\n`;
        else if (isData) {
          isData = false;
          mails.push(mail);
          mail = '';
          socket.write(`${answers.message ?? '250 queued'}\r\n`);
        } else {
          const command = line.split(/[ :]/)[0] ?? '';
          if (command === 'STARTTLS' && security === 'STARTTLS') {
            socket.off('data', read);
            socket.write('220 go ahead\r\n');
            converse(new TLSSocket(socket, { isServer: true, ...testCertificate }));
            return;
          }
          const offer = isClear && security === 'STARTTLS' ? '250-fine\r\n250 STARTTLS' : '250 fine';
          const usual = command === 'DATA' ? '354 go on' : command === 'QUIT' ? '221 bye' : offer;
          isData = command === 'DATA' && !answers.DATA;
          socket.write(`${answers[command] ?? usual}\r\n`);
        }
      }
    };
    socket.on('error', () => undefined);
    socket.on('data', read);
  };
  const sockets = new Set<Socket>();
  const greet = (socket: Socket) => {
    sockets.add(socket);
    converse(socket);
    socket.write(`${answers.greeting ?? '220 ready'}\r\n`);
  };
  const server = security === 'from the start' ? createTlsServer(testCertificate, greet) : createServer(greet);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    server,
    port,
    mails,
    overheard,
    hangUp: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
