import { downloadPoster, type PosterFormat } from '@sparechange/contract/console';
import { useQuery } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import styles from './link.module.css';

interface DrawnProps {
  clubId: string;
  format: Extract<PosterFormat, 'preview' | 'shared'>;
  /** The class that keeps its room, so that nothing moves once it is there. */
  shape: string | undefined;
  /** Says what it shows. */
  name: string;
}

/** A picture that the server draws of a club's poster or shared link; without it, its room says so. */
export function Drawn({ clubId, format, shape, name }: DrawnProps) {
  const picture = useQuery({
    queryKey: [downloadPoster.name, clubId, format],
    queryFn: () => call(downloadPoster, { clubId, format }),
    staleTime: 60_000,
  });
  const { data, isError } = picture;
  return (
    <span className={`${styles.drawn} ${shape}`}>
      {data ? (
        <img src={`data:${data.mediaType};base64,${data.content}`} alt={name} />
      ) : (
        <span role="status">{isError ? 'The picture could not be drawn just now.' : 'Drawing …'}</span>
      )}
    </span>
  );
}
