package memory

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"assay/backend/session"
)

// indexVersion is counted up when texts are cut into words in another way: the index is then made anew.
const indexVersion = 1

// searchable is what a turn is found by.
type searchable struct {
	request, session, asked, title string // of the session
	turn                           int
	named                          string // what a person calls the answer
	question, query, narration     string
	metric                         string // labels of the metrics
	note                           string // what a person said of the answer
	pinned, archived               bool
}

const searchableColumns = `r.id, r.session, r.turn, r.asked, s.title, s.pinned IS NOT NULL, s.archived IS NOT NULL, r.question, r.frame_ql, coalesce(found.labels, ''), coalesce(f.words, ''),
	coalesce((SELECT json_extract(body, '$.text') FROM artifact WHERE request = r.id AND kind = '` + string(session.KindNarration) + `'), ''),
	coalesce((SELECT json_extract(body, '$.title') FROM artifact WHERE request = r.id AND kind = '` + string(session.KindView) + `'), '')
	FROM request r JOIN session s ON s.id = r.session LEFT JOIN feedback f ON f.request = r.id LEFT JOIN found ON found.request = r.id`

func (x *searchable) scan(row interface{ Scan(...any) error }) error {
	return row.Scan(&x.request, &x.session, &x.turn, &x.asked, &x.title, &x.pinned, &x.archived, &x.question, &x.query, &x.metric, &x.note, &x.narration, &x.named)
}

// index puts a finished request into the index, or there anew, within the transaction that changes it. labels are those of its metrics; nil: as they
// stand in the index.
func index(ctx context.Context, tx *sql.Tx, requestID string, labels []string) error {
	var x searchable
	if err := x.scan(tx.QueryRowContext(ctx, `SELECT `+searchableColumns+` WHERE r.id = ?`, requestID)); err != nil {
		return err
	}
	if labels != nil {
		x.metric = strings.Join(labels, ", ")
	}
	return x.index(ctx, tx)
}

// indexFinished puts a request that is just finished into the index.
func indexFinished(ctx context.Context, tx *sql.Tx, requestID string, t session.Turn) error {
	x := searchable{request: requestID, query: t.FrameQL, metric: strings.Join(metricLabels(bytes.NewReader(t.Answer)), ", ")}
	if err := tx.QueryRowContext(ctx, `SELECT s.id, s.title, r.question FROM request r JOIN session s ON s.id = r.session WHERE r.id = ?`, requestID).Scan(&x.session, &x.title, &x.question); err != nil {
		return err
	}
	for _, a := range t.Artifacts {
		var narration struct{ Text string }
		if a.Kind == session.KindNarration && json.Unmarshal(a.Body, &narration) == nil {
			x.narration = narration.Text
		}
	}
	return x.index(ctx, tx)
}

// index writes what is known of a turn into the index.
func (x *searchable) index(ctx context.Context, tx *sql.Tx) error {
	var n int64
	err := tx.QueryRowContext(ctx, `INSERT INTO found (request, session, labels) VALUES (?, ?, ?) ON CONFLICT (request) DO NOTHING RETURNING n`, x.request, x.session, x.metric).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) { // it is there
		err = tx.QueryRowContext(ctx, `UPDATE found SET labels = ? WHERE request = ? RETURNING n`, x.metric, x.request).Scan(&n)
		if err == nil {
			_, err = tx.ExecContext(ctx, `DELETE FROM found_words WHERE rowid = ?`, n)
		}
	}
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO found_words (rowid, words) VALUES (?, ?)`, n, indexed(x.title, x.named, x.question, x.query, x.narration, x.metric, x.note))
	return err
}

// indexSession puts the requests of a session that are in the index there anew, because its title changed.
func indexSession(ctx context.Context, tx *sql.Tx, id string) error {
	ids, err := texts(ctx, tx, `SELECT request FROM found WHERE session = ?`, id)
	for _, request := range ids {
		if err == nil {
			err = index(ctx, tx, request, nil)
		}
	}
	return err
}

// indexAgain puts a request into the index anew where it is in it.
func indexAgain(ctx context.Context, tx *sql.Tx, requestID string) error {
	var known bool
	err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM found WHERE request = ?)`, requestID).Scan(&known)
	if err == nil && known {
		err = index(ctx, tx, requestID, nil)
	}
	return err
}

// indexAll makes the index anew where it is of another version, or was never made.
func (m *Memory) indexAll(ctx context.Context) error {
	var version int
	if known, err := m.Kept(ctx, "search", &version); err != nil || known && version == indexVersion {
		return err
	}
	err := m.update(ctx, func(tx *sql.Tx) error {
		for _, clear := range []string{`DELETE FROM found`, `DELETE FROM found_words`} {
			if _, err := tx.ExecContext(ctx, clear); err != nil {
				return err
			}
		}
		ids, err := texts(ctx, tx, `SELECT id FROM request WHERE finished IS NOT NULL ORDER BY rowid`)
		if err != nil {
			return err
		}
		for _, id := range ids {
			var answer sql.NullString
			if err := tx.QueryRowContext(ctx, `SELECT answer FROM request WHERE id = ?`, id).Scan(&answer); err != nil {
				return err
			}
			if err := index(ctx, tx, id, metricLabels(strings.NewReader(answer.String))); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return m.Keep(ctx, "search", indexVersion)
}

// texts reads a column of texts.
func texts(ctx context.Context, from interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}, query string, args ...any,
) ([]string, error) {
	rows, err := from.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err has told
	var all []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, rows.Err()
}

// metricLabels reads from an answer what the metrics of its frame are called. It reads no further than it has to: the columns stand before the rows.
func metricLabels(answer io.Reader) []string {
	labels := []string{}
	d := json.NewDecoder(answer)
	if !enterField(d, "frame") || !enterField(d, "columns") {
		return labels
	}
	var columns []struct{ Label, Name, Role, Metric string }
	if d.Decode(&columns) != nil {
		return labels
	}
	for _, c := range columns {
		if c.Role != "metric" && c.Role != "comparison" {
			continue
		}
		for _, word := range []string{c.Label, c.Name} {
			if word != "" && !slices.Contains(labels, word) {
				labels = append(labels, word)
			}
		}
	}
	return labels
}

// enterField reads into the object that comes next up to the value of a field; false: there is no such field, or no object.
func enterField(d *json.Decoder, name string) bool {
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return false
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return false
		}
		if key == name {
			return true
		}
		var passed json.RawMessage
		if d.Decode(&passed) != nil {
			return false
		}
	}
	return false
}
