import { bucketOf } from '@sparechange/domain/bucket';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { aClub, aSupporter, uidsInEachBucket } from '#testing/makers.ts';
import { connect, type Pool } from './connect.ts';
import { copyReferences } from './copy-references.ts';
import { migrate } from './migrate.ts';
import { OtherServer } from './servers.ts';

const names = ['east', 'west'];
const one = ownDatabase(4);
const several = ownDatabase(4, names);

const serverNamed = (name: string): Pool => several.pool.on(several.pool.servers.named(name));
const schemasOn = async (pool: Pool) => {
  const found = await pool<{ name: string }[]>`
    select nspname::text as name from pg_namespace where nspname ~ '^bucket_' order by 1`;
  return found.map(({ name }) => name);
};
/** Lists tables, views, types and functions of a schema. */
const namesIn = async (pool: Pool, schema: string) => {
  const found = await pool<{ name: string }[]>`
    select relname::text as name from pg_class where relnamespace = ${schema}::regnamespace and relkind in ('r', 'p', 'v', 'i')
    union select proname::text from pg_proc where pronamespace = ${schema}::regnamespace order by 1`;
  return found.map(({ name }) => name);
};
const addressOf = (name: string) => `${several.url}_${name}`;
const nowhere = 'postgres://nobody@127.0.0.1:1/none';
const bothAddresses = () => ({ east: addressOf('east'), west: addressOf('west') });

let ids: string[];
beforeAll(async () => {
  const clubId = await aClub(several.pool);
  const made = uidsInEachBucket(4, 2).map((uid) => aSupporter(several.pool, { clubId, uid }));
  ids = (await Promise.all(made)).map(({ supporterId }) => supporterId).sort();
});
const idsOf = (bucket: number) => ids.filter((id) => bucketOf(id, 4) === bucket);
const idsIn = async (db: Pool) =>
  (await db<{ id: string }[]>`select supporter_id as id from supporters order by 1`).map(({ id }) => id);

describe('a new database', () => {
  test('divides its buckets equally among the further servers, and records where each is', async () => {
    expect(await Promise.all(['control', ...names].map((name) => schemasOn(serverNamed(name))))).toEqual([
      [],
      ['bucket_00', 'bucket_01'],
      ['bucket_02', 'bucket_03'],
    ]);
    expect([...(await several.pool`select server from bucket_servers order by bucket`)]).toEqual(
      ['east', 'east', 'west', 'west'].map((server) => ({ server })),
    );
    expect(await Promise.all(several.pool.inBuckets().map(idsIn))).toEqual([0, 1, 2, 3].map(idsOf));
  });

  test('has of each bucket what one server has of it, and no control table beside them', async () => {
    const joinControl = ['close_platform_days', 'platform_totals'];
    const wanted = (await namesIn(one.pool, 'bucket_03')).filter((name) => !joinControl.includes(name));
    expect(await namesIn(serverNamed('west'), 'bucket_03')).toEqual(wanted);
    const outside = await namesIn(serverNamed('west'), 'public');
    expect(outside).toEqual(expect.arrayContaining(['clubs', 'closed_days', 'direct_debit_texts', 'migrations']));
    expect(outside.filter((name) => ['alarms', 'remittances', 'mails', 'close_platform_days'].includes(name))).toEqual(
      [],
    );
    expect(await namesIn(several.pool, 'public')).toEqual(await namesIn(one.pool, 'public'));
  });

  test('is migrated once on each server', async () => {
    expect(await migrate(several.pool)).toEqual([]);
  });
});

describe('a transaction', () => {
  test('turns to buckets of its server, and refuses those of others and control', async () => {
    const [low = '', next = '', high = ''] = [idsOf(0)[0], idsOf(1)[0], idsOf(3)[0]];
    await several.pool.of(low).begin(async (tx) => {
      expect(await tx.of(next)`update supporters set referrer = 'a' where supporter_id = ${next}`).toMatchObject({
        count: 1,
      });
      for (const leave of [() => tx.of(high), () => tx.inBuckets(), () => tx.inControl()])
        expect(leave).toThrow(OtherServer);
    });
    await several.pool.begin(async (tx) => {
      expect(() => tx.of(low)).toThrow('A transaction on the server control cannot turn to tables of the server east.');
    });
    const session = await several.pool.of(low).reserve();
    expect(() => session.inControl()).toThrow(OtherServer);
    session.release();
  });

  test('of a bucket finds no control table by its name', async () => {
    const [low = ''] = ids;
    await expect(several.pool.of(low)`select from alarms`).rejects.toThrow('relation "alarms" does not exist');
    expect([...(await several.pool.of(low).inControl()`select from alarms`)]).toEqual([]);
  });
});

describe('a start', () => {
  const start = async (servers: Record<string, string>, buckets = 4, url = several.url) => {
    const pool = connect(url, { max: 2, buckets, servers });
    try {
      await migrate(pool);
      return pool.servers.holders;
    } finally {
      await pool.end();
    }
  };

  test('that does not name a server with buckets is refused', async () => {
    await expect(start({ east: addressOf('east') })).rejects.toThrow(
      'BUCKET_SERVERS does not name the server west, which holds buckets 2, 3.',
    );
    await expect(start(bothAddresses(), 8)).rejects.toThrow('was made with 4 buckets');
  });

  test('with addresses exchanged is refused before a bucket is made', async () => {
    await expect(start({ east: addressOf('west'), west: addressOf('east') })).rejects.toThrow(
      'The server east of BUCKET_SERVERS has no bucket_00, which is recorded there.',
    );
    expect(await schemasOn(serverNamed('west'))).toEqual(['bucket_02', 'bucket_03']);
  });

  test('says which server refuses it or cannot be reached, without its password', async () => {
    const missing = `${several.url}_missing`;
    await expect(start({ ...bothAddresses(), west: missing })).rejects.toThrow(
      `The database server west cannot be used: database "${new URL(missing).pathname.slice(1)}" does not exist.`,
    );
    await expect(start({}, 4, 'postgres://nobody:secret@127.0.0.1:1/none')).rejects.toThrow(
      /^The database server control cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1\.$/,
    );
  });

  test('that begins a broken first start again with another number of buckets is refused with the first one', async () => {
    const admin = connect(inject('serverUrl'), { max: 1 });
    const made = ['broken_start', 'broken_start_east'];
    for (const name of made) await admin.unsafe(`create database ${name}`);
    const [url = '', east = ''] = made.map((name) => inject('serverUrl').replace(/\/[^/]+$/, `/${name}`));
    const breaksOff = await connect(east, { max: 1 });
    try {
      await breaksOff.unsafe('create table if not exists public.clubs (broken int)'); // ends the first start at its third file
      await expect(start({ east }, 4, url)).rejects.toThrow('relation "clubs" already exists');
      await breaksOff.unsafe('drop table public.clubs');
      await expect(start({ east }, 8, url)).rejects.toThrow(
        'A first start with BUCKETS=4 was broken off and may have made part of the database. Set BUCKETS=4 to finish it, or start with a new DATA_DIR or new databases to have 8.',
      );
      expect(await start({ east }, 4, url)).toEqual(['east', 'east', 'east', 'east']);
    } finally {
      await breaksOff.end();
      for (const name of made) await admin.unsafe(`drop database ${name}`);
      await admin.end();
    }
  });

  test('of a new database is refused until every server answers', async () => {
    const admin = connect(inject('serverUrl'), { max: 1 });
    const made = ['first_start', 'first_start_east', 'first_start_west'];
    for (const name of made) await admin.unsafe(`create database ${name}`);
    const [url = '', east = '', west = ''] = made.map((name) => inject('serverUrl').replace(/\/[^/]+$/, `/${name}`));
    try {
      await expect(start({ east, west: nowhere }, 4, url)).rejects.toThrow(
        'The first start makes buckets on every server of BUCKET_SERVERS, and west does not answer: start again once it does.',
      );
      expect(await start({ east, west }, 4, url)).toEqual(['east', 'east', 'west', 'west']);
      expect(await start({ east, west: nowhere }, 4, url)).toEqual(['east', 'east', undefined, undefined]);
    } finally {
      for (const name of made) await admin.unsafe(`drop database ${name}`);
      await admin.end();
    }
  });

  test('that ended before it recorded where the buckets are is done again', async () => {
    await several.pool`delete from bucket_servers`;
    expect(await start(bothAddresses())).toEqual(['east', 'east', 'west', 'west']);
    expect((await several.pool`select from bucket_servers`).count).toBe(4);
  });

  test('while a server does not answer leaves out its buckets alone', async () => {
    expect(await start({ ...bothAddresses(), east: nowhere })).toEqual([
      ...[undefined, undefined],
      ...['west', 'west'],
    ]);
  });
});

describe('a copy of control’s clubs', () => {
  const clubsOn = (name: string) => serverNamed(name)`select * from clubs order by id`;

  test('is brought up to date on each server, also where two clubs exchanged their addresses', async () => {
    const [rovers, divers] = [
      await aClub(several.pool, { slug: 'rovers' }),
      await aClub(several.pool, { slug: 'divers' }),
    ];
    await several.pool`update clubs set slug = 'passing' where id = ${rovers}`;
    await several.pool`update clubs set slug = 'rovers', name = 'Divers' where id = ${divers}`;
    await several.pool`update clubs set slug = 'divers', parent_id = ${divers} where id = ${rovers}`;
    await copyReferences(several.pool);
    for (const name of names) expect([...(await clubsOn(name))]).toEqual([...(await clubsOn('control'))]);
  });

  test('is complete on the others while one of them fails, which is thrown', async () => {
    await serverNamed('east')`alter table clubs rename to hidden`;
    try {
      await several.pool`update clubs set name = 'Changed'`;
      await expect(copyReferences(several.pool)).rejects.toThrow('"clubs" does not exist');
    } finally {
      await serverNamed('east')`alter table hidden rename to clubs`;
    }
    expect([...(await clubsOn('west'))]).toEqual([...(await clubsOn('control'))]);
    await copyReferences(several.pool);
    expect([...(await clubsOn('east'))]).toEqual([...(await clubsOn('control'))]);
  });
});
