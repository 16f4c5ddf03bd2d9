package tool

import (
	"bytes"
	"encoding/json"
	"reflect"

	"assay/backend/text"
)

// Bounds of what a tool gives back, in bytes of JSON: some 2,000 tokens, and of a frame that is only referred to less than 400 at three bytes each.
const (
	MostBytes      = 8 << 10
	mostReferenced = 1100
)

// fitted cuts the lists of a body until it fits, the longest one first, and says so in its field Note, with what would give less.
// body points to a struct with such a field.
func fitted(body any, most int, narrow string) any {
	v := reflect.ValueOf(body).Elem()
	note := v.FieldByName("Note")
	for size(body) > most {
		longest, at := 1, -1 // a list of one is not cut
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.Slice && f.Len() > 1 && size(f.Interface()) > longest {
				longest, at = size(f.Interface()), i
			}
		}
		if at < 0 {
			break
		}
		list := v.Field(at)
		kept := max(1, list.Len()*3/4)
		list.Set(list.Slice(0, kept))
		note.SetString(text.Say("tool.cut", "narrow", narrow))
	}
	return body
}

// size is the length of a value as a model gets it.
func size(x any) int { return len(Encode(x)) }

// Encode writes a body as a model gets it: JSON in which "<" and its like stand as they are.
func Encode(x any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(x); err != nil {
		return []byte("null")
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
