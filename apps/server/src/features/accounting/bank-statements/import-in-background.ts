import type { Db } from '#db/connect.ts';
import { InvalidInput } from '#errors.ts';
import type { Clock } from '#ports/clock.ts';
import { type ImportDeps, type ImportedStatement, type ImportProgress, importStatement } from './import-statement.ts';
import { factsOfTakeBack, type TakeBack, type TakeBackFacts, takeBackOf } from './take-back.ts';

export type ImportState = 'reading' | 'booking' | 'matching' | 'done' | 'refused' | 'failed' | 'cut_off';

export interface StatementImport {
  id: string;
  fileName: string;
  startedAt: Date;
  state: ImportState;
  done: number;
  total: number;
  result: ImportedStatement | null;
  problem: string | null;
  questions: string[];
  takeBack: TakeBack | 'done';
  /** True for a provider's day, which is fetched again the night after it is taken back. */
  isFetched: boolean;
}

/** Time without progress after which an import's process has ended. */
const silentMs = 5 * 60_000;

/** Time for which imports are listed. */
const keptDays = 30;

/** Lists imports, newest first. */
export async function listImports(db: Db, clock: Clock, limit: number): Promise<StatementImport[]> {
  const silentSince = new Date(clock.now().getTime() - silentMs);
  const imports = await db<(Omit<StatementImport, 'takeBack'> & TakeBackFacts & { isKept: boolean })[]>`
    select each.id, file_name as "fileName", started_at as "startedAt", done, total, result, problem, questions,
      case when state in ('reading', 'booking', 'matching') and heard_at < ${silentSince} then 'cut_off' else state end as state,
      statement.id is not null as "isKept",
      statement.fetched_day is not null as "isFetched", ${factsOfTakeBack(db)}
    from bank_statement_imports each left join bank_statements statement on statement.id::text = result->>'statementId'
    order by started_at desc, each.id desc limit ${limit}`;
  return imports.map(({ isKept, added, byHand, isNeeded, ...each }) => {
    const isGone = each.result?.statementId !== undefined && !isKept;
    return { ...each, takeBack: isGone ? 'done' : takeBackOf({ added, byHand, isNeeded }) };
  });
}

/** Lines between two notes of progress. */
const linesPerNote = 5_000;

const isNoted = ({ done, of }: ImportProgress): boolean => done % linesPerNote === 0 || done >= of;

type Import = Parameters<typeof importStatement>;

/** Begins an import and records its progress and result. It continues when its caller has gone. */
export async function beginImport(
  deps: ImportDeps,
  fileName: string,
  ...[content, given, how]: [Import[1], Import[2], Import[3]]
): Promise<{ id: string; work: Promise<ImportedStatement> }> {
  const { db, clock } = deps;
  const now = clock.now();
  await db`delete from bank_statement_imports where started_at < ${now}::timestamptz - ${keptDays}::int * interval '1 day'`;
  const [begun] = await db<{ id: string }[]>`
    insert into bank_statement_imports (file_name, started_at, heard_at, state)
    values (${fileName}, ${now}, ${now}, 'reading') returning id`;
  const id = begun?.id ?? '';
  const noteProgress = async (progress: ImportProgress): Promise<void> => {
    await how?.noteProgress?.(progress);
    if (!isNoted(progress)) return;
    await db`
      update bank_statement_imports
      set state = ${progress.stage}, done = ${progress.done}, total = ${progress.of}, heard_at = ${clock.now()}
      where id = ${id}`;
  };
  const work = importStatement(deps, content, given, { ...how, noteProgress }).then(
    async (result) => {
      await db`
        update bank_statement_imports set state = 'done', result = ${db.json(result)}, heard_at = ${clock.now()}
        where id = ${id}`;
      return result;
    },
    async (error: unknown) => {
      const refusal = error instanceof InvalidInput ? error : undefined;
      await db`
        update bank_statement_imports set state = ${refusal ? 'refused' : 'failed'}, problem = ${refusal?.message ?? null},
          questions = ${Object.keys(refusal?.fields ?? {})}::text[], heard_at = ${clock.now()}
        where id = ${id}`.catch(() => undefined); // the failure itself says more
      throw error;
    },
  );
  return { id, work };
}
