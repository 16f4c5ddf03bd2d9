package workspace

import (
	"encoding/json"
	"strings"

	"assay/backend/analyst"
	"assay/backend/frameql"
	"assay/backend/profile"
	"assay/backend/rules/pii"
	"assay/backend/session"
)

// learn makes the personal values of a turn known, so that every text of the session that names one is masked there: those of its frames, those that its
// queries ask for, and those of the cards that were made of its data.
func (m *sessionMask) learn(p analyst.Packed) error {
	err := m.learnFrame(p.Columns, p.Rows)
	for _, f := range p.Frames {
		if err == nil {
			err = m.learnFrame(f.Columns, f.Rows)
		}
	}
	if err == nil {
		err = m.learnCards(p.Turn)
	}
	if err != nil {
		return oddTurn(p.Turn.Index, err)
	}
	return nil
}

// learnFrame learns the cells of the personal columns of a frame.
func (m *sessionMask) learnFrame(columns []frameql.Column, raw json.RawMessage) (err error) {
	var rows [][]any // read when a column needs them
	for i, c := range m.w.asPersonal(columns) {
		if !m.hides(c) || raw == nil {
			continue
		}
		if rows == nil {
			if rows, err = cellsOf(raw); err != nil {
				return err
			}
		}
		for _, row := range rows {
			m.masker.Value(c, row[i])
		}
	}
	return nil
}

// hides says whether the values of a column are personal.
func (m *sessionMask) hides(c pii.Column) bool {
	kind := m.masker.Policy.Of(c)
	return kind != "" && kind != pii.None
}

// column is that of a dimension by its name.
func (m *sessionMask) column(dimension string) pii.Column {
	name := dimension[strings.LastIndexByte(dimension, '.')+1:]
	return m.w.asPersonal([]frameql.Column{{Name: name, Dimension: dimension, Role: frameql.RoleDimension}})[0]
}

// learnCards learns from the queries of a turn, and from what stands in cards by itself.
func (m *sessionMask) learnCards(t session.FileTurn) error {
	m.learnQuery(t.FrameQL)
	answer, err := cardsOf(t.Answer)
	if err != nil {
		return err
	}
	if c := answer.MetricCard; c != nil {
		if by, personal := m.partedBy(c); personal {
			for _, part := range c.Breakdown {
				if !part.Rest {
					m.masker.Value(by, part.Label)
				}
			}
		}
	}
	for _, a := range t.Artifacts {
		switch a.Kind {
		case session.KindDriverAnalysis:
			var d session.DriverAnalysis
			if err := json.Unmarshal(a.Body, &d); err != nil {
				return err
			}
			m.learnDrivers(d)
		case session.KindSimulation:
			var s session.Simulation
			if err := json.Unmarshal(a.Body, &s); err != nil {
				return err
			}
			m.learnQuery(s.Source.FrameQL)
		case session.KindQMCard:
			var q profile.QMCard
			if err := json.Unmarshal(a.Body, &q); err != nil {
				return err
			}
			m.learnColumn(q)
		default:
		}
	}
	return nil
}

// answerCards is what of an answer is made of other frames than its own.
type answerCards struct {
	MetricCard *analyst.MetricCard `json:"metric_card"`
}

func cardsOf(answer json.RawMessage) (a answerCards, err error) {
	if len(answer) > 0 {
		err = json.Unmarshal(answer, &a)
	}
	return a, err
}

// partedBy gives the dimension of the parts of a card, and whether its values are personal.
func (m *sessionMask) partedBy(c *analyst.MetricCard) (pii.Column, bool) {
	if c.Sources.Breakdown == nil {
		return pii.Column{}, false
	}
	q, err := frameql.Parse(c.Sources.Breakdown.FrameQL)
	if err != nil || len(q.Select) == 0 || q.Select[0].Dim == nil {
		return pii.Column{}, false
	}
	by := m.column(q.Select[0].Dim.Name)
	return by, m.hides(by)
}

// learnDrivers learns the members that the parts of a change are of: by the queries behind them.
func (m *sessionMask) learnDrivers(d session.DriverAnalysis) {
	for _, steps := range [][]session.DriverStep{d.Steps, d.Against} {
		for _, s := range steps {
			m.learnQuery(s.FrameQL)
		}
	}
	var branches func([]session.DriverNode)
	branches = func(nodes []session.DriverNode) {
		for _, n := range nodes {
			m.learnQuery(n.FrameQL)
			branches(n.Children)
		}
	}
	branches(d.Tree)
}

// personalCard says whether the values of a measured column are personal by the model and the rules of now.
func (m *sessionMask) personalCard(q profile.QMCard) (pii.Column, bool) {
	c := pii.Column{Table: q.Table, Name: q.Column.Name, Tag: m.w.personal(m.w.Knowledge().Model, q.Table, q.Column.Name)}
	return c, q.Column.Personal != "" || m.hides(c)
}

func (m *sessionMask) learnColumn(q profile.QMCard) {
	c, personal := m.personalCard(q)
	if !personal {
		return
	}
	for _, edge := range []*string{q.Column.Min, q.Column.Max} {
		if edge != nil {
			m.masker.Value(c, *edge)
		}
	}
	for _, v := range q.Column.Top {
		m.masker.Value(c, v.Value)
	}
}

// learnQuery learns the values that a query asks of personal dimensions. One that does not parse is a statement, or nothing.
func (m *sessionMask) learnQuery(canonical string) {
	if canonical == "" {
		return
	}
	q, err := frameql.Parse(canonical)
	if err != nil {
		return
	}
	raw, err := json.Marshal(q)
	if err != nil {
		return
	}
	var whole any
	if json.Unmarshal(raw, &whole) == nil {
		m.learnConditions(whole)
	}
}

// learnConditions goes through a query for conditions on personal dimensions, however deep they stand.
func (m *sessionMask) learnConditions(x any) {
	switch x := x.(type) {
	case []any:
		for _, y := range x {
			m.learnConditions(y)
		}
	case map[string]any:
		if dimension, is := x["dim"].(string); is && x["val"] != nil {
			if c := m.column(dimension); m.hides(c) {
				m.learnValues(c, x["val"])
			}
		}
		for _, y := range x {
			m.learnConditions(y)
		}
	}
}

func (m *sessionMask) learnValues(c pii.Column, x any) {
	switch x := x.(type) {
	case string:
		m.masker.Value(c, x)
	case []any:
		for _, y := range x {
			m.learnValues(c, y)
		}
	}
}

// cards masks what cells of personal columns stand in cards without a frame: they may be numbers, which no text shows.
func (m *sessionMask) cards(p analyst.Packed) (analyst.Packed, error) {
	answer, err := cardsOf(p.Turn.Answer)
	if err != nil {
		return p, err
	}
	if c := answer.MetricCard; c != nil {
		if by, personal := m.partedBy(c); personal {
			if p.Turn.Answer, err = analyst.MaskedParts(p.Turn.Answer, func(label any) any { return m.masker.Value(by, label) }); err != nil {
				return p, err
			}
		}
	}
	return p, m.measured(p.Turn.Artifacts)
}

// measured takes the values from cards of personal columns: where nobody is to be named they say nothing.
func (m *sessionMask) measured(artifacts []session.FileArtifact) error {
	for i, a := range artifacts {
		if a.Kind != session.KindQMCard {
			continue
		}
		var q profile.QMCard
		if err := json.Unmarshal(a.Body, &q); err != nil {
			return err
		}
		if _, personal := m.personalCard(q); !personal {
			continue
		}
		var err error
		if artifacts[i].Body, err = cardWithout(a.Kind, a.Body); err != nil {
			return err
		}
	}
	return nil
}

// cardWithout takes the values from the card of a measured column, the one kind of artifact that package analyst does not know.
func cardWithout(kind session.Kind, raw json.RawMessage) (json.RawMessage, error) {
	body, err := readQMCard(kind, raw)
	if err != nil {
		return nil, err
	}
	q, _ := body.(*profile.QMCard)
	c := &q.Column
	q.LeftOut, c.Min, c.Max, c.Mean, c.AvgLength, c.MaxLength = true, nil, nil, nil, nil, nil
	c.Histogram, c.Top = []profile.Bucket{}, []profile.TopValue{}
	return json.Marshal(q)
}
