package interpret

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// draft is what the constructs make of one tiling: the slots of a query, each with the things that it may mean. Nothing
// is bound yet; bind chooses.
type draft struct {
	ix     *Index
	tokens []token
	env    frameql.Env
	pieces []*piece
	uses   []use // beside pieces
	score  float64

	measures []measure
	groups   []slot
	columns  []slot // attributes of a listing
	shown    []slot // attributes beside the members that numbers are split by
	filters  []filter
	having   []having
	subject  *slot // the entity that is listed or counted; nil: none
	listing  bool
	through  *semantic.Entity // members are counted through rows of this entity: "how many customers placed orders"
	clauses  []clause         // related rows
	common   int              // piece of the "and" between two kinds of rows that share a listed value; 0: none
	tallies  []tally
	period   *period
	periodAt int      // piece of the period
	periods  []period // the parts of the period, when "and" joins several
	separate bool     // they are no one period: something must be in each
	never    []absent // in which nothing may be: "but not in 1997"
	either   *either  // conditions of different kinds of which one must hold; nil: all hold together
	years    []target // columns of years that the verb of the period names; nil: the default
	on       []target // time dimensions that the period may be on; nil: the default
	top      *ranking
	order    []ordering
	trend    bool
	share    *share             // a part of a whole that is asked for
	change   *change            // a difference over time that is asked for
	against  *frameql.Comparand // what numbers are compared with
	stride   *stridden          // how far before the period lies what they are compared with
	versus   bool               // members or numbers are set beside each other
	running  *layer             // a running total or a moving window that is asked for
	later    []string           // constructs that are refused today
	did      []int              // pieces of entities that are verbs: "did customers in France order"
	notes    []string           // assumptions in words
	heads    map[int]int        // last piece of a comparison -> the piece of whom it was about
	headed   bool               // members are grouped because a condition on a number stands behind them
	invalid  bool               // it keeps members by a number, but has none: no reading
	inner    bool               // a part of a question that is read by itself
	said     []saidRole         // roles that are said
	related  []clause           // those that only say that there are the rows which lead to the members
	assumed  *role              // in which members are meant where the question leaves it open
	bare     *fragment          // of a follow-up: what stands alone; nil: it is none
	doubt    string             // catalogue key: why the best reading must be confirmed; empty: nothing speaks against it
}

// use says what a piece was used for; slot is empty while it is free. A piece that only connects others has slot "-".
type use struct {
	slot   string
	method string
	target string // what it was read as; bind may choose another one
}

const connects = "-"

// slot is one place of the query with the things that it may mean, and what speaks for them.
type slot struct {
	piece   int // of the pieces; -1: none
	options []target
	near    *semantic.Entity // an entity named beside it
	grain   string           // time grain; with options it is that of a time dimension, without it stands alone
	acts    bool             // a value that does something to the members, and so is none of them
}

// measure is a number that is asked for.
type measure struct {
	slot
	reduce   string // empty: the metric as declared; else sum avg min max median count stddev percentile
	assumed  bool   // no reducer was said: a column that does not add up is averaged
	distinct bool
	star     bool     // rows of an entity
	tally    bool     // how many there are was asked for, and a column that says it of each row is added up
	amount   *target  // how many there are was asked for, and this amount is all that is called so; nil: it is not so
	per      []slot   // nested: the reducer runs over one value for each of these
	only     []filter // conditions on the rows of this number alone
	level    string   // of a percentile: 0.9
	sides    *sides   // arithmetic with another number; nil: none
	layer    *layer   // a function of the number over the rows of the result; nil: none
}

// filter keeps rows. Each option is a dimension; values gives, for a dimension, what it must be.
type filter struct {
	slot
	named  int    // piece that names the dimension in words; -1: none
	op     string // eq ne gt ge lt le between is_true is_false
	values []*piece
	texts  []frameql.Value // literal operands, when values is empty
	split  *slot           // the grouping that it stands directly behind: both are about the same dimension
	bound  bound           // what it is compared with, when that is no literal

	extreme *extreme // of in_top: what the members are ranked by
}

// having keeps members by a number of theirs.
type having struct {
	measure
	op    string
	nums  []string
	bound bound // what it is compared with, when that is no literal
}

// ranking is TOP.
type ranking struct {
	n         int
	word      int    // piece that ranks
	direction string // high low best worst
	member    slot
	by        measure
	attribute bool // rank a listing by an attribute instead of members by a metric
}

// absent is a period in which nothing may be, and where it stands.
type absent struct {
	period
	piece int
}

// ordering is one key of ORDER BY.
type ordering struct {
	by   *measure // nil: the first measure, or the first column of a listing
	desc bool
	name bool // by the display of the members
	// what the adjective of "oldest first" may stand for; empty: there is none
	hints []string
}

// What keeps a best reading from being answered: it is shown as the best guess of a question back.
const (
	doubtMetric  = "interpret.doubt_no_metric" // members are ranked, but by nothing
	doubtAmount  = "interpret.doubt_amount"    // "how much did they spend": a number, but which
	doubtCounted = "interpret.doubt_counted"   // "how many sales": of what is only known as an amount
	doubtWorth   = "interpret.doubt_worth"     // "total payments": how many, or how much
	doubtReducer = "interpret.doubt_reducer"   // a number per member, but no way to make one of many
	doubtRows    = "interpret.doubt_rows"      // an average of a computed sum: over which rows?
	doubtTotal   = "interpret.doubt_total"     // "total revenue of the top 5 customers": one number, or one each
	doubtBy      = "interpret.doubt_by"        // "by" with one value behind it
	doubtSplit   = "interpret.doubt_split"     // "by month" behind "by category": beside it, or in its place
	doubtOrder   = "interpret.doubt_order"     // an order, and one number
	doubtExtreme = "interpret.doubt_extreme"   // "the highest point", where each member has a highest point
	doubtCells   = "interpret.doubt_cells"     // different cells are counted, and some list several things
	doubtEvent   = "interpret.doubt_event"     // a verb says how something came or ended, and nothing in the data does
	doubtPer     = "interpret.doubt_per"       // "average freight per shipper": of each shipper's rows, or over shippers
)

// constructs are the abilities of the reader, in the order in which they look at a tiling. Each takes the pieces that it
// understands; what nobody takes is unread.
func constructs() []func(*draft) {
	return []func(*draft){
		readFullNames, readLapsed,
		readLater, readHops,
		readRoles,
		readJoinVerbs,
		readShared,
		readAbsence,
		readDid,
		readUniversal,
		readDifference,
		readCompare,
		readPatterns,
		readTime,
		readPlace,
		readRatio, readMoreThan,
		readShare,
		readChange,
		readRunning,
		readStatistics,
		readPercentile,
		readDegrees,
		readMeasured, readSaidNumbers,
		readTallies,
		readComparisonsBefore,
		readComparisons,
		readExplicit,
		readMode,
		readInnermost,
		readBeside,
		readFromTo,
		readFirstWords,
		readRank, readHolder,
		readOfEach,
		readFirstRow,
		readShown,
		readProjection, readTheir,
		readOrder,
		readCounts,
		readAggregates,
		readGroups, readEachTop,
		readFlags,
		readWithin,
		readValues,
		readEach,
		readMetrics,
		readLateRank,
		readAmount,
		readPairs,
		readRows,
		readHead,
		readListing,
		readScope,
		readPresent,
		readRelated,
		readRoleRows,
		readDone,
	}
}

// assemble reads a tiling with the constructs, and with further ones that only some questions have.
func (ix *Index) assemble(t tiling, tokens []token, env frameql.Env, further ...func(*draft)) *draft {
	d := &draft{ix: ix, tokens: tokens, env: env, pieces: t.pieces, uses: make([]use, len(t.pieces)), score: t.score}
	instruction := d.instruction()
	show := d.hide(instruction)
	for _, read := range append(constructs(), further...) {
		read(d)
	}
	show()
	d.readReturn(instruction)
	d.finishVersus()
	d.finishWhich()
	d.finishShare()
	d.finishChange()
	d.finishRunning()
	d.finishOwn()
	d.finishNames()
	d.finishEachValue()
	d.finishSelf()
	d.finishFirstWords()
	d.finishDistinct()
	d.finishTurned()
	d.finishExtreme()
	d.finishHighest()
	d.finishListCells()
	d.finishBoth()
	d.finishListCounts()
	d.finishPointless()
	d.finishPossessed()
	d.invalid = d.invalid || len(d.having) > 0 && len(d.groups) == 0
	if d.sortsNothing() {
		d.score += sortsOneNumber
		d.doubt = doubtOrder
	}
	d.refuseNested()
	d.readEither()
	d.finishWhere()
	d.finishUnits()
	d.finishRepeated()
	d.finishStress()
	d.finishOutcome()
	d.finishLifecycle()
	for i, p := range d.pieces {
		if d.unread(i) && p.kind != unknownPiece && p.kind != textPiece {
			d.score += leftOver
		}
	}
	return d
}

// unread says whether a piece has content that nobody used.
func (d *draft) unread(i int) bool {
	if d.uses[i].slot != "" {
		return false
	}
	switch d.pieces[i].kind {
	case gluePiece, listPiece:
		return i == 0 && d.asksForMore(i)
	case groupPiece:
		return d.pieces[i].id == "each" && len(d.measures) > 0 && len(d.groups) == 0 // "how many students have each allergy" asks for a split
	case stopPiece:
		return false
	}
	return true
}

// asksForMore says whether a piece is a bare "who" or "where": at the head of a question it asks for a person or a place,
// which no construct gives yet. "Who placed order 10250" is not answered by the order.
func (d *draft) asksForMore(i int) bool {
	if p := d.pieces[i]; p.kind == gluePiece && p.to > p.from+1 || p.kind == listPiece && p.id == "which" {
		return false
	}
	return slices.ContainsFunc(d.ix.english.operators[d.tokens[d.pieces[i].from].norm], func(o operator) bool {
		return o.class == "listing" && (o.id == "who" || o.id == "where")
	})
}

// take marks a piece as used.
func (d *draft) take(i int, name, target string) {
	d.uses[i] = use{slot: name, method: d.method(i), target: target}
}

func (d *draft) method(i int) string {
	if d.pieces[i].edits > 0 {
		return "fuzzy"
	}
	return "exact"
}

// free says whether piece i exists and is not used.
func (d *draft) free(i int) bool { return i >= 0 && i < len(d.pieces) && d.uses[i].slot == "" }

// is says whether piece i is of a kind, with one of the identifiers when any are given.
func (d *draft) is(i int, kind pieceKind, ids ...string) bool {
	return i >= 0 && i < len(d.pieces) && d.pieces[i].kind == kind && (len(ids) == 0 || slices.Contains(ids, d.pieces[i].id))
}

// names gives the meanings of a free name piece that satisfy keep.
func (d *draft) names(i int, keep func(target) bool) []target {
	if !d.free(i) || d.pieces[i].kind != namePiece {
		return nil
	}
	var out []target
	for _, t := range d.pieces[i].names {
		if keep(t) {
			out = append(out, t)
		}
	}
	return out
}

func isMetric(t target) bool    { return t.metric != nil }
func isDimension(t target) bool { return t.dim != nil && t.value == nil && !t.verb }
func isEntity(t target) bool    { return t.entity != nil && t.dim == nil }
func isValue(t target) bool     { return t.value != nil }
func isNumeric(t target) bool   { return isDimension(t) && t.dim.Type.Numeric() }
func isMeasure(t target) bool   { return isNumeric(t) && t.dim.Measure }
func isTemporal(t target) bool  { return t.dim != nil && t.value == nil && t.dim.Type.Temporal() }
func isBoolean(t target) bool   { return isDimension(t) && t.dim.Type == semantic.Boolean }
func isMember(t target) bool    { return isEntity(t) || isDimension(t) && !isMeasure(t) }

func (d *draft) metrics(i int) []target    { return d.names(i, isMetric) }
func (d *draft) dimensions(i int) []target { return d.names(i, isDimension) }
func (d *draft) entities(i int) []target   { return d.names(i, isEntity) }
func (d *draft) values(i int) []target     { return d.names(i, isValue) }
func (d *draft) members(i int) []target    { return d.names(i, isMember) }

// plural says whether the head of a piece stands in the plural: its last word, or the one before "of".
func (d *draft) plural(i int) bool {
	p := d.pieces[i]
	t := d.tokens[p.to-1]
	if p.to-p.from == 3 && d.tokens[p.from+1].norm == "of" { // "type of pets"
		t = d.tokens[p.from]
	}
	return t.norm != t.lemma
}

// beside gives the entity named by the piece at i, if it is one and nothing else of the same rank.
func (d *draft) beside(i int) *semantic.Entity {
	if i < 0 || i >= len(d.pieces) || d.pieces[i].kind != namePiece {
		return nil
	}
	for _, t := range d.pieces[i].names {
		if isEntity(t) {
			return t.entity
		}
	}
	return nil
}

// neighbor gives the entity named directly before a piece, over glue: "customers in Germany", "suppliers' country".
func (d *draft) neighbor(i int) *semantic.Entity {
	for j := i - 1; j >= 0; j-- {
		if d.pieces[j].kind == gluePiece || d.pieces[j].kind == notPiece {
			continue
		}
		if e := d.beside(j); e != nil {
			return e
		}
		if d.pieces[j].kind == namePiece && d.pieces[j].has(isValue) && d.pieces[j].names[0].value != nil {
			continue // "customers in Germany and France"
		}
		return nil
	}
	return nil
}

func (d *draft) note(s string) {
	if !slices.Contains(d.notes, s) {
		d.notes = append(d.notes, s)
	}
}
