package interpret

import (
	"slices"
	"strconv"
	"strings"

	"assay/backend/frameql"
	"assay/backend/interpret/timex"
	"assay/backend/semantic"
	"assay/backend/text"
)

// golden is a verified question, cut into words and places for its parameters.
type golden struct {
	query *semantic.Golden
	parts []goldenPart
}

// goldenPart is a word, or a parameter.
type goldenPart struct {
	lemma string
	joins bool // a preposition: it goes with the parameter behind it
	param *semantic.Parameter
}

// mostFilled bounds the words that stand for one parameter.
const mostFilled = 8

func goldens(m *semantic.Model, l *lexicon) []golden {
	var out []golden
	for i := range m.Golden {
		g := golden{query: &m.Golden[i]}
		if g.query.FrameQL == "" {
			continue
		}
		rest := g.query.Question
		for rest != "" {
			before, name, after, found := semantic.CutPlaceholder(rest)
			for _, t := range l.weighty(l.tokenise(before)) {
				g.parts = append(g.parts, goldenPart{lemma: t.lemma, joins: l.preposition(t)})
			}
			if !found {
				break
			}
			k := slices.IndexFunc(g.query.Parameters, func(p semantic.Parameter) bool { return p.Name == name })
			if k < 0 {
				g.parts = nil
				break
			}
			g.parts = append(g.parts, goldenPart{param: &g.query.Parameters[k]})
			rest = after
		}
		if len(g.parts) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// weighty drops marks and words that hold a sentence together only.
func (l *lexicon) weighty(tokens []token) []token {
	return slices.DeleteFunc(slices.Clone(tokens), func(t token) bool {
		return t.kind == markToken || slices.ContainsFunc(l.operators[t.norm], func(o operator) bool { return o.class == "stop" && o.id == "function" })
	})
}

func (l *lexicon) preposition(t token) bool {
	return slices.ContainsFunc(l.operators[t.norm], func(o operator) bool { return o.class == "glue" && o.id == "in" })
}

// filled is a parameter with the words that stand for it; without words it has its default.
type filled struct {
	param  *semantic.Parameter
	value  string // as Frame-QL writes it
	from   int    // tokens
	to     int
	method string
}

// readGolden answers by a verified query whose question this is, whatever its parameters are.
func (ix *Index) readGolden(r Request, tokens []token) (Result, bool) {
	tokens = ix.english.weighty(tokens)
	for _, g := range ix.golden {
		values, ok := ix.fill(g.parts, tokens, 0, r.Env)
		if !ok {
			continue
		}
		if res, ok := ix.answerGolden(r, g.query, values, tokens); ok {
			return res, true
		}
	}
	return Result{}, false
}

// fill matches the parts of a golden question with the tokens from i on. A parameter with a default may be left out.
func (ix *Index) fill(parts []goldenPart, tokens []token, i int, env frameql.Env) ([]filled, bool) {
	if len(parts) == 0 {
		return nil, i == len(tokens)
	}
	part := parts[0]
	if part.param == nil {
		if i < len(tokens) && tokens[i].lemma == part.lemma {
			if rest, ok := ix.fill(parts[1:], tokens, i+1, env); ok {
				return rest, true
			}
		}
		if part.joins && len(parts) > 1 && parts[1].param != nil && parts[1].param.Default != "" {
			return ix.fill(parts[1:], tokens, i, env)
		}
		return nil, false
	}
	for n := min(mostFilled, len(tokens)-i); n > 0; n-- {
		value, method, ok := ix.valueOf(part.param, tokens[i:i+n], env)
		if !ok {
			continue
		}
		if rest, ok := ix.fill(parts[1:], tokens, i+n, env); ok {
			return append([]filled{{part.param, value, i, i + n, method}}, rest...), true
		}
	}
	if part.param.Default == "" {
		return nil, false
	}
	return ix.fill(parts[1:], tokens, i, env)
}

// valueOf reads words as the value of a parameter and writes it as Frame-QL does.
func (ix *Index) valueOf(p *semantic.Parameter, tokens []token, env frameql.Env) (value, method string, ok bool) {
	var ws []string
	for _, t := range tokens {
		ws = append(ws, t.text)
	}
	phrase := joinSpaced(ws)
	switch p.Type {
	case "period":
		found, _, ok := timex.Read(phrase, env, timex.Whole)
		return found.Asked.String(), "exact", ok
	case "int":
		v, n := ix.english.number(tokens, 0)
		whole, err := strconv.Atoi(v)
		ok := n == len(tokens) && err == nil && (p.Min == nil || float64(whole) >= *p.Min) && (p.Max == nil || float64(whole) <= *p.Max)
		return v, "exact", ok
	}
	key := valueKey(phrase)
	for _, v := range p.Values {
		if valueKey(v) == key {
			return quoteText(v), "exact", true
		}
	}
	if p.Table == "" {
		return quoteText(phrase), "exact", len(p.Values) == 0 && len(tokens) == 1
	}
	for _, e := range ix.values.exact(key) {
		t := ix.values.target(e, exactMatch, 0)
		if strings.EqualFold(t.entity.Source.Table, p.Table) && (strings.EqualFold(t.dim.Column, p.Column) || strings.EqualFold(t.dim.Name, p.Column)) {
			return quoteText(*t.value), "exact", true
		}
	}
	return "", "", false
}

func quoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// answerGolden resolves a verified query with its parameters, and says whose word it is.
func (ix *Index) answerGolden(r Request, g *semantic.Golden, values []filled, tokens []token) (Result, bool) {
	confidence := confidenceExact
	var spans []Span
	notes := []string{text.Say("interpret.golden", "question", g.Question, "by", g.VerifiedBy, "at", g.VerifiedAt)}
	written := map[string]string{}
	for i := range g.Parameters {
		p := &g.Parameters[i]
		value := p.Default
		k := slices.IndexFunc(values, func(f filled) bool { return f.param == p })
		if k >= 0 {
			value = values[k].value
			start, end := tokens[values[k].from].start, tokens[values[k].to-1].end
			spans = append(spans, Span{Start: start, End: end, Slot: slotOfParameter(p.Type), Target: value, Method: values[k].method, Confidence: confidenceOf(values[k].method)})
		} else {
			if p.Type == "value" {
				value = quoteText(value)
			}
			notes = append(notes, text.Say("interpret.golden_default", "name", p.Name, "value", p.Default))
			confidence *= confidenceOf("default")
		}
		if p.Weight > 0 {
			confidence *= p.Weight
		}
		written[p.Name] = value
	}
	q, plan, ok := resolved(semantic.FillPlaceholders(g.FrameQL, written), r.Env)
	if !ok {
		return Result{}, false
	}
	spans = withText(spans, r.Question)
	return Result{Reading: &Reading{Query: q, Plan: plan, Spans: spans, Assumptions: notes, Confidence: confidence}, Spans: spans}, true
}

// Usually is a verified query as it is asked with the defaults of its parameters: its question, in which a period is not said,
// and its Frame-QL, empty when it is in SQL. False: a parameter has no default, so that somebody has to say it.
func Usually(g *semantic.Golden) (question, query string, ok bool) {
	question = g.Question
	values := map[string]string{}
	for _, p := range g.Parameters {
		place := "{" + p.Name + "}"
		switch {
		case p.Default == "":
			return "", "", false
		case p.Type == "period":
			if before, after, found := strings.Cut(question, place); found {
				before = strings.TrimSpace(before)
				before = strings.TrimSpace(before[:strings.LastIndex(" "+before, " ")]) // and the preposition
				question = before + after
			}
			values[p.Name] = p.Default
		case p.Type == "value":
			question, values[p.Name] = strings.ReplaceAll(question, place, p.Default), quoteText(p.Default)
		default:
			question, values[p.Name] = strings.ReplaceAll(question, place, p.Default), p.Default
		}
	}
	return question, semantic.FillPlaceholders(g.FrameQL, values), true
}

func slotOfParameter(kind string) string {
	switch kind {
	case "period":
		return "time"
	case "int":
		return "top"
	}
	return "value"
}
