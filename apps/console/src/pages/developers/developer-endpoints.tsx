import {
  addWebhookEndpoint,
  listWebhookAttempts,
  listWebhookEndpoints,
  pauseWebhookEndpoint,
  removeWebhookEndpoint,
  replayWebhooks,
  rotateWebhookSecret,
  testWebhookEndpoint,
  type WebhookEndpoint,
} from '@sparechange/contract/console';
import { counted } from '@sparechange/domain/counted';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '#api/call.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Acts, Choices, OpenRow, Quiet } from '../../ui/cells.tsx';
import { Failure } from '../../ui/failure.tsx';
import { type Column, List } from '../../ui/list.tsx';
import { numberIn, numberOf } from '../../ui/number-in.ts';
import { Section, Tag } from '../../ui/page.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { instantInWords } from '../../words.ts';
import { Clubs } from '../people/role-fields.tsx';

const eventNames: Record<WebhookEndpoint['types'][number], string> = {
  'payout.cleared': 'payout.cleared: a payout has arrived',
  'debit.run.finished': "debit.run.finished: a day's debits were submitted",
  'club.changed': 'club.changed: a club was added or changed',
  'supporter.count': "supporter.count: a club's supporters were recounted",
};

const ofWhat = ({ club }: WebhookEndpoint) => club?.name ?? 'All clubs';
const queueOf = ({ waiting, parked }: WebhookEndpoint) =>
  [waiting > 0 ? `${waiting} waiting` : '', parked > 0 ? `${parked} given up` : ''].filter(Boolean).join(', ') ||
  'none';

const columnsFor = (open: (endpoint: WebhookEndpoint) => void): Column<WebhookEndpoint>[] => [
  {
    title: 'Endpoint',
    text: ({ url }) => url,
    opens: true,
    show: (endpoint) => (
      <>
        <OpenRow onClick={() => open(endpoint)}>{endpoint.url}</OpenRow>
        <Quiet>{ofWhat(endpoint)}</Quiet>
      </>
    ),
  },
  { title: 'Gets', text: ({ types }) => types.join(', '), isSecondary: true },
  { title: 'Undelivered', text: queueOf },
  {
    title: 'State',
    text: ({ pausedAt }) => (pausedAt ? 'Paused' : 'Active'),
    show: ({ pausedAt }) => <Tag tone={pausedAt ? 'plain' : 'good'}>{pausedAt ? 'Paused' : 'Active'}</Tag>,
  },
];

export function Endpoints() {
  const [opened, setOpened] = useState<WebhookEndpoint | 'new'>();
  const close = () => setOpened(undefined);
  return (
    <Section
      title="Webhook endpoints"
      actions={
        <Button look="secondary" onClick={() => setOpened('new')}>
          Add an endpoint
        </Button>
      }
    >
      <List
        name="Webhook endpoints"
        operation={listWebhookEndpoints}
        columns={columnsFor(setOpened)}
        empty="No endpoint yet. Add the address of a program that wants to hear of payouts or runs."
      />
      {opened === 'new' && <NewEndpoint onClose={close} />}
      {opened && opened !== 'new' && <EndpointDialog endpoint={opened} onClose={close} />}
    </Section>
  );
}

const secretShown = ({ secret }: { secret: string }) => <ShownOnce label="The signing secret" secret={secret} />;

function NewEndpoint({ onClose }: { onClose: () => void }) {
  const [clubs, setClubs] = useState<{ id: string; name: string }[]>([]);
  return (
    <ActDialog
      title="Add a webhook endpoint"
      action="Add the endpoint"
      act={(form) =>
        call(addWebhookEndpoint, {
          url: String(form.get('url')),
          types: form.getAll('types') as WebhookEndpoint['types'],
          clubId: clubs[0]?.id,
        })
      }
      changes={[listWebhookEndpoints]}
      after={secretShown}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <p>Events from now on are posted there, signed. None of them names a person.</p>
          <TextField label="Address" name="url" type="url" maxLength={500} required error={problem('url')} />
          <Choices legend="It gets" name="types" options={eventNames} error={problem('types')} />
          <Clubs label="Limit to one club" clubs={clubs} onChange={(chosen) => setClubs(chosen.slice(-1))} />
        </>
      )}
    </ActDialog>
  );
}

const resumedInWords = (waiting: number): string =>
  waiting === 0
    ? 'Nothing waits for it.'
    : `${counted(waiting, 'event')} will be delivered, beginning within a minute.`;

type EndpointAct = 'pause' | 'rotate' | 'replay' | 'remove';

function EndpointDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const { id: endpointId, url, pausedAt, formerUntil, parked, waiting } = endpoint;
  const [chosen, setChosen] = useState<EndpointAct>();
  const isActive = pausedAt === null;
  const dialog = { changes: [listWebhookEndpoints], onClose };
  if (chosen === 'rotate')
    return (
      <ActDialog
        {...dialog}
        title="Rotate the signing secret?"
        action="Rotate"
        act={(form) => call(rotateWebhookSecret, { endpointId, overlapHours: numberIn(form, 'overlapHours') })}
        after={secretShown}
      >
        {(problem) => (
          <>
            <p>For some hours both secrets sign, so that the program can change over.</p>
            <TextField
              label="Overlap in hours"
              name="overlapHours"
              type="number"
              inputMode="numeric"
              defaultValue={24}
              error={problem('overlapHours', numberOf)}
            />
          </>
        )}
      </ActDialog>
    );
  if (chosen === 'pause')
    return (
      <ActDialog
        {...dialog}
        title={isActive ? 'Pause this endpoint?' : 'Resume this endpoint?'}
        action={isActive ? 'Pause' : 'Resume'}
        act={() => call(pauseWebhookEndpoint, { endpointId, isPaused: isActive })}
      >
        {() => (
          <p>
            {isActive ? 'Nothing is delivered to it until it is resumed. Events are kept.' : resumedInWords(waiting)}
          </p>
        )}
      </ActDialog>
    );
  if (chosen === 'remove')
    return (
      <ActDialog
        {...dialog}
        title="Remove this endpoint?"
        action="Remove"
        isDangerous
        act={() => call(removeWebhookEndpoint, { endpointId })}
      >
        {() => <p>Nothing is delivered to {url} any more, and what waits for it is dropped.</p>}
      </ActDialog>
    );
  if (chosen === 'replay')
    return (
      <ReplayDialog title="Deliver again what was given up?" endpointId={endpointId} onClose={onClose}>
        <p>
          {counted(parked, 'event')} will be tried for three days,{' '}
          {isActive ? 'beginning within a minute.' : 'once the endpoint is resumed.'}
        </p>
      </ReplayDialog>
    );
  return (
    <Modal title={new URL(url).host} onClose={onClose}>
      <p>
        {url} gets {endpoint.types.join(', ')} ({ofWhat(endpoint)}).
        {formerUntil && ` The former secret signs as well until ${instantInWords(formerUntil)}.`}
      </p>
      <Test endpointId={endpointId} />
      <Acts>
        {parked > 0 && (
          <Button look="secondary" onClick={() => setChosen('replay')}>
            Deliver again what was given up
          </Button>
        )}
        <Button look="secondary" onClick={() => setChosen('pause')}>
          {isActive ? 'Pause' : 'Resume'}
        </Button>
        <Button look="secondary" onClick={() => setChosen('rotate')}>
          Rotate its secret
        </Button>
        <Button look="quiet" isDangerous onClick={() => setChosen('remove')}>
          Remove it
        </Button>
      </Acts>
      <ModalActions onCancel={onClose} cancel="Close" />
    </Modal>
  );
}

/** Posts a test event and shows the answer. */
function Test({ endpointId }: { endpointId: string }) {
  const test = useMutation({ mutationFn: () => call(testWebhookEndpoint, { endpointId }) });
  return (
    <Acts>
      {test.data && (
        <Notice kind={test.data.status !== null && test.data.status < 300 ? 'information' : 'error'}>
          {test.data.status === null ? 'No answer' : `Answered ${test.data.status}`} after {test.data.durationMs} ms.{' '}
          {test.data.answer}
        </Notice>
      )}
      <Failure of={test.error} />
      <Button look="secondary" isBusy={test.isPending} onClick={() => test.mutate()}>
        Send a test event
      </Button>
    </Acts>
  );
}

interface ReplayDialogProps {
  title: string;
  endpointId: string;
  /** Absent for all events that were given up. */
  eventId?: string;
  onClose: () => void;
  children: ReactNode;
}

export const ReplayDialog = ({ title, endpointId, eventId, onClose, children }: ReplayDialogProps) => (
  <ActDialog
    title={title}
    action="Deliver again"
    act={() => call(replayWebhooks, { endpointId, eventId })}
    changes={[listWebhookEndpoints, listWebhookAttempts]}
    onClose={onClose}
  >
    {() => children}
  </ActDialog>
);
