package analyst

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/knowledge"
	"assay/backend/risk"
	"assay/backend/rules"
	"assay/backend/semantic"
	"assay/backend/session"
)

// A shop with orders, their lines and products: enough for a join, a filter, a period and a ratio.

var wall = time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)

func shop(t testing.TB) *semantic.Model {
	t.Helper()
	memo, err := semantic.ParseMemo(semantic.MemoWorkspace, "ANALYST.md", "# Shop\n\n## Refuse\n\n- salary, birth dates: Pay and personal details are not for analysis.\n")
	if err != nil {
		t.Fatal(err)
	}
	m, err := semantic.Seal(vouched(&semantic.Model{
		Name:      "shop",
		Workspace: semantic.Settings{Currency: "USD"},
		Memos:     []semantic.Memo{memo},
		Entities: []semantic.Entity{
			{
				Name: "orders", Label: "Orders", Description: "Orders of customers", Source: semantic.Source{Table: "orders"},
				Key: []string{"order_id"}, DefaultTime: "order_date",
				Dimensions: []semantic.Dimension{
					{Name: "order_id", Type: semantic.Integer},
					{Name: "order_date", Type: semantic.Date},
					{Name: "country", Type: semantic.Text, FromData: true},
				},
			},
			{
				Name: "lines", Label: "Order lines", Description: "Lines of orders", Source: semantic.Source{Table: "lines"},
				Key: []string{"line_id"}, DefaultTime: "orders.order_date",
				Dimensions: []semantic.Dimension{
					{Name: "line_id", Type: semantic.Integer},
					{Name: "order_id", Type: semantic.Integer},
					{Name: "product_id", Type: semantic.Integer},
					{Name: "amount", Type: semantic.Decimal, Unit: "USD", Measure: true},
				},
			},
			{
				Name: "products", Label: "Products", Source: semantic.Source{Table: "products"}, Key: []string{"product_id"}, Display: "product_name",
				Dimensions: []semantic.Dimension{
					{Name: "product_id", Type: semantic.Integer},
					{Name: "product_name", Type: semantic.Text, FromData: true},
					{Name: "category", Type: semantic.Text, FromData: true},
				},
			},
		},
		Metrics: []semantic.Metric{
			{Name: "revenue", Label: "Revenue", Description: "Sum of the lines", Synonyms: []string{"sales"}, Entity: "lines", Kind: semantic.Leaf, Expr: "amount", Reducer: semantic.Sum, Unit: "USD"},
			{Name: "order_count", Label: "Number of orders", Description: "Orders placed", Entity: "orders", Kind: semantic.Leaf, Expr: "*", Reducer: semantic.Count},
		},
		Joins: []semantic.Join{
			{From: "lines", To: "orders", On: []semantic.ColumnPair{{From: "order_id", To: "order_id"}}, Cardinality: "many_to_one", Total: true},
			{From: "lines", To: "products", On: []semantic.ColumnPair{{From: "product_id", To: "product_id"}}, Cardinality: "many_to_one", Total: true},
		},
		Gotchas: []semantic.Gotcha{{Name: "test-lines", AppliesTo: []string{"revenue"}, Severity: "info", Statement: "Lines of tests are included."}},
	}))
	if err != nil {
		t.Fatal(err)
	}
	return semantic.WithAttestations(m, func(*semantic.Join) *semantic.Attestation { return &semantic.Attestation{Unique: true} })
}

// vouched describes and tests every dimension of a model, so that nothing is risky about its sources.
func vouched(m *semantic.Model) *semantic.Model {
	for i := range m.Entities {
		for j := range m.Entities[i].Dimensions {
			d := &m.Entities[i].Dimensions[j]
			d.Description, d.Tests = "As it is called.", []string{"not_null"}
		}
	}
	return m
}

func shopKnowledge(t testing.TB) Knowledge {
	m := shop(t)
	return Knowledge{
		Model: m,
		Index: interpret.NewIndex(m, []interpret.ValueSet{
			{Entity: "orders", Dimension: "country", Values: []string{"Germany", "France", "Brazil"}, Complete: true},
			{Entity: "products", Dimension: "product_name", Values: []string{"Chai", "Chang", "Tofu"}, Complete: true},
			{Entity: "products", Dimension: "category", Values: []string{"Beverages", "Produce"}, Complete: true},
		}),
		Epochs: map[string]string{"orders": "sha256:1", "lines": "sha256:2", "products": "sha256:3", "unused": "sha256:4"},
		Coverage: func(dimension string) (first, last time.Time, ok bool) {
			return time.Date(1996, 7, 4, 0, 0, 0, 0, time.UTC), time.Date(1998, 5, 6, 0, 0, 0, 0, time.UTC), dimension == "orders.order_date"
		},
	}
}

// ticking is a clock that moves one millisecond whenever it is read.
func ticking() func() time.Time {
	var mu sync.Mutex
	now := wall
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Millisecond)
		return now
	}
}

// fakeEngine answers statements with rows that a test gives, in turn: a statement's own rows, then its population.
type fakeEngine struct {
	log       *[]string
	rows      [][][]any
	truncated *frameql.Truncated
	joins     int   // of a statement that is admitted
	bytes     int64 // that a statement is said to read; 0: 100
	cost      int64 // rows that a statement is said to read; 0: 2155
	costErr   error
	queryErr  error
	onQuery   func()
	seen      []frameql.Statement
}

func (e *fakeEngine) Admit(_ context.Context, sql string, visible func(string) bool) (Admission, error) {
	*e.log = append(*e.log, "admit")
	if !visible("orders") || !strings.HasPrefix(sql, "SELECT") {
		return Admission{SQLType: "DROP", Rule: "test.refused", Reason: "Write operations are not supported."}, nil
	}
	return Admission{SQLType: "SELECT", Tables: []string{"orders"}, Shape: risk.Shape{Joins: e.joins}}, nil
}

func (e *fakeEngine) Tables(_ context.Context, s frameql.Statement) ([]string, error) {
	var all []string
	for _, t := range []string{"orders", "lines", "products"} {
		if strings.Contains(s.SQL, t) {
			all = append(all, t)
		}
	}
	return all, nil
}

func (e *fakeEngine) Cost(ctx context.Context, s frameql.Statement) (PlanCost, error) {
	*e.log = append(*e.log, "cost")
	return PlanCost{Rows: cmp.Or(e.cost, 2155), Bytes: cmp.Or(e.bytes, 100), MS: 1, Basis: "test"}, e.costErr
}

func (e *fakeEngine) Plan(context.Context, frameql.Statement) ([]ExplainedOperator, error) {
	*e.log = append(*e.log, "plan")
	return []ExplainedOperator{{Name: "PROJECTION", Says: []string{}, Rows: 1}}, e.costErr
}

func (e *fakeEngine) Query(ctx context.Context, s frameql.Statement) (*frameql.Frame, error) {
	*e.log = append(*e.log, "query")
	e.seen = append(e.seen, s)
	if e.onQuery != nil {
		e.onQuery()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if e.queryErr != nil {
		return nil, e.queryErr
	}
	if len(e.rows) == 0 {
		return nil, fmt.Errorf("the test has no rows for %s", s.SQL)
	}
	rows := e.rows[0]
	e.rows = e.rows[1:]
	f := &frameql.Frame{Columns: s.Columns, Rows: rows, Took: time.Millisecond}
	if len(e.seen) == 1 {
		f.Truncated = e.truncated
	}
	for i := range rows { // a test gives the cells that it cares for
		cells := make([]any, len(s.Columns))
		copy(cells, rows[i])
		rows[i] = cells
	}
	return f, nil
}

func (e *fakeEngine) Aside(ctx context.Context, s frameql.Statement) (*frameql.Frame, error) {
	return e.Query(ctx, s)
}

// fakeMemory keeps everything in a map, and the order in which it was called.
type fakeMemory struct {
	items       []knowledge.Item
	corrections []knowledge.Correction
	preferences []knowledge.Preference
	feedback    map[string]saidOf
	recent      []string // latest first
	log         *[]string
	begun       []Stored
	finished    map[string]session.Turn
	before      []session.Turn
	standings   []*Standing
	records     []Record
	notices     []Notice
	recordErr   error
	beginErr    error
	finishErr   error
	stepErr     error
	steps       map[string][]session.Step
}

func (m *fakeMemory) Begin(_ context.Context, r Stored) (int, error) {
	*m.log = append(*m.log, "begin")
	if m.beginErr != nil {
		return 0, m.beginErr
	}
	m.begun = append(m.begun, r)
	return len(m.begun), nil
}

func (m *fakeMemory) Step(ctx context.Context, id string, position int, s session.Step) error {
	*m.log = append(*m.log, "step")
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if m.stepErr != nil {
		return m.stepErr
	}
	if position != len(m.steps[id]) {
		return fmt.Errorf("step %d is the %dth of its request", position, len(m.steps[id]))
	}
	if m.steps == nil {
		m.steps = map[string][]session.Step{}
	}
	m.steps[id] = append(m.steps[id], s)
	return nil
}

func (m *fakeMemory) Warn(ctx context.Context, r Record, _ []Notice) error { return m.Record(ctx, r) }

func (m *fakeMemory) Record(ctx context.Context, r Record) error {
	*m.log = append(*m.log, "record "+r.Kind)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if m.recordErr != nil {
		return m.recordErr
	}
	m.records = append(m.records, r)
	return nil
}

func (m *fakeMemory) Standing(_ context.Context, id string) (Standing, error) {
	for _, s := range m.standings {
		if s.RequestID == id {
			return *s, nil
		}
	}
	return Standing{}, fault.New(fault.NotFound, "read request", "There is no request "+id+".", "")
}

func (m *fakeMemory) Waiting(_ context.Context, sessionID string) ([]Standing, error) {
	var all []Standing
	for _, s := range m.standings {
		if s.SessionID == sessionID && s.Stage != StageClose && s.Settled == "" {
			all = append(all, *s)
		}
	}
	return all, nil
}

func (m *fakeMemory) Due(_ context.Context, now time.Time) ([]Standing, error) {
	var all []Standing
	for _, s := range m.standings {
		if !s.Until.IsZero() && !s.Until.After(now) && s.Settled == "" {
			all = append(all, *s)
		}
	}
	return all, nil
}

func (m *fakeMemory) SaveFeedback(_ context.Context, id, actor string, f *session.Feedback, metrics []string, r Record) error {
	if m.feedback == nil {
		m.feedback = map[string]saidOf{}
	}
	m.feedback[id] = saidOf{f, actor, metrics}
	m.records = append(m.records, r)
	return nil
}

func (m *fakeMemory) Feedback(_ context.Context, id string) (*session.Feedback, error) {
	return m.feedback[id].of, nil
}

func (m *fakeMemory) SaidSince(context.Context) (map[string]time.Time, error) {
	return nil, nil
}

func (m *fakeMemory) Serious(_ context.Context, actor string, _ time.Time) ([]string, error) {
	var all []string
	for _, x := range m.feedback {
		if x.of != nil && x.of.Serious && x.actor == actor {
			all = append(all, x.metrics...)
		}
	}
	return all, nil
}

func (m *fakeMemory) Preferences(_ context.Context, author string) ([]knowledge.Preference, error) {
	all := []knowledge.Preference{}
	for _, p := range m.preferences {
		if p.Author == author {
			all = append(all, p)
		}
	}
	return all, nil
}

func (m *fakeMemory) KeepPreference(_ context.Context, p *knowledge.Preference, r Record) (before *knowledge.Preference, err error) {
	m.preferences = slices.DeleteFunc(m.preferences, func(o knowledge.Preference) bool {
		same := o.Author == p.Author && o.Kind == p.Kind
		if same {
			before = &o
		}
		return same
	})
	p.ID = fmt.Sprintf("p%d", len(m.records))
	m.preferences, m.records = append(m.preferences, *p), append(m.records, r)
	return before, nil
}

func (m *fakeMemory) ForgetPreference(_ context.Context, author, id string, r Record) error {
	n := len(m.preferences)
	m.preferences = slices.DeleteFunc(m.preferences, func(o knowledge.Preference) bool { return o.ID == id && o.Author == author })
	if len(m.preferences) == n {
		return fault.New(fault.NotFound, "forget preference", "no such preference", "")
	}
	m.records = append(m.records, r)
	return nil
}

func (m *fakeMemory) Corrections(_ context.Context, author string) ([]knowledge.Correction, error) {
	all := []knowledge.Correction{}
	for _, c := range m.corrections {
		if c.Author == author {
			all = append(all, c)
		}
	}
	return all, nil
}

func (m *fakeMemory) Agreed(context.Context) ([]knowledge.Item, error) { return m.items, nil }

func (m *fakeMemory) Decided(context.Context, int64) (knowledge.Changes, error) {
	return knowledge.Changes{Items: m.items}, nil
}

func (m *fakeMemory) Asked(context.Context, string, time.Time, time.Time, int) ([]AskedFor, error) {
	return nil, nil
}

func (m *fakeMemory) ItemChanges(context.Context) (int64, error) { return 0, nil }

func (m *fakeMemory) KeepCorrection(_ context.Context, c *knowledge.Correction, r Record) (before *knowledge.Correction, err error) {
	m.corrections = slices.DeleteFunc(m.corrections, func(o knowledge.Correction) bool {
		same := o.Author == c.Author && knowledge.Key(o.Term) == knowledge.Key(c.Term)
		if same {
			before = &o
		}
		return same
	})
	c.ID = fmt.Sprintf("c%d", len(m.records))
	m.corrections, m.records = append(m.corrections, *c), append(m.records, r)
	return before, nil
}

func (m *fakeMemory) NoteMeaning(context.Context, *knowledge.Correction) (knowledge.Noted, error) {
	return knowledge.Noted{}, nil
}

func (m *fakeMemory) NotedMeaning(context.Context, string, string) (knowledge.Correction, error) {
	return knowledge.Correction{}, fault.New(fault.NotFound, "find what was noted", "nothing is called so", "")
}

func (m *fakeMemory) OpenMeanings(context.Context, string) ([]knowledge.Correction, error) {
	return nil, nil
}

func (m *fakeMemory) SettleMeaning(context.Context, string, string, bool) error { return nil }

func (m *fakeMemory) Finished(context.Context, time.Time, int) ([]Finished, error) { return nil, nil }

func (m *fakeMemory) LookedThrough(context.Context, Finished, []Confirmed, []knowledge.Correction) error {
	return nil
}

func (m *fakeMemory) Item(context.Context, string) (knowledge.Item, error) {
	return knowledge.Item{}, fault.New(fault.NotFound, "find knowledge", "no such item", "")
}

func (m *fakeMemory) ChangeCorrection(_ context.Context, c *knowledge.Correction, r Record) error {
	for i, o := range m.corrections {
		if o.ID == c.ID && o.Author == c.Author {
			m.corrections[i], m.records = *c, append(m.records, r)
			return nil
		}
	}
	return fault.New(fault.NotFound, "change correction", "no such correction", "")
}

func (m *fakeMemory) ForgetCorrection(_ context.Context, author, id string, r Record) error {
	n := len(m.corrections)
	m.corrections = slices.DeleteFunc(m.corrections, func(o knowledge.Correction) bool { return o.ID == id && o.Author == author })
	if len(m.corrections) == n {
		return fault.New(fault.NotFound, "forget correction", "no such correction", "")
	}
	m.records = append(m.records, r)
	return nil
}

func (m *fakeMemory) TakeBackCorrection(ctx context.Context, author, id string, r Record) (*knowledge.Correction, error) {
	return nil, m.ForgetCorrection(ctx, author, id, r)
}

// saidOf is feedback as it was given to the memory.
type saidOf struct {
	of      *session.Feedback
	actor   string
	metrics []string
}

func (m *fakeMemory) Settle(_ context.Context, x Settlement) error {
	for _, s := range m.standings {
		if s.RequestID == x.RequestID && s.Stage == x.From && s.Settled == "" {
			s.Stage, s.Settled, s.By, s.How = x.To, x.On, x.By, x.How
			m.notices, m.records = append(m.notices, x.Notices...), append(m.records, x.Records...)
			return nil
		}
	}
	return fault.New(fault.Conflict, "settle", "Somebody was faster.", "")
}

func (m *fakeMemory) Finish(ctx context.Context, id string, c Closing) error {
	t := c.Turn
	*m.log = append(*m.log, "finish")
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if m.finishErr != nil {
		return m.finishErr
	}
	m.finished[id] = t
	m.notices, m.records = append(m.notices, c.Notices...), append(m.records, c.Records...)
	s := &Standing{
		RequestID: id, SessionID: m.begun[len(m.begun)-1].SessionID, Turn: t.Index, Question: t.Question, FrameQL: t.FrameQL, Asked: t.Asked, Outcome: t.Outcome,
		Status: t.Status, Stage: c.Stage, Level: c.Level, Until: c.Until, Ending: c.Ending, Answer: t.Answer, Actor: m.begun[len(m.begun)-1].Actor,
	}
	m.standings = append(m.standings, s)
	return nil
}

func (m *fakeMemory) Place(_ context.Context, requestID string) (string, int, error) {
	for i, r := range m.begun {
		if r.RequestID == requestID && r.InsteadOf != "" {
			return m.Place(context.Background(), r.InsteadOf)
		}
		if r.RequestID == requestID {
			return r.SessionID, i + 1, nil
		}
	}
	return "", 0, fault.New(fault.NotFound, "read request", "There is no request "+requestID+".", "")
}

func (m *fakeMemory) Conversation(_ context.Context, _ string, before int) ([]session.Turn, error) {
	if before == 0 {
		return m.before, nil
	}
	return m.before[:min(before-1, len(m.before))], nil
}

func (m *fakeMemory) Recent(_ context.Context, _ string, _, n int) ([]string, error) {
	return m.recent[:min(n, len(m.recent))], nil
}

// desk is an analyst with its fakes, and what it emitted.
type desk struct {
	*Analyst
	engine *fakeEngine
	memory *fakeMemory
	log    []string // begin, cost, query, finish, and the events: "interpret done", "answer", "fault"
	events []Event
}

func newDesk(t testing.TB, k Knowledge, rows ...[][]any) *desk {
	d := &desk{}
	d.engine = &fakeEngine{log: &d.log, rows: rows}
	d.memory = &fakeMemory{log: &d.log, finished: map[string]session.Turn{}}
	ids := 0
	d.Analyst = New(Deps{
		Engine: d.engine, Memory: d.memory, Now: ticking(), Knowledge: func(rules.Actor) Knowledge { return k },
		NewID: func() string { ids++; return fmt.Sprint("id", ids) }, Rules: bound,
	})
	return d
}

// ada is who asks in these tests, where no test says otherwise.
var ada = rules.Caller{OSUser: "ada"}

func (d *desk) ask(ctx context.Context, r Request) (*Answer, error) {
	if r.Caller == (rules.Caller{}) {
		r.Caller = ada
	}
	return d.Ask(ctx, r, func(e Event) {
		d.events = append(d.events, e)
		switch {
		case e.Step != nil:
			d.log = append(d.log, e.Step.Name+" "+e.Step.Status)
		case e.Answer != nil:
			d.log = append(d.log, "answer")
		case e.Fault != nil:
			d.log = append(d.log, "fault")
		}
	})
}

// turn is the only turn that was stored.
func (d *desk) turn(t testing.TB) session.Turn {
	t.Helper()
	if len(d.memory.finished) != 1 {
		t.Fatalf("%d turns are stored", len(d.memory.finished))
	}
	for _, turn := range d.memory.finished {
		return turn
	}
	panic("unreachable")
}

func wantFault(t testing.TB, err error, code fault.Code, words string) {
	t.Helper()
	if err == nil || fault.CodeOf(err) != code || !strings.Contains(err.Error(), words) {
		t.Errorf("error %v (code %q), want %q and code %q", err, fault.CodeOf(err), words, code)
	}
}
