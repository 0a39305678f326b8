export interface MigrationFile {
  name: string;
  text: string;
}

/** Returns the statements without comments, and without texts and bodies of functions. */
const statementsOf = (text: string): string[] =>
  text
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\bbegin atomic\b[\s\S]*?\bend;/gi, ';')
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter(Boolean);

/** Splits an `alter table` at the commas that stand in no bracket. */
function actionsOf(actions: string): string[] {
  let depth = 0;
  const parts = [''];
  for (const sign of actions) {
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0;
    if (sign === ',' && depth === 0) parts.push('');
    else parts.push((parts.pop() ?? '') + sign);
  }
  return parts.map((part) => part.trim());
}

interface Rule {
  pattern: RegExp;
  problem: string;
}

/** Rules of one action of `alter table`, on a table that has rows. */
const actionRules: Rule[] = [
  {
    pattern: /^rename\b/,
    problem: 'a rename stops the version that runs: add the new name, write both, drop the old one later',
  },
  {
    pattern: /^alter (column )?\S+ (set data )?type\b/,
    problem:
      'another type rewrites the table under a lock: add a column of the new type, fill it in pages, drop the old one later',
  },
  {
    pattern:
      /^add (column )?(?!constraint\b|check\b|foreign\b|unique\b|primary\b|exclude\b).*\bnot null\b(?!.*\b(default|generated)\b)/,
    problem: 'rows that are there have no value: add the column without "not null" or with a constant default',
  },
  {
    pattern:
      /^add (column )?(?!constraint\b).*\b(default [^,]*(now|random|uuid|clock_timestamp|nextval)\w*\(|generated (always|by default) as(?!.*\bvirtual$))/, // a virtual one is not stored
    problem:
      'a default that differs by row rewrites the table under a lock: add the column empty, set its default, fill it in pages',
  },
  {
    pattern:
      /^add (column )?(?!constraint\b|check\b|foreign\b|unique\b|primary\b|exclude\b).*\b(check|unique|primary key)\b/,
    problem: 'a constraint beside a new column reads the table under a lock: add it by itself, "not valid"',
  },
  {
    pattern: /^add (constraint \S+ )?(check|foreign key|not null)\b(?!.*\bnot valid\b)/,
    problem: 'a constraint reads the table under a lock: add it "not valid", and "validate constraint" in a later file',
  },
  {
    pattern: /^add (constraint \S+ )?(unique|primary key|exclude)\b(?!.*\busing index\b)/,
    problem:
      'its index is built under a lock: create a unique index concurrently, then add the constraint "using index"',
  },
];

const contraction =
  'the version that runs still uses it: stop that first, and then name the migration that replaced it in a line "-- contracts NAME.sql: why"';

/** Returns the reasons against a file that runs beside the version before it; `earlier` are the files before. */
export function migrationProblems({ text }: MigrationFile, earlier: MigrationFile[]): string[] {
  const statements = statementsOf(text);
  const isOutside = /^-- outside a transaction: \S/.test(text);
  const isSafe = /^-- safe: \S/m.test(text);
  const contracts = /^-- contracts (\S+\.sql): \S/m.exec(text)?.[1];
  const isContraction = earlier.some(({ name }) => name === contracts);
  const before = earlier.flatMap((file) => statementsOf(file.text));
  const fresh = new Set(
    statements.flatMap(
      (statement) => /^create (?:unlogged )?table (?:if not exists )?(\S+)/.exec(statement)?.[1] ?? [],
    ),
  );
  const problems = statements.flatMap((statement, at) => {
    const [, table = '', actions = ''] = /^alter table (?:if exists )?(?:only )?(\S+) (.*)$/.exec(statement) ?? [];
    if (table && !fresh.has(table)) return actionsOf(actions).flatMap((action) => problemsOfAction(table, action));
    const index = /^create (?:unique )?index (concurrently )?.*?\bon (?:only )?([^\s(]+)/.exec(statement);
    if (index && isOutside) return problemsOutside(statement, statements[at - 1] ?? '');
    if (index && !fresh.has(index[2] ?? '') && !isSafe)
      return [
        `${statement}: building it stops all writing to the table: "create index concurrently" in a file of its own that begins "-- outside a transaction: why", or a line "-- safe: why"`,
      ];
    if (/^drop (table|view|function|type)\b/.test(statement) && !isContraction) return [`${statement}: ${contraction}`];
    if (/^alter \w+ .*\brename\b/.test(statement) && !isMadeAnew(statement, statements.slice(at)))
      return [`${statement}: ${actionRules[0]?.problem}`];
    const changed = /^(?:update (?:only )?|delete from )(\S+)/.exec(statement)?.[1];
    if (changed && !fresh.has(changed) && !isSafe)
      return [
        `${statement}: holds every row until the end: change them in pages from a command or job, or say "-- safe: why"`,
      ];
    if (isOutside && !/^drop index concurrently if exists /.test(statement))
      return [`${statement}: outside a transaction only indexes are created and dropped, concurrently`];
    return [];
  });
  return problems;

  function problemsOfAction(table: string, action: string): string[] {
    if (isOutside) return [`alter table ${table} ${action}: belongs into a file that runs in a transaction`];
    if (/^drop (column )?(?!constraint\b|not null\b|default\b)/.test(action) && !isContraction)
      return [`alter table ${table} ${action}: ${contraction}`];
    const notNull = /^alter (?:column )?(\S+) set not null$/.exec(action)?.[1];
    if (notNull && !isChecked(table, notNull))
      return [
        `alter table ${table} ${action}: reads the table under a lock: first "add constraint … check (${notNull} is not null) not valid", then "validate constraint" in a second file, then this in a third`,
      ];
    const validated = /^validate constraint (\S+)/.exec(action)?.[1];
    if (validated && statements.some((other) => other.includes(`add constraint ${validated} `)))
      return [`alter table ${table} ${action}: holds the lock of adding it while it reads: validate in a later file`];
    return actionRules
      .filter(({ pattern }) => pattern.test(action))
      .map(({ problem }) => `alter table ${table} ${action}: ${problem}`);
  }

  /** Returns whether an earlier file validated that a column is never null. */
  function isChecked(table: string, column: string): boolean {
    const added = before.flatMap(
      (statement) =>
        new RegExp(`^alter table ${table} .*add constraint (\\S+) check \\(\\(?${column} is not null\\)`).exec(
          statement,
        )?.[1] ?? [],
    );
    return added.some((name) =>
      before.some((statement) => statement.startsWith(`alter table ${table} validate constraint ${name}`)),
    );
  }
}

/** Returns whether the file gives a renamed table's or index's name to another, so that statements still find it. */
function isMadeAnew(statement: string, later: string[]): boolean {
  const name = /^alter (?:table|index) (\S+) rename to /.exec(statement)?.[1];
  const made = later.map((each) => /^create (?:table (\S+)|index (\S+)) /.exec(each) ?? []);
  return made.some(([, table, index]) => name !== undefined && [table, table && `${table}_pkey`, index].includes(name));
}

/** Returns what is wrong with an index that is created outside a transaction. */
function problemsOutside(statement: string, previous: string): string[] {
  const [, index, schema = ''] =
    /^create (?:unique )?index concurrently (\S+) on (?:only )?([^\s.(]+\.)?/.exec(statement) ?? [];
  const name = index && `${schema}${index}`; // an index is in the schema of its table
  if (!name) return [`${statement}: outside a transaction an index is created concurrently, and has a name`];
  if (previous !== `drop index concurrently if exists ${name}`)
    return [
      `${statement}: a start that was broken off leaves an invalid index: "drop index concurrently if exists ${name};" comes before it`,
    ];
  return [];
}
