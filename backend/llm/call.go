package llm

import "encoding/json"

// call is a Call as JSON. What a model wrote as arguments and is no JSON stands there as text, so that whatever holds a call can be stored.
type call struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Written   string          `json:"written,omitempty"` // arguments that are no JSON
}

// MarshalJSON writes the call, whatever its arguments are.
func (c Call) MarshalJSON() ([]byte, error) {
	out := call{ID: c.ID, Name: c.Name}
	if json.Valid(c.Arguments) {
		out.Arguments = c.Arguments
	} else {
		out.Written = string(c.Arguments)
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (c *Call) UnmarshalJSON(raw []byte) error {
	var in call
	if err := json.Unmarshal(raw, &in); err != nil {
		return err
	}
	*c = Call{ID: in.ID, Name: in.Name, Arguments: in.Arguments}
	if in.Written != "" {
		c.Arguments = json.RawMessage(in.Written)
	}
	return nil
}
