import { remarkChains } from '#audit/accept-audit-log.ts';
import { reidentifyAccounts } from '#features/supporters/accounts/reidentify-accounts.ts';
import { reEncryptEverything } from '#secrets/re-encrypt.ts';
import type { OpsCommand } from './ops-command.ts';

export function reEncryptCommand(command: OpsCommand): void {
  command.carryOut(async (runtime) => {
    const { db, encryption } = runtime;
    const valueCount = (await reEncryptEverything(db, encryption)) + (await reidentifyAccounts(db, encryption));
    const chainCount = await remarkChains(runtime);
    const text = `${valueCount} values are encrypted or hashed again and ${chainCount} chains of the audit log marked again; nothing needs an older data key any more`;
    return { json: { reEncrypted: valueCount, remarked: chainCount }, text };
  });
}
