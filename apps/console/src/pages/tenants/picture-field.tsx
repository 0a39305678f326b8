import { PicturePlace, uploadTenantPicture } from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { call } from '#api/call.ts';
import { sentenceOf } from '#api/call-problem.ts';
import { contentOf } from '../../ui/read-file.ts';
import type { TypedFieldProps } from './tenant-fields.tsx';
import styles from './tenants.module.css';

const largestFile = 300_000;

/** Shows a logo or picture; takes another from a file. */
export function PictureField({ name, tenantKey, ...field }: TypedFieldProps & { name: string; tenantKey: string }) {
  const { label, value, error, onChange } = field;
  const input = useRef<HTMLInputElement>(null);
  const upload = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > largestFile) throw new Error('too large');
      const place = PicturePlace.parse(name);
      return call(uploadTenantPicture, { key: tenantKey, place, content: await contentOf(file) });
    },
    onSuccess: ({ value: uploaded }) => onChange(uploaded),
  });
  const refusal = upload.error?.message === 'too large' ? 'The file has more than 300 kB.' : sentenceOf(upload.error);
  const source = value.startsWith('/') || value === '' ? value : `/tenants/pictures/${value}`;
  return (
    <div className={styles.picture}>
      <TextField
        {...field}
        error={refusal ?? error}
        onChange={({ target }) => {
          if (upload.isError) upload.reset(); // what is typed takes the place of the file that was refused
          onChange(target.value);
        }}
      />
      <div className={styles.shown}>
        {source && !error && <img src={source} alt={`${label} as it is`} />}
        <input
          ref={input}
          type="file"
          hidden
          aria-label={`File of ${label}`}
          accept={name === 'picture' ? '.svg,.png,.jpg,.jpeg' : '.svg'}
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) upload.mutate(file);
            target.value = ''; // the next choice may be the same file, mended
          }}
        />
        <Button look="secondary" isBusy={upload.isPending} onClick={() => input.current?.click()}>
          Upload
        </Button>
      </div>
    </div>
  );
}
