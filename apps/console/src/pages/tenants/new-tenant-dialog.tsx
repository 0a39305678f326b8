import { listTenantNames, TenantKey } from '@sparechange/contract/console';
import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAnswer } from '#api/use-answer.ts';
import { Select } from '../../ui/filters.tsx';
import { Form } from '../../ui/form.tsx';
import { addressPartOf } from './address-part.ts';
import { tenantOptions } from './tenant-options.ts';

/** Asks for a new brand's name and address, and the brand to begin from. */
export function NewTenantDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const brands = useAnswer(listTenantNames, {});
  const rows = brands.data?.tenants ?? [];
  const [name, setName] = useState('');
  const [typedKey, setKey] = useState<string>();
  const [like, setLike] = useState('default');
  const [asked, setAsked] = useState(0);
  const isAsked = asked > 0;
  const key = typedKey ?? addressPartOf(name, 60);
  const problem = rows.some((brand) => brand.key === key)
    ? 'Another brand has this address'
    : TenantKey.safeParse(key).error?.issues[0]?.message;
  return (
    <Modal title="New brand" onClose={onClose}>
      <Form
        refusal={asked}
        onSubmit={() => {
          setAsked(asked + 1);
          if (name.trim() && !problem) void navigate(`${key}/new?${new URLSearchParams({ like, name: name.trim() })}`);
        }}
      >
        <TextField
          label="Name"
          value={name}
          maxLength={80}
          required
          onChange={(event) => setName(event.target.value)}
          error={isAsked && !name.trim() ? 'Please enter a name' : undefined}
        />
        <TextField
          label="First part of its address"
          value={key}
          maxLength={63}
          required
          onChange={(event) => setKey(event.target.value)}
          hint="It cannot be changed later."
          error={isAsked && name.trim() ? problem : undefined}
        />
        <Select label="Begin with the look of" value={like} onChange={setLike} options={tenantOptions(rows)} />
        <ModalActions onCancel={onClose} action="Edit it" />
      </Form>
    </Modal>
  );
}
