package tool

import "context"

type runSQLArguments struct {
	SQL string `json:"sql" doc:"One read-only SELECT" most:"20000"`
}

func runSQL() Tool {
	return define("run_sql", true, func(ctx context.Context, d *Desk, a runSQLArguments) (Result, error) {
		if d.RunSQL == nil {
			return absent("run_sql")
		}
		ran, err := d.RunSQL(ctx, a.SQL)
		if err != nil {
			return failed(err)
		}
		r, err := d.given(ran, "")
		if b, ok := r.Body.(*frameBody); ok {
			b.Level, b.FrameQL, b.SQL = "unverified", "", shown(ran.SQL)
		}
		if p := r.Problem; p != nil {
			p.FrameQL = ""
		}
		return r, err
	})
}
