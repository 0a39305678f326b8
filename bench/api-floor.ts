import { upcomingDebitDay } from '@sparechange/domain/banking-calendar';
import { connect } from '@sparechange/server/db/connect.ts';
import { findUserRecordRow } from '@sparechange/server/features/supporters/profiles/user-record-repository.ts';
import Fastify from 'fastify';

/** Bare Fastify with the query of get-user and nothing else: no token, no keys, no checks, no headers, no log. */
const [url = '', port = '0'] = process.argv.slice(2);
const db = connect(url, { max: 16, name: 'sparechange bench floor' });
const app = Fastify();
const nextRun = upcomingDebitDay(new Date());
app.post<{ Body: { cdrid: string } }>('/', async (request) => findUserRecordRow(db, request.body.cdrid, nextRun));
await app.listen({ port: Number(port), host: '127.0.0.1' });
process.on('SIGTERM', () => process.exit(0));
