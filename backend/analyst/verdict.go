package analyst

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/risk"
	"assay/backend/rules"
	"assay/backend/text"
)

// assess measures the risk of the request: provisionally while there is no plan, and for good with it.
func (r *run) assess(ctx context.Context) risk.Assessment {
	e := risk.Evidence{Stakes: r.stakes, Meanings: r.meanings(), Golden: r.nearestGolden(ctx), Doubts: append(r.differences(), r.doubts()...)}
	if r.a.deps.Weights != nil {
		learned := r.a.deps.Weights()
		e.Learned = &learned
	}
	e.Stakes.Serious = r.seriousBefore(ctx)
	if r.plan != nil {
		shape := risk.ShapeOf(r.plan.Complexity)
		e.Shape = &shape
		e.Sources = risk.SourcesOf(r.knowledge.Model, r.plan.Entities, r.a.deps.Now())
	} else if r.given != nil {
		e.Shape = r.given
	}
	return risk.Assess(e)
}

// meanings is what was seen of other readings.
func (r *run) meanings() risk.Meanings {
	return risk.Meanings{Conflict: &r.ambiguity, Matches: r.matches, LogProbs: r.likely}
}

// nearestGolden is the golden query that is most like the request.
func (r *run) nearestGolden(ctx context.Context) risk.Nearest {
	if r.a.deps.Golden == nil {
		return risk.Nearest{}
	}
	frameQL := ""
	if r.plan != nil {
		frameQL = r.plan.Query.String()
	}
	return r.a.deps.Golden(r.inLedger(ctx), r.actor, r.question, frameQL)
}

// judge lets the rules decide about the request as it stands, and puts risk and decision into the answer.
func (r *run) judge(ctx context.Context) {
	a := r.assess(ctx)
	c := rules.Case{
		Actor: r.actor, Likelihood: a.Likelihood, Cost: a.Cost.Value, Complexity: a.Factors.Complexity, Provisional: a.Provisional,
		Objects: r.objects, Level: r.req.Level, Confirmed: r.req.Confirm,
		Overrides: rules.Overrides{ConfirmFirst: r.stored.Overrides[overrideConfirm] == "first", JustDoIt: r.stored.Overrides[overrideConfirm] == "never"},
	}
	if p := r.answer.Plan; p != nil {
		c.Plan = &rules.Plan{Bytes: p.Bytes, Rows: p.Rows, Runtime: time.Duration(p.MS * float64(time.Millisecond))}
	}
	if r.plan != nil {
		c.Domains, c.Sensitive = r.domains(), r.sensitive(r.plan)
	}
	r.verdict = r.a.rules().Judge(c)
	r.answer.Risk = riskOf(a, r.verdict)
}

func riskOf(a risk.Assessment, v rules.Verdict) *Risk {
	return &Risk{
		ErrorLikelihood: rounded(a.Likelihood), Provisional: a.Provisional, ExpectedCost: a.Cost.Label, Cost: a.Cost.Value,
		Factors:       RiskFactors{shareOf(a.Factors.Complexity), shareOf(a.Factors.SourceRisk), shareOf(a.Factors.Novelty), shareOf(a.Factors.Ambiguity)},
		AutonomyLevel: v.Level, Decision: string(v.Decision),
		Reasons: slices.Concat(a.Reasons, v.Sentences()),
	}
}

func shareOf(x *float64) *float64 {
	if x == nil {
		return nil
	}
	y := rounded(*x)
	return &y
}

// domains are those of the entities that the plan reads.
func (r *run) domains() []string {
	var all []string
	for _, name := range r.plan.Entities {
		if e := r.knowledge.Model.Entity(name); e != nil && e.Domain != "" && !slices.Contains(all, e.Domain) {
			all = append(all, e.Domain)
		}
	}
	return all
}

// sensitive names what a plan reads and is tagged as sensitive, or shows or compares and is personal, as a person knows it.
func (r *run) sensitive(plan *frameql.Plan) []string {
	m := r.knowledge.Model
	tagged := func(tags []string) bool {
		return slices.ContainsFunc(tags, func(t string) bool { return strings.EqualFold(t, sensitive) })
	}
	var all []string
	for _, name := range plan.Entities {
		if e := m.Entity(name); e != nil && tagged(e.Tags) {
			all = append(all, cmp.Or(e.Label, e.Name))
		}
	}
	for _, name := range plan.Dimensions {
		if d := m.Dimension(name); d != nil && (tagged(d.Tags) || d.PII != "") {
			all = append(all, cmp.Or(d.Label, d.Name))
		}
	}
	return all
}

// imported are tables of the workspace by their names.
func imported(tables []string) []rules.Object {
	var all []rules.Object
	for _, t := range tables {
		all = append(all, rules.Object{Schema: mainSchema, Table: t})
	}
	return all
}

// mainSchema is where imported tables stand.
const mainSchema = "main"

// wait ends the request before its statement runs: it waits for a word, is only advice, goes to a person, or is not allowed.
func (r *run) wait(ctx context.Context) error {
	a, v := r.answer, r.verdict
	a.Outcome, a.Status, a.SQL = OutcomeConfirm, v.Status, r.sql.SQL
	a.Acceptance = &Acceptance{Required: true}
	on := OnCostly
	switch v.Status {
	case rules.StatusConfirmation:
		r.deadline(v.Confirm.Waits)
	case rules.StatusRecommended:
		on = OnAdvised
		r.deadline(v.Acceptance.Waiting)
	case rules.StatusHuman:
		on = OnHandedOver
		r.escalate(NoticeTakeOver, v.TakesOver, "analyst.escalated")
	case rules.StatusBlocked:
		on = OnBlocked
		a.Acceptance, a.SQL = nil, ""
	}
	if err := r.writeDown(ctx, AuditDecision, r.decided()); err != nil {
		return err
	}
	if on == OnBlocked {
		return r.blocked()
	}
	return r.move(on)
}

// blocked refuses what the person may not do. The sentence names nothing that they may not see.
func (r *run) blocked() error {
	message := text.Say("analyst.not_allowed")
	if len(r.verdict.Reasons) > 0 {
		message = r.verdict.Reasons[0].Text
	}
	if err := r.refuseOn(OnBlocked, Refused{Code: "NOT_ALLOWED", Message: message, Repairs: []frameql.Repair{}}); err != nil {
		return err
	}
	r.answer.Status = rules.StatusBlocked
	return nil
}

// deadline says until when somebody may speak.
func (r *run) deadline(w rules.Waiting) {
	if w.Then == rules.EndNever || w.After <= 0 {
		return
	}
	r.until, r.ending = r.a.deps.Now().UTC().Add(w.After), w.Then
	until := r.until.Format(time.RFC3339)
	r.answer.Acceptance.Deadline = &until
}

// escalate names the roles whose matter the request is, and puts it into their inboxes.
func (r *run) escalate(kind string, roles []string, key string) {
	if len(roles) == 0 {
		return
	}
	words := text.Say(key, "roles", listed(roles))
	r.answer.Escalation = &Escalation{Roles: roles, Reason: words}
	for _, role := range roles {
		r.notices = append(r.notices, Notice{RequestID: r.answer.RequestID, Kind: kind, Role: role, Words: text.Say(key+"_notice", "role", role)})
	}
}

func rounded(x float64) float64 { return math.Round(x*1000) / 1000 }
