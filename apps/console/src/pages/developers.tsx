import {
  listWebhookAttempts,
  listWebhookEndpoints,
  retrieveProgramApi,
  type WebhookAttempt,
} from '@sparechange/contract/console';
import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { useState } from 'react';
import { useAnswer } from '#api/use-answer.ts';
import { useFilter } from '#api/use-list.ts';
import { Dotted, OpenRow, Quiet } from '../ui/cells.tsx';
import { instantColumn } from '../ui/columns.tsx';
import { Filters, Select } from '../ui/filters.tsx';
import { type Column, List } from '../ui/list.tsx';
import { PageFrame, Section, Tag } from '../ui/page.tsx';
import { instantInWords } from '../words.ts';
import { Endpoints, ReplayDialog } from './developers/developer-endpoints.tsx';
import { Keys } from './developers/developer-keys.tsx';

/** Keys of programs, endpoints that get events, and the attempts to deliver them. */
export default function Developers() {
  const api = useAnswer(retrieveProgramApi, {});
  return (
    <PageFrame
      title="Developers"
      lead={
        <>
          Programs that read clubs and payouts, or get events.{' '}
          {api.data && (
            <>
              They call {api.data.url}, described by <a href={api.data.descriptionUrl}>OpenAPI</a>.
            </>
          )}
        </>
      }
    >
      <Keys />
      <Endpoints />
      <Deliveries />
    </PageFrame>
  );
}

const stateNames: Record<WebhookAttempt['state'], string> = {
  delivered: 'Delivered',
  waiting: 'Will be tried again',
  parked: 'Given up',
  ended: 'Endpoint removed',
};

const answerOf = ({ status, answer }: WebhookAttempt) =>
  status === null ? `No answer: ${answer}` : `${status} ${answer}`.trim();

const columnsFor = (open: (attempt: WebhookAttempt) => void): Column<WebhookAttempt>[] => [
  {
    title: 'Event',
    text: ({ type, eventId }) => `${type} ${eventId}`,
    opens: true,
    show: (attempt) => (
      <>
        <OpenRow onClick={() => open(attempt)}>
          <Dotted name={attempt.type} />
        </OpenRow>
        <Quiet>
          <Dotted name={new URL(attempt.url).host} />
        </Quiet>
      </>
    ),
  },
  instantColumn('When', ({ at }) => at),
  {
    title: 'Answer',
    text: answerOf,
    show: (attempt) => (
      <>
        {answerOf(attempt)}
        <Quiet>{attempt.durationMs} ms</Quiet>
      </>
    ),
    isSecondary: true,
  },
  {
    title: 'Event now',
    text: ({ state }) => stateNames[state],
    show: ({ state }) => (
      <Tag tone={state === 'delivered' ? 'good' : state === 'parked' ? 'bad' : 'plain'}>{stateNames[state]}</Tag>
    ),
  },
];

function Deliveries() {
  const { filter, setFilter } = useFilter('endpointId');
  const [opened, setOpened] = useState<WebhookAttempt>();
  const endpoints = useAnswer(listWebhookEndpoints, {});
  return (
    <Section title="Deliveries">
      <Filters>
        <Select
          label="Endpoint"
          all="All endpoints"
          value={filter.endpointId ?? ''}
          onChange={(value) => setFilter('endpointId', value)}
          options={(endpoints.data?.rows ?? []).map(({ id, url }) => ({ value: id, label: url }))}
        />
      </Filters>
      <List
        name="Deliveries"
        operation={listWebhookAttempts}
        filter={filter}
        columns={columnsFor(setOpened)}
        empty={`Nothing has been delivered ${filter.endpointId ? 'to this endpoint ' : ''}yet. Each attempt to deliver an event is shown here, with the answer; that to a test event, where it is sent.`}
      />
      {opened && <Attempt attempt={opened} onClose={() => setOpened(undefined)} />}
    </Section>
  );
}

/** Shows an attempt to deliver an event; unless its endpoint was removed, the event can be delivered again. */
function Attempt({ attempt, onClose }: { attempt: WebhookAttempt; onClose: () => void }) {
  const { type, url, status, answer, at, state, endpointId, eventId } = attempt;
  const what = (
    <>
      <p>
        {url} {status === null ? 'did not answer' : `answered ${status}`} on {instantInWords(at)}.
      </p>
      {answer && <p>{answer}</p>}
    </>
  );
  if (state === 'ended')
    return (
      <Modal title={type} onClose={onClose}>
        {what}
        <p>The endpoint was removed, so the event is not delivered any more.</p>
        <ModalActions onCancel={onClose} cancel="Close" />
      </Modal>
    );
  return (
    <ReplayDialog title={type} endpointId={endpointId} eventId={eventId} onClose={onClose}>
      {what}
      <p>
        The event is delivered again within a minute, or once a paused endpoint is resumed, under the same id. A program
        that already has it can ignore it.
      </p>
    </ReplayDialog>
  );
}
