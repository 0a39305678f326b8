import {
  approveClubRequest,
  type ClubRequest,
  listClubRequests,
  lookUpAbn,
  refuseClubRequest,
} from '@sparechange/contract/console';
import { sydneyDay } from '@sparechange/domain';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useMutation } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { call } from '#api/call.ts';
import { sentenceOf } from '#api/call-problem.ts';
import { readAgain } from '#api/query-client.ts';
import { useAnswer } from '#api/use-answer.ts';
import { useMay } from '#session/use-may.ts';
import { Quiet } from '../../ui/cells.tsx';
import { dayColumn } from '../../ui/columns.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Select } from '../../ui/filters.tsx';
import { Form, useCallForm } from '../../ui/form.tsx';
import { type Column, List } from '../../ui/list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageFrame, Pairs } from '../../ui/page.tsx';
import { addressPartOf } from '../tenants/address-part.ts';
import { tenantOptions } from '../tenants/tenant-options.ts';
import { changedWithClub, useClubChoices } from './club-dialog.tsx';
import { formatAbn } from './club-state.tsx';
import styles from './clubs.module.css';

const refresh = () => readAgain([...changedWithClub, listClubRequests]);

/** Somebody was faster: the list behind the dialog is outdated. */
const refreshAfter = (problem: Error) => {
  if (sentenceOf(problem)) void refresh();
};

const columnsFor = (open: ((request: ClubRequest) => void) | undefined): Column<ClubRequest>[] => [
  {
    title: 'Club',
    text: ({ name }) => name,
    opens: true,
    show: (request) => (
      <>
        {open ? (
          <button type="button" className={styles.name} onClick={() => open(request)}>
            {request.name}
          </button>
        ) : (
          <strong>{request.name}</strong>
        )}
        <Quiet>{request.suburb}</Quiet>
      </>
    ),
  },
  { title: 'ABN', text: ({ abn }) => formatAbn(abn) },
  { title: 'What for', text: ({ purpose }) => purpose, isSecondary: true },
  { title: 'Contact', text: ({ contactName, email }) => `${contactName} <${email}>`, isSecondary: true },
  dayColumn('Asked', ({ askedAt }) => sydneyDay(new Date(askedAt))),
];

/** Clubs that ask to join, whose contacts have confirmed it. */
export function Requests() {
  const [opened, setOpened] = useState<ClubRequest>();
  const mayDecide = useMay(approveClubRequest);
  return (
    <PageFrame title="Requests" lead={<Link to="/clubs">All clubs</Link>}>
      <List
        name="Requests"
        operation={listClubRequests}
        columns={columnsFor(mayDecide ? setOpened : undefined)}
        empty="No club waits for an answer. Clubs ask on the page /join, and are listed here once their contact has confirmed it."
      />
      {opened && <RequestDialog request={opened} onClose={() => setOpened(undefined)} />}
    </PageFrame>
  );
}

/** Links to the requests, with their number. */
export function RequestsLink() {
  const { data } = useAnswer(listClubRequests, { limit: 1 });
  return (
    <Link to="/clubs/requests" className={styles.requests}>
      Requests{data && data.count > 0 && <span className={styles.count}>{data.count}</span>}
    </Link>
  );
}

function RequestDialog({ request, onClose }: { request: ClubRequest; onClose: () => void }) {
  const [isRefusing, setRefusing] = useState(false);
  const choices = useClubChoices();
  return (
    <Modal title={request.name} onClose={onClose}>
      <Pairs
        className={styles.facts}
        rows={[
          [
            'ABN',
            <Fragment key="abn">
              {formatAbn(request.abn)}
              <AbnName requestId={request.id} />
            </Fragment>,
          ],
          ['Suburb', request.suburb],
          ['What for', request.purpose],
          ['Contact', `${request.contactName}, ${request.email}`],
        ]}
      />
      {/* Typed values stay for a person who comes back from refusing. */}
      <div hidden={isRefusing}>
        <Loaded query={choices}>
          {({ tenants }) => (
            <Approve tenants={tenants} request={request} onClose={onClose} onRefuse={() => setRefusing(true)} />
          )}
        </Loaded>
      </div>
      {isRefusing && <Refuse request={request} onClose={onClose} onBack={() => setRefusing(false)} />}
    </Modal>
  );
}

const abnInWords = {
  active: 'active',
  cancelled: 'cancelled',
  unknown: 'Nobody has this ABN',
  unavailable: 'The register does not answer just now',
  not_configured: '',
};

/** Names an ABN's holder, where the register is asked. */
function AbnName({ requestId }: { requestId: string }) {
  const { data, isError } = useAnswer(lookUpAbn, { requestId });
  if (isError) return <span className={styles.abn}>The register could not be asked</span>;
  if (!data || data.state === 'not_configured') return null;
  return <span className={styles.abn}>{[data.name, abnInWords[data.state]].filter(Boolean).join(', ')}</span>;
}

interface ApproveProps {
  request: ClubRequest;
  tenants: readonly { key: string; name: string; parentId: string | null }[];
  onClose: () => void;
  onRefuse: () => void;
}

function Approve({ request, tenants, onClose, onRefuse }: ApproveProps) {
  const navigate = useNavigate();
  const brands = tenants.filter(({ key, parentId }) => key === 'default' || parentId !== null);
  const [tenant, setTenant] = useState<string>();
  const chosen = tenant ?? (brands.some(({ key }) => key === request.tenantKey) ? request.tenantKey : 'default');
  const approve = useMutation({
    mutationFn: (form: FormData) => {
      const { name, slug } = Object.fromEntries(form) as { name: string; slug: string };
      return call(approveClubRequest, { requestId: request.id, tenant: chosen, name, slug });
    },
    onSuccess: async ({ clubId }) => {
      await refresh();
      void navigate(`/clubs/${clubId}`);
    },
    onError: refreshAfter,
  });
  const { error } = approve;
  const { problem, form } = useCallForm(error, approve.mutate);
  return (
    <Form {...form}>
      <TextField
        label="Name"
        name="name"
        defaultValue={request.name}
        required
        maxLength={120}
        error={problem('name')}
      />
      <TextField
        label="Link"
        name="slug"
        defaultValue={addressPartOf(request.name, 80)}
        required
        maxLength={80}
        error={problem('slug')}
        hint="Its page opens right away; it is paid once its bank details are given and confirmed."
      />
      <Select label="Brand" value={chosen} onChange={setTenant} options={tenantOptions(brands)} />
      {(problem('tenant') ?? sentenceOf(error)) && <Notice>{problem('tenant') ?? sentenceOf(error)}</Notice>}
      <ModalActions onCancel={onClose} action="Add the club" isBusy={approve.isPending}>
        <Button look="quiet" onClick={onRefuse}>
          Refuse
        </Button>
      </ModalActions>
    </Form>
  );
}

function Refuse({ request, onClose, onBack }: { request: ClubRequest; onClose: () => void; onBack: () => void }) {
  const refuse = useMutation({
    mutationFn: (form: FormData) =>
      call(refuseClubRequest, { requestId: request.id, reason: String(form.get('reason')) }),
    onSuccess: async () => {
      await refresh();
      onClose();
    },
    onError: refreshAfter,
  });
  const { error } = refuse;
  const { problem, form } = useCallForm(error, refuse.mutate);
  return (
    <Form {...form}>
      <TextField
        label="Reason"
        name="reason"
        required
        maxLength={300}
        hint={`Mailed to ${request.email}. The request is deleted after 90 days.`}
        error={problem('reason')}
      />
      <Failure of={error} />
      <ModalActions onCancel={onBack} action="Refuse the request" isBusy={refuse.isPending} />
    </Form>
  );
}
