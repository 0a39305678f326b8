import {
  type ApiKey,
  createApiKey,
  type KeyOrAsked,
  listApiKeys,
  listApprovals,
  revokeApiKey,
  rotateApiKey,
  scopeNames,
  scopesInWords,
} from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Acts, Choices, OpenRow, Quiet } from '../../ui/cells.tsx';
import { instantColumn } from '../../ui/columns.tsx';
import { exportedInstant } from '../../ui/exported-instant.ts';
import { type Column, List } from '../../ui/list.tsx';
import { numberIn, numberOf } from '../../ui/number-in.ts';
import { Section, Tag } from '../../ui/page.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { WaitsForApproval } from '../../ui/waits-for-approval.tsx';
import { instantInWords } from '../../words.ts';
import { Approvals, isOpen, useApprovalsOf } from '../parts/approvals.tsx';
import { Clubs } from '../people/role-fields.tsx';
import styles from './developer-keys.module.css';

const stateNames: Record<ApiKey['state'], string> = { valid: 'Valid', expired: 'Expired', revoked: 'Revoked' };
const mayInWords: Record<ApiKey['state'], string> = {
  valid: 'It may',
  expired: 'It has expired, and could',
  revoked: 'It is revoked, and could',
};
const clubOf = ({ club }: ApiKey) => club?.name ?? 'All clubs';

const columnsFor = (open: (key: ApiKey) => void): Column<ApiKey>[] => [
  {
    title: 'Key',
    text: ({ name, id }) => `${name} (${id})`,
    opens: true,
    show: (key) => (
      <>
        <OpenRow onClick={() => open(key)}>{key.name}</OpenRow>
        <Quiet>{key.id}</Quiet>
      </>
    ),
  },
  {
    title: 'May',
    text: (key) => `${scopesInWords(key.scopes)}: ${clubOf(key)}`,
    show: (key) => (
      <>
        {scopesInWords(key.scopes)}
        <Quiet>{clubOf(key)}</Quiet>
      </>
    ),
    isSecondary: true,
  },
  {
    title: 'State',
    text: ({ state, expiresAt }) => `${stateNames[state]}, until ${exportedInstant(expiresAt)}`,
    show: ({ state, expiresAt }) => (
      <>
        <Tag tone={state === 'valid' ? 'good' : 'plain'}>{stateNames[state]}</Tag>
        {state === 'valid' && <Quiet>until {instantInWords(expiresAt)}</Quiet>}
      </>
    ),
  },
  instantColumn('Last used', ({ usedAt }) => usedAt, { empty: 'never' }),
];

/** Shows a new key, or that it waits for a second person. */
const afterKey = ({ key, asked }: KeyOrAsked) =>
  key ? <ShownOnce label="The key" secret={key.text} /> : asked && <WaitsForApproval asked={asked} />;

/** Programs' API keys; opening one allows rotating or revoking it. */
export function Keys() {
  const [opened, setOpened] = useState<ApiKey | 'new'>();
  const asked = [...useApprovalsOf('api_key'), ...useApprovalsOf('api_key_rotation')].filter(isOpen);
  const close = () => setOpened(undefined);
  return (
    <Section
      title="API keys"
      actions={
        <Button look="secondary" onClick={() => setOpened('new')}>
          Make a key
        </Button>
      }
    >
      <List
        name="API keys"
        operation={listApiKeys}
        columns={columnsFor(setOpened)}
        empty="No key yet. Make one for each program, so that each can be revoked on its own."
      />
      <Approvals approvals={asked} />
      {opened === 'new' && <NewKey onClose={close} />}
      {opened && opened !== 'new' && <KeyDialog apiKey={opened} onClose={close} />}
    </Section>
  );
}

const daysField = (error: string | undefined) => (
  <TextField label="Valid for days" name="days" type="number" inputMode="numeric" defaultValue={365} error={error} />
);

function NewKey({ onClose }: { onClose: () => void }) {
  const [clubs, setClubs] = useState<{ id: string; name: string }[]>([]);
  return (
    <ActDialog
      title="Make an API key"
      action="Make the key"
      act={(form) =>
        call(createApiKey, {
          name: String(form.get('name')),
          scopes: form.getAll('scopes') as ApiKey['scopes'],
          clubId: clubs[0]?.id,
          days: numberIn(form, 'days'),
        })
      }
      changes={[listApiKeys, listApprovals]}
      after={afterKey}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <p>It is shown once. A key that may change clubs’ pages needs a second person, and is shown to them.</p>
          <TextField label="Name of the program" name="name" maxLength={80} required error={problem('name')} />
          <Choices legend="It may" name="scopes" options={scopeNames} error={problem('scopes')} />
          <Clubs label="Limit to one club" clubs={clubs} onChange={(chosen) => setClubs(chosen.slice(-1))} />
          {daysField(problem('days', numberOf))}
        </>
      )}
    </ActDialog>
  );
}

const examplePaths: Partial<Record<ApiKey['scopes'][number], string>> = {
  read_clubs: '/v1/clubs',
  read_payouts: '/v1/payouts',
  read_totals: '/v1/totals',
};

/** A call that the key may make, to be pasted into a shell; nothing for a key that only writes. */
function Example({ scopes }: Pick<ApiKey, 'scopes'>) {
  const path = scopes.map((scope) => examplePaths[scope]).find((each) => each !== undefined);
  if (!path) return null;
  const site = `${location.protocol}//${location.host.replace(/^console\./, '')}`;
  return <pre className={styles.example}>{`curl -H "Authorization: Bearer $KEY" ${site}/api${path}`}</pre>;
}

function KeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { id, name, state, usedAt, formerUntil } = apiKey;
  const [chosen, setChosen] = useState<'rotate' | 'revoke'>();
  if (chosen === 'rotate')
    return (
      <ActDialog
        title={`Rotate the secret of ${name}`}
        action="Rotate"
        act={(form) =>
          call(rotateApiKey, {
            id,
            days: numberIn(form, 'days'),
            overlapHours: numberIn(form, 'overlapHours'),
          })
        }
        changes={[listApiKeys, listApprovals]}
        after={afterKey}
        onClose={onClose}
      >
        {(problem) => (
          <>
            <p>The present secret stays valid for some hours, so that the program can switch over.</p>
            {formerUntil && (
              <Notice kind="information">
                The secret before it, valid until {instantInWords(formerUntil)}, stops working right away. Rotate again
                only when no program uses it any more.
              </Notice>
            )}
            <TextField
              label="Overlap in hours"
              name="overlapHours"
              type="number"
              inputMode="numeric"
              defaultValue={72}
              error={problem('overlapHours', numberOf)}
            />
            {daysField(problem('days', numberOf))}
          </>
        )}
      </ActDialog>
    );
  if (chosen === 'revoke')
    return (
      <ActDialog
        title={`Revoke ${name}?`}
        action="Revoke"
        isDangerous
        act={() => call(revokeApiKey, { id })}
        changes={[listApiKeys]}
        onClose={onClose}
      >
        {() => <p>Every call with it is refused from now on. It cannot be brought back.</p>}
      </ActDialog>
    );
  return (
    <Modal title={name} onClose={onClose}>
      <p>
        {mayInWords[state]} {scopesInWords(apiKey.scopes)} ({clubOf(apiKey)}). Last used:{' '}
        {usedAt ? instantInWords(usedAt) : 'never'}.
        {formerUntil && ` The former secret is valid until ${instantInWords(formerUntil)}.`}
      </p>
      {state === 'valid' && <Example scopes={apiKey.scopes} />}
      {state !== 'revoked' && (
        <Acts>
          {state === 'valid' && (
            <Button look="secondary" onClick={() => setChosen('rotate')}>
              Rotate its secret
            </Button>
          )}
          <Button look="quiet" isDangerous onClick={() => setChosen('revoke')}>
            Revoke it
          </Button>
        </Acts>
      )}
      <ModalActions onCancel={onClose} cancel="Close" />
    </Modal>
  );
}
