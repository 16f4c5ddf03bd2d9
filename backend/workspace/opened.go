package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"assay/backend/analyst"
	"assay/backend/rules"
)

// What is opened beside the answers of a session.
const (
	openedRows     = "rows"     // all rows of an answer
	openedExport   = "export"   // all rows of an answer, for a file
	openedTable    = "table"    // all rows of a table
	openedHead     = "head"     // the first rows of a table
	openedRejected = "rejected" // lines of a file that are not in its table
	openedProfile  = "profile"  // what the columns of a table hold
	openedSession  = "session"  // a session, for a file
	openedShare    = "share"    // a session, for an address: it was made
	openedShared   = "shared"   // a session, through an address
	openedReport   = "report"   // an answer, for a report
)

// opened is the body of a record of rows that somebody looks at beside the answers. The statement of an answer stands, masked, in the
// decision about its request; here is its hash.
type opened struct {
	What      string `json:"what"`
	Role      string `json:"role"`
	Table     string `json:"table,omitempty"`
	Share     string `json:"share,omitempty"`      // the address that it was opened by; the actor is who serves it
	SQLSHA256 string `json:"sql_sha256,omitempty"` // of the exact bytes of an answer's statement
}

// noteOpened writes down what is about to be looked at, before anything runs for it. What cannot be written down is not opened.
func (w *Workspace) noteOpened(ctx context.Context, what opened, of analyst.Answer, sql string) error {
	me, err := w.Identify("", rules.Caller{})
	if err != nil {
		return err
	}
	return w.noteOpenedBy(ctx, me, what, of, sql)
}

// noteOpenedBy is noteOpened for somebody.
func (w *Workspace) noteOpenedBy(ctx context.Context, me rules.Actor, what opened, of analyst.Answer, sql string) error {
	what.Role = me.Role
	if sql != "" {
		sum := sha256.Sum256([]byte(sql))
		what.SQLSHA256 = hex.EncodeToString(sum[:])
	}
	body, err := json.Marshal(what)
	if err != nil {
		return err
	}
	return w.memory.Record(ctx, analyst.Record{Kind: analyst.AuditOpened, RequestID: of.RequestID, SessionID: of.SessionID, Actor: me.ID, Body: body})
}
