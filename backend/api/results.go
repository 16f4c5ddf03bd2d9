package api

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/store"
	"assay/backend/text"
)

// arrowStream is the media type of windows.
const arrowStream = "application/vnd.apache.arrow.stream"

// ResultSet is a whole result, or a view of one, that stays on the side of the program and is looked at window by window.
type ResultSet struct {
	ID       string           `json:"id"`
	Rows     int64            `json:"rows"`
	Columns  []frameql.Column `json:"columns" nullable:"false"`
	Changed  bool             `json:"changed" doc:"The data was imported again since: of an answer, since it was given; else since these rows were read"`
	LeftOut  []string         `json:"left_out" nullable:"false" doc:"Columns of a table that are personal and not here"`
	TextCut  int              `json:"text_cut" doc:"Letters of a text in a window; one that is longer has one letter more there"`
	MostRows int              `json:"most_rows" doc:"Rows of a window at most"`
}

// ResultCell is the whole text of a cell.
type ResultCell struct {
	Text string `json:"text"`
	Null bool   `json:"null"`
}

// ResultSums are what a range of rows comes to, column by column.
type ResultSums struct {
	Columns []store.Summary `json:"columns" nullable:"false"`
}

// ResultPath names a result in a path; exported because huma reads embedded types that are.
type ResultPath struct {
	ID string `path:"id" maxLength:"64"`
}

func resultSet(x store.Result, leftOut []string) *struct{ Body ResultSet } {
	return &struct{ Body ResultSet }{ResultSet{
		ID: x.ID, Rows: x.Rows, Columns: x.Columns, Changed: x.Changed, LeftOut: append([]string{}, leftOut...),
		TextCut: store.WindowText, MostRows: store.WindowRows,
	}}
}

func (s *Server) registerResults() {
	register(s, http.MethodPost, "/api/results", "openResult", "Open all rows of an answer, or of a table of a source; canceled by request_id",
		func(ctx context.Context, in *struct {
			Body struct {
				RequestID string `json:"request_id,omitempty" maxLength:"64" doc:"A name for this call, made by the client, by which it can be canceled"`
				AnswerTo  string `json:"answer_to,omitempty" maxLength:"128" doc:"The request whose answer is wanted"`
				Table     string `json:"table,omitempty" maxLength:"1000" doc:"The table that is wanted instead"`
			}
		},
		) (*struct{ Body ResultSet }, error) {
			ctx, done := s.runs.start(ctx, workLook, in.Body.RequestID)
			defer done()
			if (in.Body.AnswerTo == "") == (in.Body.Table == "") {
				return nil, fault.New(fault.Invalid, "open result", text.Say("api.result_of_what"), "")
			}
			if in.Body.Table != "" {
				x, leftOut, err := s.ws.OpenTable(ctx, in.Body.Table)
				return resultSet(x, leftOut), err
			}
			x, err := s.ws.OpenAnswer(ctx, in.Body.AnswerTo)
			return resultSet(x, nil), err
		})
	register(s, http.MethodGet, "/api/results/{id}", "result", "What is known of a result",
		func(_ context.Context, in *ResultPath) (*struct{ Body ResultSet }, error) {
			x, err := s.ws.Result(in.ID)
			return resultSet(x, nil), err
		})
	register(s, http.MethodPost, "/api/results/{id}/view", "viewResult", "Sort, filter or search a result: gives another one; canceled by request_id",
		func(ctx context.Context, in *struct {
			ResultPath
			Body struct {
				RequestID string `json:"request_id,omitempty" maxLength:"64"`
				store.View
			}
		},
		) (*struct{ Body ResultSet }, error) {
			ctx, done := s.runs.start(ctx, workLook, in.Body.RequestID)
			defer done()
			x, err := s.ws.ResultView(ctx, in.ID, in.Body.View)
			return resultSet(x, nil), err
		})
	register(s, http.MethodPost, "/api/results/{id}/facet", "facetResult", "Count the values of a column, or ranges of them, where the filters of the other columns hold; canceled by request_id",
		func(ctx context.Context, in *struct {
			ResultPath
			Body struct {
				RequestID string `json:"request_id,omitempty" maxLength:"64"`
				store.FacetOf
			}
		},
		) (*struct{ Body store.Facet }, error) {
			ctx, done := s.runs.start(ctx, workLook, in.Body.RequestID)
			defer done()
			f, err := s.ws.ResultFacet(ctx, in.ID, in.Body.FacetOf)
			return &struct{ Body store.Facet }{f}, err
		})
	register(s, http.MethodGet, "/api/results/{id}/cell", "resultCell", "The whole text of a cell",
		func(ctx context.Context, in *struct {
			ResultPath
			Row    int64 `query:"row" required:"true" minimum:"0"`
			Column int   `query:"column" required:"true" minimum:"0"`
		},
		) (*struct{ Body ResultCell }, error) {
			whole, null, err := s.ws.ResultCell(ctx, in.ID, in.Row, in.Column)
			return &struct{ Body ResultCell }{ResultCell{whole, null}}, err
		})
	register(s, http.MethodGet, "/api/results/{id}/sums", "resultSums", "Count, sum, least and most of a range of rows",
		func(ctx context.Context, in *struct {
			ResultPath
			From    int64 `query:"from" required:"true" minimum:"0"`
			To      int64 `query:"to" required:"true" minimum:"0" doc:"Not included"`
			Columns []int `query:"columns" required:"true" maxItems:"2000"`
		},
		) (*struct{ Body ResultSums }, error) {
			all, err := s.ws.ResultSums(ctx, in.ID, in.From, in.To, in.Columns)
			return &struct{ Body ResultSums }{ResultSums{append([]store.Summary{}, all...)}}, err
		})
	huma.Register(s.api, huma.Operation{
		OperationID: "resultRows", Method: http.MethodGet, Path: "/api/results/{id}/rows", Summary: "A window of a result, as an Arrow IPC stream",
		Responses: map[string]*huma.Response{"200": {Description: "Columns are called by their positions", Content: map[string]*huma.MediaType{arrowStream: {}}}},
	}, s.resultRows)
}

type resultRowsInput struct {
	ResultPath
	Offset  int64  `query:"offset" required:"true" minimum:"0"`
	Limit   int    `query:"limit" required:"true" minimum:"1" maximum:"10000"`
	Columns string `query:"columns" maxLength:"20000" doc:"Positions with commas between; absent: all"`
	Whole   bool   `query:"whole" doc:"Texts in full"`
}

// resultRows answers with the window when all of it is there: a stream that breaks off cannot say why.
func (s *Server) resultRows(ctx context.Context, in *resultRowsInput) (*huma.StreamResponse, error) {
	w := store.Window{Offset: in.Offset, Limit: in.Limit, Whole: in.Whole}
	for part := range strings.SplitSeq(in.Columns, ",") {
		if in.Columns == "" {
			break
		}
		i, err := strconv.Atoi(part)
		if err != nil {
			return nil, problemOf(fault.New(fault.Invalid, "read result", text.Say("api.result_columns", "columns", in.Columns), ""))
		}
		w.Columns = append(w.Columns, i)
	}
	var out bytes.Buffer
	if err := s.ws.ResultRows(ctx, in.ID, w, &out); err != nil {
		return nil, problemOf(err)
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		c.SetHeader("Content-Type", arrowStream)
		c.SetHeader("Content-Length", strconv.Itoa(out.Len()))
		_, _ = out.WriteTo(c.BodyWriter()) // a reader that went away is told by the context
	}}, nil
}
