import type { PicturePlace } from '@sparechange/contract/console';
import type { Db } from '#db/connect.ts';
import { InvalidInput } from '#errors.ts';
import { type LogoShape, problemsOfLogo, type TryLogo } from '#tenants/check-logo.ts';
import { kindOfPicture, problemsOfPicture } from '#tenants/check-picture.ts';
import { savePicture } from '#tenants/picture-repository.ts';

interface Upload {
  /** Tenant's key, with which the file's name begins. */
  key: string;
  place: PicturePlace;
  content: Buffer;
  operatorId: string;
}

const shapes: Record<PicturePlace, LogoShape> = { logoURL: 'wide', logoURLDashboard: 'mark', picture: 'picture' };

/**
 * Stores a logo or picture and returns its file's name. Throws InvalidInput for content that saving the settings with
 * it would refuse.
 */
export async function uploadPicture(db: Db, { place, ...upload }: Upload, tryLogo: TryLogo): Promise<string> {
  const { content } = upload;
  const kind = kindOfPicture(content);
  if (!kind) throw new InvalidInput('This file is not an SVG, PNG or JPEG.');
  const shape = shapes[place];
  const problems =
    place === 'picture'
      ? problemsOfPicture(`upload.${kind}`, content)
      : problemsOfLogo(content.toString('utf8'), shape);
  if (problems.length === 0)
    problems.push(...(await tryLogo(kind === 'svg' ? content.toString('utf8') : content, shape)));
  if (problems.length > 0) throw new InvalidInput(`This file cannot be used: ${problems.join('; ')}.`);
  return savePicture(db, { ...upload, kind });
}
