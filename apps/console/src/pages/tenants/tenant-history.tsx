import { listTenantVersions, restoreTenant, type TenantVersion } from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { useAnswer } from '#api/use-answer.ts';
import { exportedInstant } from '../../ui/exported-instant.ts';
import { Failure } from '../../ui/failure.tsx';
import { Loading, Note, Section } from '../../ui/page.tsx';
import { SaveRows } from '../../ui/save-rows.tsx';
import { instantInWords } from '../../words.ts';
import { Changes, forgetTenants } from './tenant-changes.tsx';
import styles from './tenants.module.css';

const origins: Record<TenantVersion['origin'], string> = {
  file: 'Taken from its file',
  edit: 'Saved',
  restore: 'Put back',
};

const shownAtFirst = 5;

const exportedColumns = [
  { title: 'Version', text: ({ version }: TenantVersion) => String(version) },
  { title: 'Became', text: ({ origin }: TenantVersion) => origins[origin] },
  { title: 'By', text: ({ savedBy }: TenantVersion) => savedBy ?? '' },
  { title: 'When', text: ({ savedAt }: TenantVersion) => exportedInstant(savedAt) },
  {
    title: 'Changes',
    text: ({ changes }: TenantVersion) =>
      changes
        .map(({ setting, before, after }) => `${setting}: ${before ?? 'nothing'} to ${after ?? 'nothing'}`)
        .join('; '),
  },
];

interface TenantHistoryProps {
  tenantKey: string;
  current: number;
  /** True while unsaved changes exist, which restoring a version replaces. */
  isEdited: boolean;
}

/** Lists a brand's versions with their changes; one press restores an earlier one. */
export function TenantHistory({ tenantKey: key, current, isEdited }: TenantHistoryProps) {
  const [isWhole, setWhole] = useState(false);
  const list = useAnswer(listTenantVersions, { key });
  const restore = useMutation({
    mutationFn: (version: number) => call(restoreTenant, { key, version, basedOn: current }),
    onSuccess: forgetTenants,
  });
  if (!list.data) return list.error ? <Failure of={list.error} again={list.refetch} /> : <Loading />;
  const { versions } = list.data;
  return (
    <Section title="Versions">
      <Failure of={restore.error} />
      {isEdited && <Note>Save or undo what you changed above before you put a version back.</Note>}
      <ol className={styles.versions}>
        {versions
          .slice(0, isWhole ? versions.length : shownAtFirst)
          .map(({ version, origin, savedAt, savedBy, changes }) => (
            <li key={version}>
              <div className={styles.versionHead}>
                <div>
                  <strong>Version {version}</strong>
                  <span className={styles.quiet}>
                    {origins[origin]}
                    {savedBy && ` by ${savedBy}`}, {instantInWords(savedAt)}
                  </span>
                </div>
                {version === current ? (
                  <span className={styles.quiet}>In use</span>
                ) : (
                  <Button
                    look="quiet"
                    isBusy={restore.isPending && restore.variables === version}
                    disabled={restore.isPending || isEdited}
                    onClick={() => restore.mutate(version)}
                  >
                    Put back <span className="visually-hidden">version {version}</span>
                  </Button>
                )}
              </div>
              <Changes
                changes={changes.map(({ setting, before, after }) => ({
                  name: setting,
                  before: before ?? 'nothing',
                  after: after ?? 'nothing',
                }))}
              />
            </li>
          ))}
      </ol>
      {versions.length > shownAtFirst && !isWhole && (
        <Button look="quiet" onClick={() => setWhole(true)}>
          Show all {versions.length}
        </Button>
      )}
      <SaveRows name={`Versions of ${key}`} columns={exportedColumns} rows={versions} />
    </Section>
  );
}
