import { describe, expect, test } from 'vitest';
import { emptiedDatabase } from '#testing/database.ts';
import { testEncryption } from '#testing/makers.ts';
import { describeWithMetFiles, metFile } from '#testing/met-files.ts';
import { untilWaiting } from '#testing/waiting.ts';
import { listPublicClubs } from './club-repository.ts';
import { importClubs } from './import-clubs.ts';

const database = emptiedDatabase();

const header = 'id,slug,name,parent_id,abn,bsb,account_number,account_name';
const [rovers, league, divers] = [
  '11111111-1111-4111-8111-111111111111',
  '22222222-2222-4222-8222-222222222222',
  '33333333-3333-4333-8333-333333333333',
];
const at = new Date('2026-11-25T00:00:00Z');
const load = (...lines: string[]) => importClubs(database.pool, testEncryption, [header, ...lines].join('\n'), at);
const clubs = async () => {
  const rows = await database.rows`select id, slug, name, parent_id from clubs order by slug`;
  return [...rows];
};

test('clubs are added, and a child may come before its parent', async () => {
  expect(await load(`${rovers},rovers,Riverside Rovers,${league},,,,`, `${league},league,River League,,,,,`)).toBe(2);
  expect(await clubs()).toEqual([
    { id: league, slug: 'league', name: 'River League', parent_id: null },
    { id: rovers, slug: 'rovers', name: 'Riverside Rovers', parent_id: league },
  ]);
});

test('importing again renames and moves, and keeps clubs missing from the file', async () => {
  await load(`${rovers},rovers,Rovers,,,,,`, `${league},league,River League,,,,,`);
  await load(`${rovers},rovers,Riverside Rovers FC,${league},,,,`);
  expect(await clubs()).toMatchObject([{ slug: 'league' }, { name: 'Riverside Rovers FC', parent_id: league }]);
});

test('a new club has its advices once a week, and a known one as before', async () => {
  await load(`${rovers},rovers,Rovers,,,,,`);
  await database.rows`update clubs set advice_frequency = 'each_payout'`;
  await load(`${rovers},rovers,Riverside Rovers,,,,,`, `${league},league,River League,,,,,`);
  const frequencies = await database.rows`select slug, advice_frequency as frequency from clubs order by slug`;
  expect([...frequencies]).toEqual([
    { slug: 'league', frequency: 'weekly' },
    { slug: 'rovers', frequency: 'each_payout' },
  ]);
});

test('the account of a club is encrypted for that club', async () => {
  await load(`${rovers},rovers,Rovers,,51824753556,062000,12345678,Rovers Inc`);
  const [club] = await database.rows<{ abn: string; name: string; bsb: Uint8Array; number: Uint8Array }[]>`
    select abn, account_name as name, bsb_encrypted as bsb, account_number_encrypted as number from clubs`;
  if (!club) throw new Error('no club');
  expect([club.abn, club.name]).toEqual(['51824753556', 'Rovers Inc']);
  expect(testEncryption.decrypt(club.bsb, `club ${rovers} bsb`)).toBe('062000');
  expect(testEncryption.decrypt(club.number, `club ${rovers} account number`)).toBe('12345678');
});

test('an account replaced by a change while a file is read is not restored by the file', async () => {
  const lines = [header, `${rovers},rovers,Rovers,,,062000,12345678,Rovers Inc`].join('\n');
  const importOf = () => importClubs(database.pool, testEncryption, lines, at, { keepsBankDetails: true });
  await importOf();
  let imported: Promise<string> | undefined;
  await database.pool.begin(async (tx) => {
    await tx`update clubs set account_name = 'Rovers FC' where id = ${rovers}`;
    imported = importOf().then(
      () => 'imported',
      ({ message }: Error) => message,
    );
    await untilWaiting(database.rows);
  });
  expect(await imported).toContain('bank details of a known club');
  expect(await database.rows`select account_name as name from clubs`).toEqual([{ name: 'Rovers FC' }]);
});

test('the audit log names clubs whose account or contact a file replaces, and no unchanged or new clubs', async () => {
  const all = `${header},contact_email`;
  const importOf = (number: string, contact: string) =>
    importClubs(
      database.pool,
      testEncryption,
      [
        all,
        `${rovers},rovers,Rovers,,,062000,${number},Rovers Inc,${contact}`,
        `${divers},divers,Divers,,,062000,22222222,,d@x.example`,
      ].join('\n'),
      at,
      { by: 'alice' },
    );
  await importOf('12345678', 'one@rovers.example');
  await importOf('12345678', 'one@rovers.example');
  expect(await database.rows`select from audit_log`).toEqual([]);
  await importOf('87654321', 'two@rovers.example');
  const entries = await database.rows`select actor, action, details from audit_log order by id`;
  expect(entries).toEqual([
    { actor: 'operator', action: 'bank details of a club changed', details: { club: rovers, by: 'alice' } },
    { actor: 'operator', action: 'club edited', details: { club: rovers, fields: 'contactEmail', by: 'alice' } },
  ]);
});

test('unchanged details keep their exact encryption, and others get a new one', async () => {
  const encrypted = async () => {
    const [club] = await database.rows<{ number: Uint8Array }[]>`select account_number_encrypted as number from clubs`;
    return Buffer.from(club?.number ?? []).toString('hex');
  };
  const line = (bsb: string, number: string, name: string) =>
    load(`${rovers},rovers,Rovers,,,${bsb},${number},${name}`);
  await line('062000', '12345678', 'Rovers Inc');
  const first = await encrypted();
  await line('062000', '12345678', 'Rovers Inc');
  expect(await encrypted()).toBe(first);
  const seen = new Set([first]);
  for (const [bsb, number, name] of [
    ['062001', '12345678', 'Rovers Inc'],
    ['062001', '12345679', 'Rovers Inc'],
    ['062001', '12345679', 'Riverside Rovers Inc'],
  ] as const) {
    await line(bsb, number, name);
    seen.add(await encrypted());
  }
  expect(seen.size).toBe(4);
});

test('a file from a spreadsheet, with a byte order mark, Windows line ends and spaces, is read', async () => {
  const text = `\uFEFF${header}\r\n${rovers}, rovers , Riverside Rovers ,,,,,\r\n`;
  expect(await importClubs(database.pool, testEncryption, text, at)).toBe(1);
  expect(await clubs()).toMatchObject([{ slug: 'rovers', name: 'Riverside Rovers' }]);
});

test('a name with a comma is read in quotes, and empty rows are left out', async () => {
  const text = `${header}\n\n${rovers},rovers,"Rovers, Riverside",,,,,\n,,,,,,,\n`;
  expect(await importClubs(database.pool, testEncryption, text, at)).toBe(1);
  expect(await clubs()).toMatchObject([{ slug: 'rovers', name: 'Rovers, Riverside' }]);
});

test('every bad line is named with its error, and nothing is imported', async () => {
  const good = `${rovers},rovers,Rovers,,,,,`;
  const refused = load(
    good,
    'x,league,River League,,,,,',
    `${divers},Bad Slug!,Divers,,,,,`,
    `${league},league,River, League,,,,,`,
  );
  await expect(refused).rejects.toThrow(/line 3: id: [\s\S]*line 4: slug: [\s\S]*line 5: 9 values, not 8/);
  expect(await clubs()).toEqual([]);
});

test.each([
  ['an ABN', `${rovers},rovers,Rovers,,123,,,`, 'line 2: abn'],
  ['a BSB', `${rovers},rovers,Rovers,,,62-000,,`, 'line 2: bsb'],
  ['an account number', `${rovers},rovers,Rovers,,,,1234567890,`, 'line 2: account_number'],
  ['a parent', `${rovers},rovers,Rovers,league,,,,`, 'line 2: parent_id'],
  ['a slug that is a page of ours', `${rovers},login,Rovers,,,,,`, 'line 2: slug: That is an address of the product'],
  ['a name', `${rovers},rovers,,,,,,`, 'line 2: name'],
])('an invalid %s is named', async (_what, line, problem) => {
  await expect(load(line)).rejects.toThrow(problem);
});

test('a file with other columns is refused', async () => {
  await expect(importClubs(database.pool, testEncryption, 'id,name\n1,Rovers', at)).rejects.toThrow(
    `The first line must be: ${header}`,
  );
});

test('a club or a slug that is in the file twice is named', async () => {
  const twice = load(`${rovers},rovers,Rovers,,,,,`, `${rovers},rangers,Rangers,,,,,`, `${league},rovers,League,,,,,`);
  await expect(twice).rejects.toThrow(/line 3: id: [\s\S]*line 4: slug: /);
  expect(await clubs()).toEqual([]);
});

test('a slug that another club has is named, and nothing is imported', async () => {
  await load(`${rovers},rovers,Rovers,,,,,`);
  const taken = load(`${divers},divers,Divers,,,,,`, `${league},rovers,League,,,,,`);
  await expect(taken).rejects.toThrow('line 3: slug: rovers leads to another club, or did');
  expect(await clubs()).toHaveLength(1);
});

test('a former slug of another club is named, and its links still lead there', async () => {
  await load(`${rovers},rovers,Rovers,,,,,`);
  await load(`${rovers},rovers-fc,Rovers,,,,,`);
  await expect(load(`${divers},rovers,Divers,,,,,`)).rejects.toThrow(
    'line 2: slug: rovers leads to another club, or did',
  );
  expect(await listPublicClubs(database.pool, { slug: 'rovers' })).toMatchObject([{ id: rovers }]);
  await load(`${rovers},rovers,Rovers,,,,,`);
  expect(await listPublicClubs(database.pool, { slug: 'rovers-fc' })).toMatchObject([{ id: rovers }]);
});

test('a parent that has one itself, or is the club itself, is named, and nothing is imported', async () => {
  await load(`${league},league,River League,,,,,`, `${rovers},rovers,Rovers,${league},,,,`);
  await expect(load(`${divers},divers,Divers,${rovers},,,,`)).rejects.toThrow('line 2: parent_id: a parent has none');
  await expect(load(`${league},league,River League,${league},,,,`)).rejects.toThrow('line 2: parent_id: a parent');
  const under = [`${divers},divers,Divers,,,,,`, `${league},league,River League,${divers},,,,`];
  await expect(load(...under)).rejects.toThrow('line 3: parent_id: a parent has none');
  expect(await clubs()).toMatchObject([{ slug: 'league', parent_id: null }, { slug: 'rovers' }]);
});

test('a parent that is neither in the file nor known is named, and nothing is imported', async () => {
  const orphan = load(`${divers},divers,Divers,,,,,`, `${rovers},rovers,Rovers,${league},,,,`);
  await expect(orphan).rejects.toThrow(`line 3: parent_id: there is no club ${league}`);
  expect(await clubs()).toEqual([]);
});

describe("the text of a club's page", () => {
  const loadPage = (columns: string, line: string) =>
    importClubs(database.pool, testEncryption, `${header},${columns}\n${rovers},rovers,Rovers,,,,,,${line}`, at);
  const page = async () => {
    const rows = await database.rows`select about, suburb, sport, logo, picture, goal_dollars as goal from clubs`;
    return rows[0];
  };

  test('comes with the file, in any order of columns, and stays if a file has none of it', async () => {
    await loadPage(
      'suburb,sport,about,picture,goal_dollars,logo',
      'Riverside,Football,"Since 1962, by the river.",oval.svg,5000,rovers.svg',
    );
    const known = {
      about: 'Since 1962, by the river.',
      suburb: 'Riverside',
      sport: 'Football',
      logo: 'rovers.svg',
      picture: 'oval.svg',
      goal: 5000,
    };
    expect(await page()).toEqual(known);
    await load(`${rovers},rovers,Riverside Rovers,,,,,`);
    expect(await page()).toEqual(known);
    await loadPage('sport', '');
    expect(await page()).toEqual({ ...known, sport: null });
  });

  test.each([
    ['logo', '../secrets.svg'],
    ['logo', 'photo.png'],
    ['picture', 'https://elsewhere.example/a.svg'],
    ['about', 'long '.repeat(200)],
    ['goal_dollars', '0'],
    ['goal_dollars', '5000.50'],
    ['goal_dollars', '"1,500,000,000"'],
    ['suburb', 'River\u200bside'],
    ['sport', 'x'.repeat(61)],
  ])('an invalid %s is refused by name', async (column, value) => {
    await expect(loadPage(column, value)).rejects.toThrow(`line 2: ${column}`);
  });

  test('is one line, although a cell may have several', async () => {
    await loadPage('about', '"Since 1962, \r\nby the river.\n\nEverybody plays."');
    expect(await page()).toMatchObject({ about: 'Since 1962, by the river. Everybody plays.' });
  });

  test('a column that is there twice or unknown is refused', async () => {
    await expect(loadPage('about,about', 'a,b')).rejects.toThrow('and may continue with any of: dgr_since');
    await expect(loadPage('colour', 'red')).rejects.toThrow('The first line must be');
  });
});

describe('facts for receipts and remittance advices', () => {
  const long = `${header},dgr_since,contact_email`;
  const loadLong = (...lines: string[]) => importClubs(database.pool, testEncryption, [long, ...lines].join('\n'), at);
  const known = async () => {
    const rows = await database.rows`select dgr_since, contact_email from clubs`;
    return rows[0];
  };

  test('are kept by a file without their columns', async () => {
    await loadLong(`${rovers},rovers,Rovers,,51824753556,,,,2020-07-01,treasurer@rovers.example`);
    await load(`${rovers},rovers,Riverside Rovers,,51824753556,,,`);
    expect(await known()).toEqual({ dgr_since: '2020-07-01', contact_email: 'treasurer@rovers.example' });
    await loadLong(`${rovers},rovers,Riverside Rovers,,51824753556,,,,,`);
    expect(await known()).toEqual({ dgr_since: null, contact_email: null });
  });

  test('come with the people who changed the contact within 30 days, without earlier ones', async () => {
    const change = (contact: string, by: string) =>
      importClubs(database.pool, testEncryption, `${long}\n${rovers},rovers,Rovers,,,,,,,${contact}`, at, { by });
    const changers = async () => (await database.rows`select contact_changed_by from clubs`)[0]?.contact_changed_by;
    await change('first@rovers.example', 'alice');
    await change('second@rovers.example', 'alice');
    await change('third@rovers.example', 'ben');
    expect(await changers()).toEqual(['alice', 'ben']);
    await database.rows`update clubs set contact_changed_at = now() - interval '1 year'`;
    await change('fourth@rovers.example', 'cleo');
    expect(await changers()).toEqual(['cleo']);
  });

  test('have the contact in lower case, and another spelling of it is no change', async () => {
    const change = (contact: string) => loadLong(`${rovers},rovers,Rovers,,,,,,,${contact}`);
    await change('Sam@Rovers.example');
    expect(await known()).toMatchObject({ contact_email: 'sam@rovers.example' });
    await database.rows`update clubs set contact_email = 'Sam@Rovers.example'`;
    const before = await database.rows`select contact_changed_at, contact_changed_by from clubs`;
    await change('sam@rovers.example');
    expect(await known()).toMatchObject({ contact_email: 'sam@rovers.example' });
    expect(await database.rows`select contact_changed_at, contact_changed_by from clubs`).toEqual(before);
    expect(await database.rows`select from audit_log`).toEqual([]);
  });

  test('end together with the ABN, and not without', async () => {
    await loadLong(`${rovers},rovers,Rovers,,51824753556,,,,2020-07-01,`);
    await expect(load(`${divers},divers,Divers,,,,,`, `${rovers},rovers,Rovers,,,,,`)).rejects.toThrow(
      'Nothing was imported:\nline 3: abn: a deductible gift recipient has an ABN',
    );
    await loadLong(`${rovers},rovers,Rovers,,,,,,,`);
    expect(await database.rows`select abn, dgr_since from clubs`).toMatchObject([{ abn: null, dgr_since: null }]);
  });

  test('are refused where they cannot be', async () => {
    await expect(loadLong(`${rovers},rovers,Rovers,,,,,,2020-07-01,`)).rejects.toThrow('has an ABN');
    await expect(loadLong(`${rovers},rovers,Rovers,,51824753557,,,,,`)).rejects.toThrow('check digits');
    await expect(loadLong(`${rovers},rovers,Rovers,,,,,,,treasurer`)).rejects.toThrow('contact_email');
    for (const day of ['2020-02-30', '0000-01-01'])
      await expect(loadLong(`${rovers},rovers,Rovers,,51824753556,,,,${day},`)).rejects.toThrow('dgr_since');
  });
});

describe('a file that went through a spreadsheet', () => {
  const columns = `${header},dgr_since`;
  const importOf = (cells: string, by = ',') =>
    importClubs(
      database.pool,
      testEncryption,
      [columns, `${rovers},rovers,Café Zoë,,${cells}`].join('\n').replaceAll(',', by),
      at,
    );
  const saved = async () => {
    const [club] = await database.rows<{ abn: string; since: string; bsb: Uint8Array | null }[]>`
      select abn, dgr_since as since, bsb_encrypted as bsb from clubs`;
    const bsb = club?.bsb ? testEncryption.decrypt(club.bsb, `club ${rovers} bsb`) : undefined;
    return [club?.abn, bsb, club?.since];
  };

  test.each([
    ['51824753556,062000,12345678,Rovers Inc,2020-07-01', ','],
    ['51824753556,062000,12345678,Rovers Inc,2020-07-01', ';'],
    ['51 824 753 556,062-000,12 345 678,Rovers Inc,01/07/2020', ','],
    ['5.1824753556E+10,062 000,12345678,Rovers Inc,1-7-2020', '\t'],
  ])('is read if it is unambiguous: %s', async (cells, by) => {
    await importOf(cells, by);
    expect(await saved()).toEqual(['51824753556', '062000', '2020-07-01']);
  });

  test.each([
    [
      '2.28036E+10,065484,109716261,Rovers Inc,',
      'line 2: abn: a spreadsheet has shortened the number to 2.28036E+10: format',
    ],
    ['51824753557,065484,109716261,Rovers Inc,', 'line 2: abn: The check digits of the ABN are wrong'],
    ['00000000019,065484,109716261,Rovers Inc,', 'line 2: abn: The check digits of the ABN are wrong'],
    ['5182475355,065484,109716261,Rovers Inc,', 'line 2: abn: An ABN has eleven digits'],
    [',65484,109716261,Rovers Inc,', 'line 2: bsb: 65484 has 5 digits, where a spreadsheet drops a zero at the front'],
    [',6548,109716261,Rovers Inc,', 'line 2: bsb: 6548 has 4 digits'],
    [',0654844,109716261,Rovers Inc,', 'line 2: bsb: a BSB has six digits'],
    [',065484,1.09716E+8,Rovers Inc,', 'line 2: account_number: a spreadsheet has shortened'],
    ['51824753556,065484,109716261,Rovers Inc,07/13/2020', 'line 2: dgr_since: 07/13/2020 is not a day'],
    ['51824753556,065484,109716261,Rovers Inc,44013', 'line 2: dgr_since: 44013 is not a day'],
  ])('is refused if it is ambiguous, with a remedy: %s', async (cells, problem) => {
    await expect(importOf(cells)).rejects.toThrow(problem);
    expect(await clubs()).toEqual([]);
  });

  describeWithMetFiles('met before', () => {
    const met = (file: string) => importClubs(database.pool, testEncryption, metFile(file).toString(), at);

    test.each([
      ['clubs-dgr-since-day-first.csv', '2020-07-01'],
      ['clubs-semicolons.csv', null],
    ])('%s is read', async (file, since) => {
      expect(await met(file)).toBe(1);
      expect(await saved()).toEqual(['22803635522', '065484', since]);
    });

    test.each([
      ['clubs-abn-in-scientific-notation.csv', 'line 2: abn: a spreadsheet has shortened the number to 2.28036E+10'],
      ['clubs-bsb-lost-its-leading-zero.csv', 'line 2: bsb: 65484 has 5 digits, where a spreadsheet drops a zero'],
    ])('%s is refused, with a remedy', async (file, problem) => {
      await expect(met(file)).rejects.toThrow(problem);
    });
  });
});
