package llm

import (
	"encoding/json"
	"testing"
)

func TestCallsAreStoredWhateverTheirArguments(t *testing.T) {
	for _, arguments := range []string{`{"n":1}`, ``, `{"n":`, `"text"`, `{} {}`, "\x00"} {
		raw, err := json.Marshal([]Call{{ID: "1", Name: "look", Arguments: json.RawMessage(arguments)}})
		if err != nil {
			t.Errorf("%q: %v", arguments, err)
			continue
		}
		var back []Call
		if err := json.Unmarshal(raw, &back); err != nil || len(back) != 1 || string(back[0].Arguments) != arguments {
			t.Errorf("%q: %s, %v", arguments, raw, err)
		}
	}
}
