import { listTenantNames, listTenants, listTenantVersions, retrieveTenant } from '@sparechange/contract/console';
import { readAgain } from '#api/query-client.ts';
import { type Change, labelOf, shownSetting } from './tenant-settings.ts';
import styles from './tenants.module.css';

/** Invalidates the cached brands, so that they are refetched. */
export const forgetTenants = () => readAgain([listTenants, listTenantNames, retrieveTenant, listTenantVersions]);

/** Lists the differences, with former values struck out. */
export const Changes = ({ changes }: { changes: Change[] }) => (
  <dl className={styles.changes}>
    {changes.map(({ name, before, after }) => (
      <div key={name}>
        <dt>{labelOf(name)}</dt>
        <dd>
          <del>{shownSetting(name, before)}</del> <span aria-hidden="true">→</span>{' '}
          <ins>{shownSetting(name, after)}</ins>
        </dd>
      </div>
    ))}
  </dl>
);
