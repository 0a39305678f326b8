import type { Db } from '#db/connect.ts';
import { bucketTables, referenceTables, sharedTables } from '#db/table-homes.ts';
import { childrenOf, isNode, nodesIn, nodesUnder, readTree, type TreeNode, type TreeValue } from './node-tree.ts';

/** A function's volatility in `pg_proc`: immutable, stable or volatile. */
type Volatility = 'i' | 's' | 'v';

interface Relation {
  name: string;
  /** True for one that Citus keeps on nodes: a bucket's, a reference table, and what has keys to these. */
  isDistributed: boolean;
  isTemporary: boolean;
  /** True where the product's role may not update it. */
  isAppendOnly: boolean;
  /** The statement of a view. */
  view: TreeValue;
  /** Columns' defaults by number. */
  defaults: Map<string, TreeValue>;
  /** Numbers of columns that a sequence fills. */
  numbered: string[];
}

/** Names the objects whose numbers stand in parse trees. */
export interface Catalogue {
  functions: Map<string, Volatility>;
  /** Volatility of reading and writing a type's texts. */
  types: Map<string, { reads: Volatility; writes: Volatility }>;
  relations: Map<string, Relation>;
}

const commands = { update: '2', insert: '3', delete: '4', merge: '5' };

/** Adds a session's tables, which no other one has. */
export async function addTablesOfSession(session: Db, { relations }: Catalogue): Promise<void> {
  const made = await session<{ oid: string; name: string }[]>`
    select oid::text as oid, relname::text as name from pg_class where relnamespace = pg_my_temp_schema() and relkind = 'r'`;
  for (const { oid, name } of made)
    relations.set(oid, {
      ...{ name, isDistributed: false, isTemporary: true, isAppendOnly: false },
      ...{ view: null, defaults: new Map(), numbered: [] },
    });
}

/** Reads a database's catalogue; of one with a single bucket, `public` has all tables. */
export async function readCatalogue(db: Db): Promise<Catalogue> {
  const functions = await db<{ oid: string; volatility: Volatility }[]>`
    select oid::text as oid, provolatile::text as volatility from pg_proc`;
  const types = await db<{ oid: string; reads: Volatility; writes: Volatility }[]>`
    select kind.oid::text as oid, reader.provolatile::text as reads, writer.provolatile::text as writes
    from pg_type kind join pg_proc reader on reader.oid = typinput join pg_proc writer on writer.oid = typoutput`;
  const relations = await db<
    (Omit<Relation, 'view' | 'defaults' | 'isDistributed'> & { oid: string; view: string | null })[]
  >`
    select class.oid::text as oid, relname::text as name, relpersistence = 't' as "isTemporary",
      exists (select from pg_trigger where tgrelid = class.oid and tgfoid = 'public.refuse_change'::regproc
        and tgtype & 16 > 0 and tgqual is null and tgattr = ''::int2vector) as "isAppendOnly",
      array(select attnum::text from pg_attribute where attrelid = class.oid and attidentity <> '') as numbered,
      (select ev_action::text from pg_rewrite where ev_class = class.oid and ev_type = '1' and relkind = 'v') as view
    from pg_class class where relkind in ('r', 'p', 'v')`;
  const defaults = await db<{ oid: string; column: string; text: string }[]>`
    select adrelid::text as oid, adnum::text as column, adbin::text as text from pg_attrdef`;
  const keys = await db<{ one: string; other: string }[]>`
    select distinct conrelid::regclass::text as one, confrelid::regclass::text as other from pg_constraint
    where contype = 'f' and conrelid <> confrelid`;
  const distributed = new Set([...bucketTables, ...sharedTables, ...referenceTables]);
  for (let before = -1; before < distributed.size; ) {
    before = distributed.size;
    for (const { one, other } of keys.map(({ one, other }) => ({ one: bare(one), other: bare(other) })))
      if (distributed.has(one) || distributed.has(other)) distributed.add(one).add(other);
  }
  return {
    functions: new Map(functions.map(({ oid, volatility }) => [oid, volatility])),
    types: new Map(types.map(({ oid, ...kind }) => [oid, kind])),
    relations: new Map(
      relations.map(({ oid, view, ...relation }) => [
        oid,
        {
          ...relation,
          isDistributed: !relation.isTemporary && distributed.has(bare(relation.name)),
          view: view === null ? null : readTree(view),
          defaults: new Map(
            defaults.filter((each) => each.oid === oid).map(({ column, text }) => [column, readTree(text)]),
          ),
        },
      ]),
    ),
  };
}

/** Returns a table's name without its schema, and of a partition that of the whole. */
const bare = (name: string): string => name.replace(/^.*\./, '').replace(/_(?:default|\d{4})$/, '');

const typeFields = [
  'vartype',
  'consttype',
  'paramtype',
  'aggtype',
  'wintype',
  'funcresulttype',
  'opresulttype',
  'resulttype',
  'casetype',
  'coalescetype',
  'minmaxtype',
  'array_typeid',
  'row_typeid',
  'refrestype',
  'type',
];

/** Returns the number of an expression's type. */
function typeOf(node: TreeNode | undefined): string {
  if (!node) return '';
  const own = typeFields.map((name) => node.fields[name]).find((value) => typeof value === 'string');
  if (own) return own;
  const inner = nodesUnder(node).find(({ kind }) => kind === 'TARGETENTRY');
  return typeOf(nodesIn(inner?.fields.expr)[0]);
}

const worse = (one: Volatility, other: Volatility): Volatility =>
  one === 'v' || other === 'v' ? 'v' : one === 's' ? 's' : other;

/** `textanycat` and `anytextcat`, of which PostgreSQL makes a join of texts before Citus looks. */
const joins = new Set(['2003', '2004']);

/** Returns what an expression's own functions depend on; those of its arguments are theirs. */
function volatilityOf({ functions, types }: Catalogue, node: TreeNode): Volatility {
  if (node.kind === 'SQLVALUEFUNCTION') return 's';
  if (node.kind === 'NEXTVALUEEXPR') return 'v';
  if (node.kind === 'COERCEVIAIO') {
    const argument = nodesIn(node.fields.arg)[0];
    return worse(types.get(typeOf(argument))?.writes ?? 'i', types.get(String(node.fields.resulttype))?.reads ?? 'i');
  }
  if (node.kind === 'OPEXPR' && joins.has(String(node.fields.opfuncid)))
    return nodesIn(node.fields.args)
      .map((argument) => types.get(typeOf(argument))?.writes ?? 'i')
      .reduce(worse, 'i');
  const routine = node.fields.funcid ?? node.fields.opfuncid ?? node.fields.aggfnoid ?? node.fields.winfnoid;
  return (typeof routine === 'string' && functions.get(routine)) || 'i';
}

/** Returns the statements of a tree, those of views that it reads included. */
function queriesIn(catalogue: Catalogue, tree: TreeValue): TreeNode[] {
  const own = nodesUnder(tree).filter(({ kind }) => kind === 'QUERY');
  const views = own.flatMap((query) => tablesOf(catalogue, query)).flatMap(({ view }) => (view ? [view] : []));
  return [...own, ...views.flatMap((view) => queriesIn(catalogue, view))];
}

const tablesOf = ({ relations }: Catalogue, { fields }: TreeNode): Relation[] =>
  nodesIn(fields.rtable).flatMap((entry) => relations.get(String(entry.fields.relid)) ?? []);

/** Returns the worst volatility of a tree, its views included. */
const worstOf = (catalogue: Catalogue, tree: TreeValue): Volatility =>
  [tree, ...queriesIn(catalogue, tree)]
    .flatMap((part) => nodesUnder(part))
    .map((node) => volatilityOf(catalogue, node))
    .reduce(worse, 'i');

/** Returns the worst volatility of an expression, but for statements in it: of these PostgreSQL has made plans before Citus looks. */
const volatilityIn = (catalogue: Catalogue, expression: TreeValue | undefined): Volatility =>
  nodesUnder(expression, ({ kind }) => kind === 'QUERY')
    .map((node) => volatilityOf(catalogue, node))
    .reduce(worse, 'i');

const isMutable = (catalogue: Catalogue, expression: TreeValue | undefined): boolean =>
  volatilityIn(catalogue, expression) !== 'i';

/** Returns why a part of a change cannot be sent to a node: a column goes through a stable function, or a branch has one. */
function irreducible(catalogue: Catalogue, value: TreeValue | undefined): string[] {
  return nodesIn(value).flatMap((node) => {
    if (node.kind === 'QUERY') return [];
    if (node.kind === 'COALESCEEXPR' || node.kind === 'CASEEXPR')
      return isMutable(catalogue, node) ? ['a function in CASE or COALESCE is not immutable'] : [];
    const inner = childrenOf(node).flatMap((child) => irreducible(catalogue, child));
    const isOfColumn = nodesUnder(node, ({ kind }) => kind === 'QUERY').some(({ kind }) => kind === 'VAR');
    return volatilityOf(catalogue, node) === 's' && isOfColumn
      ? ['a stable function is called with a column', ...inner]
      : inner;
  });
}

/** Returns the reasons for which Citus refuses a change of a table that it keeps on nodes. */
function problemsOfChange(catalogue: Catalogue, { fields }: TreeNode, target: Relation): string[] {
  const { jointree, targetList, returningList, onConflict, commandType } = fields;
  const quals = isNode(jointree) ? jointree.fields.quals : null;
  const values = nodesIn(targetList)
    .filter(({ fields: { resjunk } }) => resjunk === 'false')
    .map(({ fields: { expr } }) => expr ?? null);
  const isUpdate = commandType === commands.update;
  const conflict = isNode(onConflict) ? onConflict.fields : undefined;
  const kept = nodesIn(conflict?.onConflictSet).filter(({ fields: { expr } }) => isNode(expr) && expr.kind !== 'VAR');
  const isOfValues =
    commandType === commands.insert && !nodesIn(fields.rtable).some(({ fields: { rtekind } }) => rtekind === '1');
  return [
    ...(isOfValues && values.some((value) => nodesUnder(value).some(({ kind }) => kind === 'QUERY'))
      ? ['a subquery is among the values of an insert']
      : []),
    ...(isUpdate && values.some((value) => volatilityIn(catalogue, value) === 'v')
      ? ['a function of an update is volatile']
      : []),
    ...(isUpdate ? values.flatMap((value) => irreducible(catalogue, value)) : []),
    ...(volatilityIn(catalogue, quals) === 'v' ? ['a function in WHERE is volatile'] : irreducible(catalogue, quals)),
    ...(isMutable(catalogue, returningList) ? ['a function in RETURNING is not immutable'] : []),
    ...(kept.some((entry) => isMutable(catalogue, entry)) ? ['a function in DO UPDATE SET is not immutable'] : []),
    ...([conflict?.arbiterWhere, conflict?.onConflictWhere].some((part) => isMutable(catalogue, part))
      ? ['a function in the WHERE of ON CONFLICT is not immutable']
      : []),
    ...(conflict && target.isAppendOnly && referenceTables.includes(target.name)
      ? ['an upsert into a reference table wants more than the rights to select and insert']
      : []),
  ];
}

/** Returns the reasons for which Citus refuses a statement, as far as its tree tells. */
export function problemsOf(catalogue: Catalogue, tree: TreeValue): string[] {
  const [whole, ...others] = queriesIn(catalogue, tree);
  const all = whole ? [whole, ...others] : [];
  const isOnNodes = all.some((query) => tablesOf(catalogue, query).some(({ isDistributed }) => isDistributed));
  if (!isOnNodes) return [];
  const problems = all.flatMap((query) => {
    const { commandType, resultRelation, rtable } = query.fields;
    if (commandType === commands.merge) return ['MERGE'];
    const target = catalogue.relations.get(String(nodesIn(rtable)[Number(resultRelation) - 1]?.fields.relid));
    return target?.isDistributed ? problemsOfChange(catalogue, query, target) : [];
  });
  return [
    ...new Set([
      ...problems,
      ...(whole ? problemsOfSelected(catalogue, whole) : []),
      ...problemsOfSession(catalogue, all),
    ]),
  ];
}

/** Returns why tables of the session cannot be read beside those of nodes: a list of one, compared by IN, is sent along. */
function problemsOfSession(catalogue: Catalogue, queries: TreeNode[]): string[] {
  const beside = queries.filter((query) => tablesOf(catalogue, query).some(({ isTemporary }) => isTemporary));
  return beside.flatMap((query) => {
    const isSelect = query.fields.commandType === '1' || query.fields.commandType === commands.insert;
    const inner = childrenOf(query)
      .flatMap((child) => nodesUnder(child))
      .filter(({ kind }) => kind === 'QUERY');
    const isOfRow = (each: TreeNode) =>
      tablesOf(catalogue, each).some(({ isDistributed }) => isDistributed) &&
      nodesUnder(each).some(({ kind, fields }) => kind === 'VAR' && fields.varlevelsup === '1');
    return [
      ...(isSelect ? [] : ['a table of the session is changed by what a node has']),
      ...(inner.some(isOfRow) ? ['a node is asked about each row of a table of the session'] : []),
    ];
  });
}

/** Tables of buckets: for others Citus adds nothing to what is selected. */
const ofBuckets = new Set([...bucketTables, ...sharedTables]);

/**
 * Returns why what is selected cannot be inserted where it is: Citus works a stable function out before it sends a statement
 * on, and then writes a text that no node reads. With a volatile one it selects first, and inserts what it got.
 */
function problemsOfSelected(catalogue: Catalogue, query: TreeNode): string[] {
  const { commandType, resultRelation, rtable, targetList } = query.fields;
  const entries = nodesIn(rtable);
  const target = catalogue.relations.get(String(entries[Number(resultRelation) - 1]?.fields.relid));
  if (
    commandType !== commands.insert ||
    !target ||
    !ofBuckets.has(bare(target.name)) ||
    !entries.some(({ fields }) => fields.rtekind === '1')
  )
    return [];
  const written = new Set(nodesIn(targetList).map(({ fields }) => fields.resno));
  if (target.numbered.some((column) => !written.has(column))) return [];
  const left = [...target.defaults].filter(([column]) => !written.has(column)).map(([, value]) => value);
  return worstOf(catalogue, [query, ...left]) === 's' ? ['what is inserted is selected with a stable function'] : [];
}
