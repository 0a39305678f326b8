import { saveSavingsAccount, saveSavingsEnabled } from '@sparechange/server/features/savings/savings-repository.ts';
import { loadKeys } from '@sparechange/server/secrets/data-key.ts';
import { makeFieldEncryption } from '@sparechange/server/secrets/field-encryption.ts';
import { inDatabase, type Place } from './product.ts';

/** Links every second supporter's savings, as they cannot sign in. */
export const linkSavings = ({ dataDir }: Place): Promise<void> =>
  inDatabase(dataDir, async (db) => {
    const encryption = makeFieldEncryption(await loadKeys(dataDir, 'data'));
    const people = await db<{ id: string }[]>`select supporter_id as id from supporters order by email`;
    for (const { id } of people.filter((_, index) => index % 2 === 0)) {
      await saveSavingsEnabled(db, id, true);
      await saveSavingsAccount(db, id, {
        accountName: 'Rainy days',
        maskedNumber: 'XXXX5678',
        bsbEncrypted: encryption.encrypt('062000', `supporter ${id} savings bsb`),
        accountNumberEncrypted: encryption.encrypt('12345678', `supporter ${id} savings account number`),
        linkedAt: new Date(),
        receivesFrom: null,
      });
    }
  });
