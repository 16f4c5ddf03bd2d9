package tool

import (
	"context"

	"assay/backend/text"
)

type verificationArguments struct{}

type verificationBody struct {
	Level       string   `json:"level"`
	None        int      `json:"level_none_count"`
	A           int      `json:"level_a_count"`
	AA          int      `json:"level_aa_count"`
	AAA         int      `json:"level_aaa_count"`
	Outstanding []string `json:"outstanding"`
	Note        string   `json:"note,omitempty"`
}

func verificationLevel() Tool {
	return define("verification_level", false, func(_ context.Context, d *Desk, _ verificationArguments) (Result, error) {
		if d.Level == nil {
			return absent("verification_level")
		}
		found := d.Level()
		b := &verificationBody{Level: found.Level, None: found.Counts["none"], A: found.Counts["A"], AA: found.Counts["AA"], AAA: found.Counts["AAA"], Outstanding: []string{}}
		for _, o := range found.Outstanding {
			b.Outstanding = append(b.Outstanding, clean(o, longestText))
		}
		return Result{Body: fitted(b, MostBytes, text.Say("tool.narrow_outstanding"))}, nil
	})
}
