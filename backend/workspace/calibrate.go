package workspace

import (
	"context"
	"time"

	"assay/backend/analyst"
	"assay/backend/memory"
	"assay/backend/risk"
)

// calibrateEvery is how long a set of weights is kept before new ones are learned by themselves.
const calibrateEvery = 30 * 24 * time.Hour

// leastOutcomes are looked for before the log is read to learn from it.
const leastOutcomes = 30

// Weights gives every set of weights of the factors of an error that was ever in force, with its reliability curve.
func (w *Workspace) Weights() risk.History { return *w.learned.Load() }

// Calibrate learns the weights of the factors of an error from what became of the answers, and puts them in force. learned is
// false, and reason says why, where there is too little to learn from: then nothing changes.
func (w *Workspace) Calibrate(ctx context.Context) (history risk.History, learned bool, reason string, err error) {
	outcomes, err := w.outcomes(ctx)
	if err != nil {
		return risk.History{}, false, "", err
	}
	history, learned, reason = w.Weights().Learn(outcomes, w.opts.Now(), risk.CalibrateOptions{})
	if learned {
		err = w.keepWeights(ctx, history)
	}
	return history, learned, reason, err
}

// StepBack puts the weights in force that were so before. Fault NotFound: these are the first.
func (w *Workspace) StepBack(ctx context.Context) (risk.History, error) {
	history, err := w.Weights().StepBack()
	if err != nil {
		return history, err
	}
	return history, w.keepWeights(ctx, history)
}

func (w *Workspace) keepWeights(ctx context.Context, h risk.History) error {
	if err := w.memory.Keep(ctx, learnedName, h); err != nil {
		return err
	}
	w.learned.Store(&h)
	return nil
}

// calibrateInTime learns when the weights have been in force for long enough. What cannot be learned now is learned later.
func (w *Workspace) calibrateInTime(ctx context.Context) error {
	history := w.Weights()
	if n := len(history.Sets); n > 0 && w.opts.Now().Sub(history.Sets[n-1].At) < calibrateEvery {
		return nil
	}
	if enough, err := w.memory.Settled(ctx); err != nil || enough < leastOutcomes {
		return err
	}
	_, _, _, err := w.Calibrate(ctx)
	return err
}

// outcomes are what became of the answers that somebody spoke about or used: what time accepted says nothing.
func (w *Workspace) outcomes(ctx context.Context) ([]risk.Outcome, error) {
	log, err := w.memory.QueryLog(ctx, memory.AuditFilter{})
	if err != nil {
		return nil, err
	}
	var all []risk.Outcome
	for _, e := range log {
		if e.Risk == nil || e.Outcome == nil {
			continue
		}
		result := resultOf(e.Outcome)
		if result == "" {
			continue
		}
		f := e.Risk.Factors
		all = append(all, risk.Outcome{
			At: e.At, Result: result, Likelihood: e.Risk.ErrorLikelihood,
			Factors: risk.Factors{Complexity: f.Complexity, SourceRisk: f.SourceRisk, Novelty: f.Novelty, Ambiguity: f.Ambiguity},
		})
	}
	return all, nil
}

// resultOf is what an outcome says about right or wrong; empty: nothing. What its person says of an answer goes before what
// became of it; of what is no answer nothing is said.
func resultOf(o *memory.LogOutcome) string {
	switch p := o.Opinion; {
	case p == nil:
	case o.Outcome != string(analyst.OutcomeAnswer):
		return ""
	case p.Wrong:
		return risk.Rejected
	case p.Feedback == "positive":
		return risk.Accepted
	}
	return map[string]string{
		string(analyst.OnAccepted): risk.Accepted, string(analyst.OnRejected): risk.Rejected, string(analyst.OnRevised): risk.Corrected,
	}[o.Settled]
}
