import styles from './picture-tiles.module.css';

interface PictureTilesProps {
  label: string;
  /** The field's name in its form. */
  name: string;
  folder: 'logos' | 'pictures';
  files: readonly string[];
  /** The file chosen at first; empty for none. */
  chosen: string;
}

/** Chooses one of some drawings, or none, by its look. */
export const PictureTiles = ({ label, name, folder, files, chosen }: PictureTilesProps) => (
  <fieldset className={styles.choice}>
    <legend className={styles.legend}>{label}</legend>
    <div className={styles.tiles}>
      {['', ...files].map((file) => (
        <label key={file} className={styles.tile}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            value={file}
            aria-label={file || 'None'}
            defaultChecked={file === chosen}
          />
          <span className={styles.plate}>
            {file && <img src={`/tenants/${folder}/${file}`} alt="" loading="lazy" width={72} height={48} />}
          </span>
          <span className={styles.file} aria-hidden="true">
            {file.replace(/\.\w+$/, '') || 'None'}
          </span>
        </label>
      ))}
    </div>
  </fieldset>
);
