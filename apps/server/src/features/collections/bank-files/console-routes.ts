import * as contract from '@sparechange/contract/console';
import { addDays, sydneyDay } from '@sparechange/domain';
import { timetableOf } from '@sparechange/domain/timetable';
import { decodeText } from '#decode-text.ts';
import { Conflict, InvalidInput, NotFound, type Refusal } from '#errors.ts';
import { type PollDeps, pollOutcomes } from '#features/collections/outcomes/poll-outcomes.ts';
import { fileAnswer } from '#http/file-answer.ts';
import { pageOf } from '#http/page-of.ts';
import type { ServeConsole } from '#http/serve-console.ts';
import { BankFileProblem, type BankFiles } from '#ports/bank-files.ts';
import { today } from '#ports/clock.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import {
  findContent,
  type ListedFile,
  type ListedReturns,
  listFiles,
  listReturns,
  sumWaiting,
} from './file-repository.ts';

interface BankFileRouteDeps extends PollDeps {
  encryption: FieldEncryption;
  /** Absent if payments do not go by bank files. */
  bankFiles?: BankFiles | undefined;
}

const presentFile = ({ name, writtenAt, lodgedAt, withdrawnAt, ...file }: ListedFile): contract.BankFile => ({
  ...file,
  id: name,
  writtenAt: writtenAt.toISOString(),
  lodgedAt: lodgedAt?.toISOString() ?? null,
  withdrawnAt: withdrawnAt?.toISOString() ?? null,
});

const presentReturns = ({ contentHash, readAt, ...returns }: ListedReturns): contract.ReturnsFile => ({
  ...returns,
  id: contentHash,
  readAt: readAt.toISOString(),
});

const lodgingCodes = { 'by operator': 'by_operator', 'when written': 'when_written' } as const;

/** Maximum days between banking days, and so between settlings. */
const longestWithoutSettling = 15;

/** Returns the next scheduled time for writing files; everything settled by then is in them. */
function nextSettlingAt(now: Date): Date | undefined {
  const days = Array.from({ length: longestWithoutSettling }, (_, place) => addDays(sydneyDay(now), place));
  return days.flatMap(timetableOf).find(({ task, dueAt }) => task === 'settle' && dueAt > now)?.dueAt;
}

/** Turns a problem with a bank file into a refusal that states it. */
async function orRefusal<Result>(
  work: Promise<Result>,
  refusal: (message: string) => Refusal = (message) => new Conflict(message),
): Promise<Result> {
  return work.catch((error: unknown) => {
    throw error instanceof BankFileProblem ? refusal(error.message) : error;
  });
}

/** Serves the bank's payment files and return files. */
export function bankFileRoutes(serve: ServeConsole, deps: BankFileRouteDeps): void {
  const { db, clock, encryption, bankFiles } = deps;

  const usedFiles = (): BankFiles => {
    if (!bankFiles) throw new Conflict('Payments are not made with bank files.');
    return bankFiles;
  };

  serve.person(contract.retrieveBankFileState, async () => {
    const day = today(clock);
    if (!bankFiles) return { lodging: null, today: day, waiting: [], nextWriteAt: null };
    const { lodging } = bankFiles;
    const nextWriteAt = lodging === 'when written' ? nextSettlingAt(clock.now()) : undefined;
    return {
      lodging: lodgingCodes[lodging],
      today: day,
      waiting: await sumWaiting(db),
      nextWriteAt: nextWriteAt?.toISOString() ?? null,
    };
  });

  serve.person(contract.listBankFiles, async ({ limit, ...filter }) =>
    pageOf((await listFiles(db, { ...filter, limit: limit + 1 })).map(presentFile), limit, ({ id }) => id),
  );

  serve.person(contract.writeBankFiles, async () => {
    const { files, unreadable } = await orRefusal(usedFiles().write());
    return { files: files.map(({ items, ...file }) => ({ ...file, orders: items })), unreadable };
  });

  serve.person(contract.downloadBankFile, async ({ name, state }) => {
    const file = await orRefusal(findContent(db, encryption, name));
    if (!file) throw new NotFound('The file');
    if (file.state !== state) throw new Conflict(`${name} has just been changed by somebody else; look again.`);
    if (file.content === undefined) throw new Conflict(`The content of ${name} is not kept any more.`);
    return fileAnswer(name, file.content);
  });

  serve.person(contract.lodgeBankFile, async ({ name }) => {
    const { result, clearsOn } = await orRefusal(usedFiles().markLodged(name));
    return { isNew: result === 'lodged', clearsOn };
  });

  serve.person(contract.unlodgeBankFile, async ({ name, lodgedAt }) => {
    const { result } = await orRefusal(usedFiles().markNotLodged(name, new Date(lodgedAt)));
    return { isNew: result === 'not lodged' };
  });

  serve.person(contract.withdrawBankFile, async ({ name }) => {
    const { result } = await orRefusal(usedFiles().withdraw(name));
    return { isNew: result === 'withdrawn' };
  });

  serve.person(contract.importReturns, async ({ fileName, content }, _caller, { patiently }) => {
    const text = decodeText(Buffer.from(content, 'base64'));
    const reading = usedFiles().readReturns(fileName, text);
    const { result, returned, problems } = await orRefusal(reading, (message) => new InvalidInput(message));
    const settled = await patiently(pollOutcomes(deps));
    return { isNew: result === 'read', returned, problems, isSettled: settled !== undefined };
  });

  serve.person(contract.listReturnsFiles, async ({ limit, after }) =>
    pageOf((await listReturns(db, { after, limit: limit + 1 })).map(presentReturns), limit, ({ id }) => id),
  );
}
