import {
  checkTenant,
  redirectsKey,
  retrieveTenant,
  type SettingsProblem,
  saveTenant,
  type TenantContent,
} from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { keepPreviousData, useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, Navigate, useNavigate, useParams, useSearchParams } from 'react-router';
import { call } from '#api/call.ts';
import { useAnswer } from '#api/use-answer.ts';
import { Failure } from '../../ui/failure.tsx';
import { Loading, PageFrame } from '../../ui/page.tsx';
import { Unsaved } from '../../ui/unsaved.tsx';
import { RedirectFields } from './redirect-fields.tsx';
import { StateTag } from './state-tag.tsx';
import { Changes, forgetTenants } from './tenant-changes.tsx';
import { TenantFields } from './tenant-fields.tsx';
import { TenantHistory } from './tenant-history.tsx';
import { TenantPreview } from './tenant-preview.tsx';
import { type Change, changesBetween, labelOf, settingsLike } from './tenant-settings.ts';
import styles from './tenants.module.css';

type Stored = (typeof retrieveTenant)['output']['_output'];

/** Reads a brand once while it is open, so that another person's save does not replace typed values. */
const useStored = (key: string) =>
  useAnswer(retrieveTenant, { key }, { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 });

export function StoredTenant() {
  const { key = '' } = useParams();
  const { data, error, refetch } = useStored(key);
  if (!data && error)
    return (
      <PageFrame title="This brand cannot be shown" lead={<Link to="/tenants">Go to Tenants</Link>}>
        <Failure of={error} otherwise="There is no such brand." again={refetch} />
      </PageFrame>
    );
  if (!data) return <Loading />;
  return <Editor key={`${key} ${data.version}`} tenantKey={key} stored={data} />;
}

/** Begins a brand in the look of another one. */
export function NewTenant() {
  const { key = '' } = useParams();
  const [params] = useSearchParams();
  // Each brand keeps its own input, also where the browser goes back to another.
  return <NewBrand key={key} tenantKey={key} like={params.get('like') ?? 'default'} name={params.get('name') ?? key} />;
}

interface NewBrandProps {
  tenantKey: string;
  like: string;
  name: string;
}

function NewBrand({ tenantKey: key, like, name }: NewBrandProps) {
  const template = useStored(like);
  const [content, setContent] = useState<TenantContent>();
  if (template.data && !content) setContent(settingsLike(template.data.content, key, name));
  if (!template.data && template.error) return <Navigate to="/tenants" replace />;
  if (!template.data || !content) return <Loading />;
  return <Editor tenantKey={key} stored={{ ...template.data, content, version: 0, state: 'live', clubs: [] }} />;
}

/** Returns a value once it has stayed as it is for a moment. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), 300);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

function Editor({ tenantKey: key, stored }: { tenantKey: string; stored: Stored }) {
  const isNew = stored.version === 0;
  const [content, setContent] = useState(stored.content);
  const [isSaving, setSaving] = useState(false);
  const settled = useSettled(content);
  const check = useAnswer(
    checkTenant,
    { key, content: settled },
    { placeholderData: keepPreviousData, refetchOnWindowFocus: false },
  );
  const problems = check.data?.problems ?? [];
  const [previewId, setPreviewId] = useState<string>(); // of the last draft that could be drawn
  const drawn = check.data?.previewId;
  if (drawn && drawn !== previewId) setPreviewId(drawn);
  const changes = changesBetween(isNew ? {} : stored.content, content);
  const isRedirects = key === redirectsKey;
  const Fields = isRedirects ? RedirectFields : TenantFields;
  const isChecked = settled === content && !check.isFetching;
  return (
    <PageFrame
      title={isRedirects ? 'Redirects' : String(content.name ?? key)}
      lead={
        <>
          <Link to="/tenants">Tenants</Link> ·{' '}
          {isRedirects ? (
            'clubs whose supporters continue at their own brand'
          ) : isNew ? (
            `${key}, not saved yet`
          ) : (
            <>
              <a href={stored.address} target="_blank" rel="noreferrer" className={styles.address}>
                {new URL(stored.address).host}
              </a>{' '}
              · version {stored.version} · <StateTag state={stored.state} />
            </>
          )}
        </>
      }
      actions={!isNew && <Download name={key} content={stored.content} />}
    >
      {stored.haltedBecause && <Notice kind="information">Debits are suspended: {stored.haltedBecause}</Notice>}
      <div className={styles.editor} data-preview={!isRedirects}>
        <div className={styles.fields}>
          <Fields tenantKey={key} content={content} onChange={setContent} problems={problems} clubs={stored.clubs} />
        </div>
        {!isRedirects && <TenantPreview id={previewId} />}
      </div>
      <div className={styles.saving}>
        <div className={styles.said}>
          <p role="status">{statusOf(problems, changes.length, isChecked)}</p>
          {problems
            .filter(({ field }) => field === '')
            .map(({ sentence }) => (
              <p key={sentence} className={styles.problem}>
                {sentence}
              </p>
            ))}
          {check.data?.advice.map((sentence) => (
            <p key={sentence} className={styles.quiet}>
              Advice: {sentence.startsWith(`${key}: `) ? sentence.slice(key.length + 2) : sentence}
            </p>
          ))}
          <Failure of={check.error} otherwise="The settings could not be checked." />
        </div>
        <Button
          isBusy={!isChecked && changes.length > 0}
          disabled={changes.length === 0 || problems.length > 0 || check.isError}
          onClick={() => setSaving(true)}
        >
          Save
        </Button>
      </div>
      {!isNew && <TenantHistory tenantKey={key} current={stored.version} isEdited={changes.length > 0} />}
      {changes.length > 0 && <Unsaved />}
      {isSaving && (
        <SaveDialog
          tenantKey={key}
          content={content}
          basedOn={stored.version}
          changes={changes}
          onClose={() => setSaving(false)}
        />
      )}
    </PageFrame>
  );
}

function statusOf(problems: SettingsProblem[], changes: number, isChecked: boolean): string {
  if (changes === 0) return 'Nothing is changed.';
  if (!isChecked) return 'Checking...';
  if (problems.length > 0) {
    const fields = [...new Set(problems.flatMap(({ field }) => (field ? [labelOf(field)] : [])))].join(', ');
    const count = problems.length === 1 ? 'Fix one problem to save' : `Fix ${problems.length} problems to save`;
    return fields ? `${count}: ${fields}.` : `${count}.`;
  }
  return changes === 1 ? 'One change, ready to save.' : `${changes} changes, ready to save.`;
}

interface SaveDialogProps {
  tenantKey: string;
  content: TenantContent;
  basedOn: number;
  changes: Change[];
  onClose: () => void;
}

/** Says what a save changes before it does. */
function SaveDialog({ tenantKey: key, content, basedOn, changes, onClose }: SaveDialogProps) {
  const navigate = useNavigate();
  const save = useMutation({
    mutationFn: () => call(saveTenant, { key, content, basedOn }),
    onSuccess: async () => {
      await forgetTenants();
      onClose();
      if (basedOn === 0) await navigate(`/tenants/${key}`, { replace: true });
    },
  });
  const ends = changes.find(({ name }) => name === 'endsOn');
  return (
    <Modal title={basedOn === 0 ? 'Open this brand?' : 'Save these changes?'} onClose={onClose}>
      <p>Every page has them within a minute. The version before stays and can be put back.</p>
      {ends && ends.after !== 'nothing' && (
        <Notice kind="information">
          The campaign ends on {ends.after}: from then on nobody registers or is debited.
        </Notice>
      )}
      {basedOn > 0 && <Changes changes={changes} />}
      <Failure of={save.error} otherwise="The settings are not as they should be." />
      <ModalActions onCancel={onClose} action="Save" onAction={() => save.mutate()} isBusy={save.isPending} />
    </Modal>
  );
}

/** Saves the settings as a file in the tenants/ format. */
function Download({ name, content }: { name: string; content: TenantContent }) {
  const text = `${JSON.stringify(content, null, 2)}\n`;
  return (
    <a
      className={styles.link}
      download={`${name}.json`}
      href={`data:application/json;charset=utf-8,${encodeURIComponent(text)}`}
    >
      Download the file
    </a>
  );
}
