import { answeringOf, situationOf } from '#features/console/monitoring/situation.ts';
import { peopleRule } from '#features/core/approvals/people-needed.ts';
import { countDeadLetters } from '#jobs/queue-repository.ts';
import type { OpsCommand } from './ops-command.ts';

export function statusCommand(command: OpsCommand): void {
  command.carryOut(async (runtime) => {
    const { config, bankLinkAddress, directDebitAddress } = runtime;
    const seen = await answeringOf(runtime);
    const situation = await situationOf({
      ...seen,
      operatorMail: config.operatorMail,
      peopleRule: () => peopleRule(seen.db, config.isProduction),
      countFailedJobs: countDeadLetters,
    });
    const json = {
      environment: config.isProduction ? 'production' : 'development',
      database: config.databaseUrl ? 'external' : `embedded in ${config.dataDir}`,
      ...situation.json,
      providers: {
        bankLink: bankLinkAddress,
        directDebit: directDebitAddress,
        identity: config.firebase ? `firebase ${config.firebase.projectId}` : 'embedded',
      },
    };
    const text = [
      `environment   ${json.environment}`,
      `database      ${json.database}`,
      ...situation.lines,
      `bank link     ${json.providers.bankLink}`,
      `direct debit  ${json.providers.directDebit}`,
      `identity      ${json.providers.identity}`,
    ].join('\n');
    return { json, text };
  });
}
