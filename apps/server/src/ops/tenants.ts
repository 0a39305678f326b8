import { counted } from '@sparechange/domain/counted';
import { tenantsFolder } from '#runtime/compose.ts';
import { adviseOnTenants } from '#tenants/advise-on-tenants.ts';
import { checkTenants } from '#tenants/check-tenants.ts';
import type { OpsCommand } from './operate.ts';

export function tenantCommands(program: OpsCommand): void {
  const tenants = program.command('tenants').description('the brands');
  tenants
    .command('check')
    .description('settings, contrast, logos, ABNs, clubs and redirects of every tenant; exit 1 on a problem')
    .carryOut(async ({ db, tenants: loaded }) => {
      const problems = await checkTenants(db, loaded, tenantsFolder);
      const count = loaded.list().length;
      const advice = await adviseOnTenants(db, loaded);
      const advised = advice.map((each) => `advice: ${each}`);
      const text = [
        ...problems,
        ...advised,
        `${counted(count, 'tenant')}, ${counted(problems.length, 'problem')}`,
      ].join('\n');
      return { json: { tenants: count, problems, advice }, text, failed: problems.length > 0 };
    });
}
