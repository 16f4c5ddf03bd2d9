package store

import "context"

// loadParquet loads a Parquet file. Its types are kept.
func (l *loader) loadParquet(ctx context.Context) error {
	written, err := l.writeTyped(ctx, l.in.stem, "read_parquet("+globbed(l.in.path)+")")
	if err != nil {
		return err
	}
	l.tables = append(l.tables, written)
	return nil
}
