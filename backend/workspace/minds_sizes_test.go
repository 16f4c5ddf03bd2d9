package workspace

import (
	"encoding/json"
	"slices"
	"testing"

	"assay/backend/tool"
)

// TestWhatLeavesIsWhatIsSaid ties the numbers in the words about what leaves to the bounds of those who send it.
func TestWhatLeavesIsWhatIsSaid(t *testing.T) {
	if z := leavingSizes; min(z.Given, z.Narrated, z.Recalled, z.Listed, z.Examples, z.Judged) < 1 {
		t.Errorf("%+v", z)
	}
	at := slices.IndexFunc(tool.All(), func(x tool.Tool) bool { return x.Name == "recall_artifact" })
	var schema struct {
		Properties struct{ Limit struct{ Maximum int } }
	}
	if err := json.Unmarshal(tool.All()[at].Schema, &schema); err != nil || schema.Properties.Limit.Maximum != leavingSizes.Recalled {
		t.Errorf("the schema lets a model recall %d rows: %v", schema.Properties.Limit.Maximum, err)
	}
}
