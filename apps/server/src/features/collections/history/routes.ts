import * as contract from '@sparechange/contract';
import { dollars, monthYear, subtract, yearStart } from '@sparechange/domain';
import type { Pool } from '#db/connect.ts';
import { campaignEnd } from '#features/beneficiaries/clubs/campaigns.ts';
import { findClub } from '#features/beneficiaries/clubs/club-repository.ts';
import { findDeletionDay } from '#features/supporters/offboarding/bank-data-repository.ts';
import { findSupporter } from '#features/supporters/profiles/supporter-repository.ts';
import type { Serve } from '#http/serve.ts';
import { type Clock, today } from '#ports/clock.ts';
import { isOver } from '#tenants/campaign-end.ts';
import type { GivenPictures } from '#tenants/given-pictures.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import { debitedLines } from './debited-lines.ts';
import {
  type Donated,
  donatedByMonth,
  donatedTotal,
  listHistory,
  listHistoryDebits,
  maxLines,
} from './history-repository.ts';
import { traceTransaction, whyOf } from './transaction-trace.ts';

interface HistoryDeps {
  db: Pool;
  clock: Clock;
  tenants: Tenants;
  givenPictures: GivenPictures;
}

const inFlight = ({ inFlightCents }: Donated) => (inFlightCents > 0 ? { inFlightCents } : {});

export function historyRoutes(serve: Serve, { db, clock, tenants, givenPictures }: HistoryDeps): void {
  serve.supporter(contract.debitsYTD, async (_input, { supporterId }) => {
    const donated = await donatedTotal(db, supporterId, yearStart(today(clock)));
    const { cents: allTimeCents } = await donatedTotal(db, supporterId, null);
    return {
      debitYTD: donated.cents,
      ...inFlight(donated),
      ...(allTimeCents !== donated.cents && { allTimeCents }),
    };
  });

  serve.supporter(contract.debitsAllTime, async (_input, { supporterId }) => {
    const donated = await donatedTotal(db, supporterId, null);
    return { debitAllTime: donated.cents, ...inFlight(donated) };
  });

  serve.supporter(contract.retrieveGivenPicture, async (_input, { supporterId }, { tenant }) => {
    const donated = await donatedTotal(db, supporterId, null);
    const cleared = subtract(donated.cents, donated.inFlightCents);
    const supporter = await findSupporter(db, supporterId);
    const club = supporter && (await findClub(db, supporter.clubId));
    return { path: club && cleared > 0 ? givenPictures.path(tenant, club, cleared) : null };
  });

  serve.supporter(contract.retrieveTotalDebits, async (_input, { supporterId }) => {
    const months = await donatedByMonth(db, supporterId);
    const documents = months.map(({ month, cents: total }) => ({
      monthYear: monthYear(month),
      totalDebitAmount: total,
    }));
    return { debitHistory: { documents } };
  });

  serve.supporter(contract.retrieveHistory, async (_input, { supporterId }) => {
    const listed = await listHistory(db, supporterId);
    const { lines, debits } = debitedLines(listed.slice(0, maxLines), await listHistoryDebits(db, supporterId));
    const supporter = await findSupporter(db, supporterId);
    const hasEnded = supporter !== undefined && isOver(await campaignEnd(db, tenants, supporter), today(clock));
    const roundUphistory = lines.map((line) => ({
      lineId: line.lineId,
      createdDate: line.day,
      description: line.description,
      amount: dollars(line.purchaseCents),
      debitAmountCents: line.countedCents,
      why: whyOf(line),
      state: hasEnded && line.state === 'waiting' ? ('dropped' as const) : line.state,
      given: line.given,
    }));
    const olderLinesLeftOut = listed.length > maxLines;
    return {
      roundUphistory,
      debits,
      ...(olderLinesLeftOut && { olderLinesLeftOut }),
      bankDataDeletedOn: await findDeletionDay(db, supporterId),
    };
  });

  serve.supporter(contract.retrieveLine, async ({ lineId }, { supporterId }) => ({
    line: await traceTransaction(db, supporterId, lineId),
  }));
}
